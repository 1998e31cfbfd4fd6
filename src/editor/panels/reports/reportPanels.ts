import { l10n } from 'vscode';
import type { Uri } from 'vscode';
import * as z from 'zod';
import { WebviewPanels } from '../webview/webviewPanels.ts';
import { ReportPanel } from './reportPanel.ts';
import type { ReportPanelParts } from './reportPanel.ts';

const reportPanelType = 'dialtree.report';

/** The page's state, for a restored window. */
const storedSchema = z.object({ runId: z.uuid() });

/** The reports of this window, up to one per run. */
export const createReportPanels = (extensionUri: Uri, parts: ReportPanelParts): WebviewPanels<'report', ReportPanel> =>
  new WebviewPanels(extensionUri, {
    type: reportPanelType,
    page: 'report',
    title: l10n.t('Run Report'),
    create: (host, runId) => new ReportPanel(host, runId, parts),
    restore: (_panel, state) => storedSchema.safeParse(state).data?.runId,
  });
