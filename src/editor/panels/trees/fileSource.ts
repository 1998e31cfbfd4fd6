import { calltreeFileSchema } from '../../../contract/calltreeFile.ts';
import type { FromWebview, PanelSnapshot } from '../../../contract/panel.ts';
import { readJsonFile } from '../../../model/files/jsonFile.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import type { DrawnCoverage } from '../../testing/coverage/drawnCoverage.ts';
import type { PageHandlers } from '../webview/webviewHost.ts';
import type { PanelSource, TreePage } from './panelSource.ts';

export interface TreeText extends Pick<PageHandlers<FromWebview>, 'generateTests' | 'openText'> {
  /** The name in messages. */
  readonly file: string;
  read(): string;
  onDidChange(listener: () => void): Disposable;
}

export interface FileSourceParts {
  readonly covered: Pick<DrawnCoverage, 'onDidChange' | 'of' | 'hide'>;
}

/**
 * The tree of a file. It follows changes of the text. If the text isn't a tree, the last tree stays, with a notice above
 * it.
 */
export function fileSource(text: TreeText, { covered }: FileSourceParts, page: TreePage): PanelSource {
  const { file } = text;
  /** For this text; it isn't computed again when a page becomes visible. */
  let coverage: { readonly text: string; readonly shown: PanelSnapshot['coverage'] } | undefined;
  page.held.add(
    covered.onDidChange(() => {
      coverage = undefined;
      page.request();
    }),
  );
  page.held.add(text.onDidChange(page.request));
  return {
    read: () => {
      const current = text.read();
      const read = readJsonFile(current, file, calltreeFileSchema);
      if ('problems' in read) {
        const [first] = read.problems;
        if (first) {
          const { line, column, message } = first;
          page.post({ type: 'notice', message, severity: 'error', place: { line, column } });
        }
        return;
      }
      const { name, phoneNumber, tree } = read.value;
      if (coverage?.text !== current) coverage = { text: current, shown: covered.of(file, read.value) };
      const { shown } = coverage;
      page.show({
        type: 'snapshot',
        name,
        ...(phoneNumber !== undefined && { phoneNumber }),
        runs: [],
        tree: { jobId: file, tree },
        ...(shown && { coverage: shown }),
      });
    },
    handlers: {
      refresh: () => page.push(),
      hideCoverage: () => covered.hide(file),
      generateTests: text.generateTests,
      openText: text.openText,
      // A saved tree has no runs or recordings, so its page doesn't offer these.
      requestAudio: () => undefined,
      openTranscript: () => undefined,
      showRun: () => undefined,
      start: () => undefined,
      raiseLimit: () => undefined,
      cancel: () => undefined,
      callPath: () => undefined,
    },
  };
}
