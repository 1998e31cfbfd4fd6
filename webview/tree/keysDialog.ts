import { element } from '../page/element.ts';
import { t } from '../page/l10n.ts';
import { iconButton } from '../toolkit.ts';

/** What each key does. `commandOf` and the search box handle them. */
const keys: readonly (readonly [names: string, does: string])[] = [
  ['↑ ↓', t('Go to the previous or next step')],
  ['→', t('Expand the step, or go to the first step below it')],
  ['←', t('Collapse the step, or go to the step above it')],
  ['*', t('Expand the step and those beside it')],
  [t('Home End'), t('Go to the first or last step')],
  [t('Enter'), t('Show the step')],
  [t('Space'), t('Play or pause the recording of the step')],
  [t('Shift+F10'), t('Show the menu of the step')],
  [t('/ Ctrl+F'), t('Search. Enter and Shift+Enter go to the next and previous match.')],
  ['n N', t('Go to the next or previous difference or uncovered step')],
  ['l', t('Show or hide response times')],
  ['+ -', t('Zoom in or out')],
  ['0', t('Fit the whole tree in view, as far as it is readable')],
  [t('Escape'), t('Leave the search, or close the step')],
  ['?', t('Show these commands')],
];

/** Lists the keys of the page. Escape closes it, and the focus returns to where it was (HTML, `showModal`). */
export class KeysDialog {
  readonly element: HTMLDialogElement;

  constructor() {
    this.element = element(
      'dialog',
      { class: 'keys boxed', 'aria-labelledby': 'keys-title' },
      element(
        'div',
        { class: 'pane-head row' },
        element('h2', { id: 'keys-title' }, t('Keyboard commands')),
        iconButton(t('Close (Escape)'), 'close', () => this.element.close()),
      ),
      element(
        'dl',
        {},
        ...keys.flatMap(([names, does]) => [
          element('dt', {}, ...names.split(' ').map((name) => element('kbd', {}, name))),
          element('dd', {}, does),
        ]),
      ),
    );
  }

  show(): void {
    if (!this.element.open) this.element.showModal();
  }
}
