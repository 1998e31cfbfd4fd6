import { l10n } from 'vscode';
import type { Uri } from 'vscode';
import { loadPanelStateSchema } from '../../contract/loadPanel.ts';
import type { ToLoad } from '../../contract/loadPanel.ts';
import { LoadPanel } from './loadPanel.ts';
import type { LoadPanelParts } from './loadPanel.ts';
import { WebviewPanels } from './webviewPanels.ts';

export const loadPanelType = 'dialtree.load';

/** The reports of load tests in this window, at most one a test. */
export const createLoadPanels = (extensionUri: Uri, parts: LoadPanelParts): WebviewPanels<ToLoad, LoadPanel> => new WebviewPanels(extensionUri, {
  type: loadPanelType, page: 'load', title: l10n.t('Load Test'),
  create: (host, loadTestId) => new LoadPanel(host, loadTestId, parts),
  restore: (_panel, state) => loadPanelStateSchema.safeParse(state).data?.loadTestId,
});
