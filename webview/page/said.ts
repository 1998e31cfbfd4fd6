import type { DiffStretch } from '../../src/model/heard/wordDiff.ts';
import { element, type Content } from './element.ts';
import { t } from './l10n.ts';

/** Words of which some are marked. The meaning of a mark is also read out, because marks are only visual. */
export function said(label: string, parts: readonly DiffStretch[], mark: 'missing' | 'extra', look = ''): HTMLElement {
  const meaning = mark === 'missing' ? t('missing') : t('extra');
  const words = parts.flatMap(({ text, common }, index): Content[] => [
    index === 0 ? undefined : ' ',
    common
      ? text
      : element(
          'span',
          { class: mark, title: meaning },
          element('span', { class: 'unseen' }, `[${meaning}: `),
          text,
          element('span', { class: 'unseen' }, ']'),
        ),
  ]);
  return element(
    'div',
    { class: 'said' },
    element('span', { class: 'said-by' }, label),
    element('p', { class: look }, ...words),
  );
}
