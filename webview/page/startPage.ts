import type { PageNotice } from '../../src/contract/pageNotice.ts';
import { registerControls } from '../toolkit.ts';
import { connectEditor, type EditorHost } from './editorHost.ts';
import { element, setAttributes } from './element.ts';
import { emptyView } from './emptyView.ts';
import { receive, type MessageHandlers } from './incoming.ts';
import { t } from './l10n.ts';
import { PageNotices, type NoticeAnswer } from './notices.ts';

type Message = { readonly type: 'snapshot' } | PageNotice;

interface StartedPage<To extends { readonly type: string }> {
  readonly handlers: MessageHandlers<To>;
  /** Lets the user press again, because a request was refused. */
  release?(): void;
}

/**
 * Builds a page when its first snapshot arrives, and passes the editor's messages to it. Until then, and if a snapshot
 * can't be drawn, the page isn't there: its place shows only that the data is awaited, or why there is none.
 *
 * @param create builds the page in `root`. The page places the banner of `notices`, which are shown above its content
 */
export function startPage<To extends { readonly type: string }, From extends { readonly type: string }>(
  create: (root: HTMLElement, host: EditorHost<From>, notices: PageNotices) => StartedPage<To>,
): void {
  registerControls();
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no element with the id "app".');
  const host = connectEditor<From | NoticeAnswer | { readonly type: 'ready' }>(root.dataset['subject']);
  const standby = element('div', { class: 'standby' });
  let page: StartedPage<To> | undefined;
  /** What arrived before the first snapshot, such as the step to show. */
  const early: unknown[] = [];
  let isShown = false;

  const replacePage = (show: () => void): void => {
    isShown = false;
    show();
    root.prepend(standby);
  };
  const wait = (): void => {
    setAttributes(standby, { class: 'standby is-waiting', role: 'status' });
    standby.replaceChildren(emptyView({ kind: 'waiting', text: t('Loading…') }));
  };
  const notices = new PageNotices((answer) => {
    if (!isShown && answer.type === 'refresh') replacePage(wait);
    host.post(answer);
  });
  const explain = (notice: PageNotice): void => {
    replacePage(() => {
      standby.className = 'standby';
      notices.showAlone(standby, notice);
    });
  };
  const pass = (data: unknown): void => {
    if (isMessage(data)) {
      if (data.type === 'snapshot') {
        page ??= create(root, host, notices);
        // Before the page draws, because it measures its parts.
        standby.remove();
        isShown = true;
        notices.clear();
      } else {
        page?.release?.();
        if (isShown) notices.show(data);
        else explain(data);
        return;
      }
    }
    if (!page) {
      early.push(data);
      return;
    }
    for (const message of early.splice(0)) receive(message, page.handlers);
    receive(data, page.handlers);
  };

  replacePage(wait);
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    try {
      pass(data);
    } catch (error) {
      console.error(error);
      explain({
        type: 'notice',
        message: t("Couldn't show this page. Try again, or report the issue."),
        severity: 'error',
      });
    }
  });
  host.post({ type: 'ready' });
}

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'type' in data && (data.type === 'snapshot' || data.type === 'notice');
