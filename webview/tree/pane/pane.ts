import { wordDiff } from '../../../src/model/heard/wordDiff.ts';
import type { TreeChange } from '../../../src/contract/treeDiff.ts';
import { changesAt } from '../marks/comparison.ts';
import { stepsText } from '../../page/countTexts.ts';
import { element, on, setAttributes, setText } from '../../page/element.ts';
import { decimalText, durationOf } from '../../page/formats.ts';
import { secondsOf } from '../drawing/heat.ts';
import { endIcons, icon, stateIcon } from '../../page/icons.ts';
import { t } from '../../page/l10n.ts';
import { said } from '../../page/said.ts';
import { endTitles, inputTypeWords, isVoice, statusWords, nodeTitleOf, unsureMark, whyUnsure } from '../nodeText.ts';
import { Player } from '../../player/player.ts';
import type { Scene } from '../scene.ts';
import { stepActions } from '../stepActions.ts';
import { textPartsOf } from '../search/search.ts';
import { button, divider, iconButton } from '../../toolkit.ts';
import type { IndexedNode } from '../treeIndex.ts';
import type { ViewState } from '../viewState.ts';

interface PaneEvents {
  readonly onClose: () => void;
  readonly onJump: (key: string) => void;
  readonly onRequestAudio: (stepId: string) => void;
  readonly onSpeed: (speed: number) => void;
  readonly onTranscript: (stepId: string | undefined) => void;
  readonly onCopied: (what: string) => void;
  readonly onCall: (stepId: string) => void;
  readonly onTest: (stepId: string) => void;
}

/** Everything about one step: its path, its prompt with the sound, its options, its end. */
export class Pane {
  readonly element: HTMLElement;
  readonly player: Player;
  readonly #events: PaneEvents;
  readonly #heading = element('h2');
  readonly #key = element('span', { class: 'key' });
  readonly #above = element('div', { class: 'pane-part stack' });
  readonly #below = element('div', { class: 'pane-part stack' });
  readonly #body: HTMLElement;
  #shown = '';

  constructor(events: PaneEvents) {
    this.#events = events;
    this.player = new Player({ onRequest: events.onRequestAudio, onSpeed: events.onSpeed });
    this.#body = element('div', { class: 'pane-body' }, this.#above, this.player.element, this.#below);
    this.element = element(
      'aside',
      { class: 'pane stack', 'aria-label': t('Step') },
      element(
        'div',
        { class: 'pane-head row' },
        this.#key,
        this.#heading,
        iconButton(t('Close the step (Escape)'), 'close', events.onClose),
      ),
      this.#body,
    );
  }

