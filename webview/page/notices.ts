import type { OpenText, PageNotice } from '../../src/contract/pageNotice.ts';
import { Banner } from './banner.ts';
import { emptyView } from './emptyView.ts';
import { setAttributes } from './element.ts';
import { t } from './l10n.ts';

/** What a notice offers: to read the page's subject again, or to correct its file. */
export type NoticeAnswer = { readonly type: 'refresh' } | OpenText;

interface NoticeWords {
  readonly title: string | undefined;
  readonly place: string | undefined;
  readonly action: { readonly label: string; readonly onPress: () => void } | undefined;
}

/** The notices of a page: in its place before it has content, and in a banner above its content afterwards. */
export class PageNotices {
  readonly #banner = new Banner();
  readonly #answer: (answer: NoticeAnswer) => void;

  constructor(answer: (answer: NoticeAnswer) => void) {
    this.#answer = answer;
  }

  get element(): HTMLElement {
    return this.#banner.element;
  }

  show(notice: PageNotice): void {
    const { title, place, action } = this.#wordsOf(notice);
    const text = place === undefined ? notice.message : `${notice.message} ${place}`;
    // A dismissed notice that arrives again is news.
    this.#banner.clear();
    this.#banner.show(notice.severity, title, text, action);
  }

  clear(): void {
    this.#banner.clear();
  }

  /** Shows the notice as the only content of an element. */
  showAlone(target: Element, notice: PageNotice): void {
    const kind = notice.severity === 'error' ? 'failed' : 'empty';
    setAttributes(target, { role: kind === 'failed' ? 'alert' : 'status' });
    target.replaceChildren(emptyView({ kind, text: notice.message, ...this.#wordsOf(notice) }));
  }

  #wordsOf({ severity, place }: PageNotice): NoticeWords {
    return {
      title: place && t("This file isn't a tree"),
      place: place && t('Line {0}, column {1}', place.line, place.column),
      action: place
        ? { label: t('Open in Text Editor'), onPress: () => this.#answer({ type: 'openText', ...place }) }
        : severity === 'error'
          ? { label: t('Try again'), onPress: () => this.#answer({ type: 'refresh' }) }
          : undefined,
    };
  }
}
