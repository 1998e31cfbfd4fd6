import { l10n } from 'vscode';
import type { Uri } from 'vscode';
import { loadPanelStateSchema } from '../../../contract/loadPanel.ts';
import { WebviewPanels } from '../webview/webviewPanels.ts';
import { LoadPanel } from './loadPanel.ts';
import type { LoadPanelParts } from './loadPanel.ts';
import { SeenProgress } from './seenProgress.ts';

const loadPanelType = 'dialtree.load';

/** The load test reports of this window, up to one per test. */
export function createLoadPanels(
  extensionUri: Uri,
  parts: Omit<LoadPanelParts, 'seen'>,
): WebviewPanels<'load', LoadPanel> {
  const seen = new SeenProgress();
  return new WebviewPanels(extensionUri, {
    type: loadPanelType,
    page: 'load',
    title: l10n.t('Load Test'),
    create: (host, loadTestId) => new LoadPanel(host, loadTestId, { ...parts, seen }),
    restore: (_panel, state) => {
      const storedState = loadPanelStateSchema.safeParse(state).data;
      if (storedState?.seen) seen.goOn(storedState.loadTestId, storedState.seen);
      return storedState?.loadTestId;
    },
  });
}