  show(scene: Scene, state: ViewState): void {
    const selected =
      state.paneOpen && state.selected !== undefined ? scene.index?.byKey.get(state.selected) : undefined;
    this.element.hidden = selected === undefined;
    if (!selected || !scene.index) {
      this.player.show(undefined, undefined, state.speed);
      this.#shown = '';
      return;
    }
    const { node } = selected;
    const soundOf = stepActions(selected, scene.snapshot).plays ? node.stepId : undefined;
    this.player.show(soundOf, node.duration, state.speed);
    const linked = node.linksTo === undefined ? undefined : scene.index.byKey.get(node.linksTo);
    // Rebuilt only if the content changes: frequent snapshots must not remove a text selection or the focus.
    const shown = contentOf(selected, linked, scene);
    if (shown === this.#shown) return;
    const sameStep = this.#shown.startsWith(JSON.stringify([selected.key]).slice(0, -1));
    this.#shown = shown;
    setText(this.#heading, nodeTitleOf(node));
    this.#key.replaceChildren(keySign(selected));
    setAttributes(this.#key, { class: node.hidden ? 'key is-hidden' : 'key' });
    this.#above.replaceChildren(this.#state(selected), this.#way(selected, scene));
    this.#below.replaceChildren(
      ...[
        changeList(changesOf(scene, selected)),
        this.#prompt(selected, scene),
        this.#options(selected),
        phrases(selected),
        inputHints(selected),
        this.#facts(selected, linked),
      ]
        .filter((part) => part !== undefined)
        .flatMap((part, at) => (at === 0 ? [part] : [divider(), part])),
    );
    if (!sameStep) this.#body.scrollTop = 0;
  }

  #state({ node }: IndexedNode): HTMLElement {
    const status = node.status ?? 'explored';
    const line = element(
      'div',
      { class: 'state row' },
      element('span', { class: `sign sign-${status}` }, stateIcon(status)),
      statusWords[status],
    );
    if (node.end)
      line.append(element('span', { class: 'state-end row' }, icon(endIcons[node.end]), endTitles[node.end]));
    if (node.hidden) line.append(badge(t('not offered')));
    if (node.unsure) line.append(element('span', { class: 'change' }, unsureMark));
    return element(
      'div',
      {},
      line,
      node.unsure ? element('p', { class: 'hint quiet' }, whyUnsure) : undefined,
      node.reason === undefined
        ? undefined
        : element('p', { class: status === 'failed' ? 'reason' : 'hint' }, node.reason),
    );
  }

  #way(selected: IndexedNode, { snapshot }: Scene): HTMLElement {
    const steps: IndexedNode[] = [];
    for (let node: IndexedNode | undefined = selected; node?.parent; node = node.parent) steps.unshift(node);
    const list = element(
      'ol',
      { class: 'way row', 'aria-label': t('Path') },
      ...steps.flatMap(({ node }) =>
        element('li', {}, element('kbd', {}, node.digit ?? `“${node.voicePrompt ?? '?'}”`)),
      ),
    );
    if (steps.length === 0)
      return element(
        'div',
        { class: 'way-row row' },
        element('span', { class: 'quiet' }, t('What callers hear first, before they press a key')),
      );
    const keys = keysOf(steps);
    const { stepId = '', path, calls, isMapped } = stepActions(selected, snapshot);
    return element(
      'div',
      { class: 'way-rows stack' },
      element(
        'div',
        { class: 'way-row row' },
        element('span', { class: 'quiet' }, t('Path')),
        list,
        this.#copy(t('Copy the path'), path, t('Path copied')),
        keys === undefined ? undefined : this.#copy(t('Copy as keys: {0}', keys), keys, t('Keys copied'), 'keypad'),
      ),
      calls ? button(t('Call this path now'), () => this.#events.onCall(stepId), { icon: 'phone' }) : undefined,
      isMapped ? button(t('Generate test of this path'), () => this.#events.onTest(stepId)) : undefined,
    );
  }

  #prompt({ node }: IndexedNode, { query, snapshot: { job } }: Scene): HTMLElement {
    const transcript = node.transcript?.trim() ?? '';
    const parts = textPartsOf(transcript, query).map(({ text, match }) => (match ? element('mark', {}, text) : text));
    return section(t('Prompt'), [
      transcript === ''
        ? element('p', { class: 'quiet' }, t('No words were heard.'))
        : element('blockquote', {}, ...parts),
      node.spokenResponse === undefined
        ? undefined
        : element(
            'p',
            { class: 'said' },
            element('span', { class: 'quiet' }, `${t('Dialtree said')} `),
            `“${node.spokenResponse}”`,
          ),
      job &&
        element(
          'div',
          { class: 'actions' },
          button(t('Open transcript'), () => this.#events.onTranscript(node.stepId), { icon: 'transcript' }),
        ),
    ]);
  }

  #options({ node, children }: IndexedNode): HTMLElement | undefined {
    const offered = new Map((node.options ?? []).map(({ key, label }) => [key, label]));
    const rows = [...offered].map(([key, label]) => ({
      key,
      label,
      child: children.find((child) => child.node.digit === key),
    }));
    const others = children
      .filter((child) => child.node.digit === undefined || !offered.has(child.node.digit))
      .map((child) => ({ key: child.node.digit ?? '', label: nodeTitleOf(child.node), child }));
    if (rows.length + others.length === 0) return undefined;
    const list = element(
      'ul',
      { class: 'options stack' },
      ...[...rows, ...others].map(({ key, label, child }) => element('li', {}, this.#option(key, label, child))),
    );
    return section(t('Options'), [list], rows.length + others.length);
  }

  #option(key: string, label: string, child: IndexedNode | undefined): HTMLElement {
    const sign = element(
      'span',
      { class: `key${child?.node.hidden ? ' is-hidden' : ''}` },
      key === '' ? icon('speech') : key,
    );
    const text = element('span', { class: 'option-label' }, label);
    if (!child)
      return element(
        'div',
        { class: 'option row' },
        sign,
        text,
        element('span', { class: 'quiet' }, t('not followed')),
      );
    const { status = 'explored' } = child.node;
    const end = status === 'explored' ? child.node.end : undefined;
    const outcome = end ? endTitles[end] : statusWords[status];
    const row = element(
      'button',
      { class: 'option row', type: 'button', title: outcome },
      sign,
      text,
      element(
        'span',
        { class: `sign sign-${end ? endIcons[end] : status}`, role: 'img', 'aria-label': outcome },
        end ? icon(endIcons[end]) : stateIcon(status),
      ),
    );
    on(row, 'click', () => this.#events.onJump(child.key));
    return row;
  }

  #facts({ node, children }: IndexedNode, linked: IndexedNode | undefined): HTMLElement {
    const { duration, latencyMs, stepId } = node;
    const jump = linked && element('button', { class: 'link', type: 'button' }, `↪ ${nodeTitleOf(linked.node)}`);
    if (jump) on(jump, 'click', () => this.#events.onJump(linked.key));
    return section(t('Details'), [
      listOf([
        [t('Same menu as'), jump],
        [
          t('Recording'),
          duration === undefined ? undefined : duration < 10 ? `${decimalText(duration, 1)} s` : durationOf(duration),
        ],
        [t('Answers after'), latencyMs === undefined ? undefined : secondsOf(latencyMs / 1000)],
        [t('Leads to'), children.length > 0 ? stepsText(children.length) : undefined],
        [t('Probe'), [node.probeCategory, node.probeClassification].filter(Boolean).join(' · ')],
        [t('Reason'), node.probeRationale],
        [
          t('Step ID'),
          stepId === undefined ? undefined : this.#copy(t('Copy the step ID'), stepId, t('Step ID copied')),
        ],
      ]),
    ]);
  }

  #copy(name: string, text: string, done: string, sign: 'copy' | 'keypad' = 'copy'): HTMLElement {
    return iconButton(name, sign, () => {
      navigator.clipboard.writeText(text).then(
        () => this.#events.onCopied(done),
        () => this.#events.onCopied(t("Couldn't copy. The editor blocked access to the clipboard.")),
      );
    });
  }
}

/**
 * Returns the keys of a path as a test presses them, with pauses in between, or undefined if something must be said.
 */
function keysOf(steps: readonly IndexedNode[]): string | undefined {
  const keys = steps.map(({ node }) => node.digit);
  return keys.includes(undefined) ? undefined : keys.join(',');
}

/** Returns the pane's content as text that begins with the key of the step. */
const contentOf = (selected: IndexedNode, linked: IndexedNode | undefined, scene: Scene): string =>
  JSON.stringify([
    selected.key,
    { ...selected.node, children: undefined, audioUrl: undefined },
    selected.children.map(({ key, node }) => [key, node.digit, node.status, node.end, nodeTitleOf(node)]),
    linked && nodeTitleOf(linked.node),
    scene.query,
    changesOf(scene, selected),
    scene.snapshot.job?.id,
  ]);

function keySign({ parent, node }: IndexedNode): Node | string {
  if (!parent) return icon('phone');
  return isVoice(node) ? icon('speech') : (node.digit ?? '·');
}

const changesOf = ({ comparison }: Scene, { node: { stepId } }: IndexedNode): readonly TreeChange[] =>
  comparison ? changesAt(comparison, stepId) : [];

function changeList(changes: readonly TreeChange[]): HTMLElement | undefined {
  if (changes.length === 0) return undefined;
  return section(
    t('Changes'),
    changes.map(({ kind, sentence, before, after }) => {
      const diff = kind === 'reworded' && before && after ? wordDiff(before, after) : undefined;
      const words = diff
        ? [said(t('Before'), diff.expected, 'missing'), said(t('Now'), diff.heard, 'extra')]
        : [element('p', {}, sentence)];
      return element('div', { class: `change-entry change-${kind}` }, ...words);
    }),
    changes.length,
  );
}

function phrases({ node }: IndexedNode): HTMLElement | undefined {
  if (!node.phrases || node.phrases.length === 0) return undefined;
  return section(t('You can say'), [
    element('ul', { class: 'phrases' }, ...node.phrases.map((phrase) => element('li', {}, `“${phrase}”`))),
  ]);
}

function inputHints({ node }: IndexedNode): HTMLElement | undefined {
  const input = node.inputRequired;
  if (!input) return undefined;
  return section(t('Asks for data'), [
    listOf([
      [t('Data'), inputTypeWords(input.type)],
      [t('Described as'), input.description],
      [t('Format'), input.formatHint],
      [t('Ends with'), input.terminator],
      [t('Asked at'), input.startTimeMs === undefined ? undefined : `${decimalText(input.startTimeMs / 1000, 1)} s`],
    ]),
  ]);
}

/** Without the empty ones. */
const listOf = (entries: readonly (readonly [name: string, value: string | Node | undefined])[]): HTMLElement =>
  element(
    'dl',
    {},
    ...entries.flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [element('dt', {}, name), element('dd', {}, value)],
    ),
  );

function section(title: string, content: (Node | undefined)[], count?: number): HTMLElement {
  return element(
    'section',
    {},
    element('h3', {}, title, count === undefined ? undefined : badge(String(count))),
    ...content,
  );
}

/** Not the library's badge, because its template has a style attribute, which the page's policy forbids. */
const badge = (text: string): HTMLElement => element('span', { class: 'badge' }, text);
