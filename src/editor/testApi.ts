import type { Agents } from './agents/createAgents.ts';
import type { Files } from './files/createFiles.ts';
import type { ApiKeys } from './host/apiKeys.ts';
import type { Connection } from './host/connection.ts';
import type { EmbeddedService } from './host/embeddedService.ts';
import type { LinePasswords } from './host/linePasswords.ts';
import type { PracticeIvrs } from './host/practice.ts';
import type { LineList } from './lines/lineList.ts';
import type { HandPanel } from './panels/hand/handPanel.ts';
import type { LoadPanel } from './panels/reports/loadPanel.ts';
import type { ReportPanel } from './panels/reports/reportPanel.ts';
import type { TreePanels } from './panels/trees/treePanels.ts';
import type { WebviewPanels } from './panels/webview/webviewPanels.ts';
import type { MappingStore } from './store/mappingStore.ts';
import type { TestExplorer } from './testing/explorer/testExplorer.ts';
import type { MappingsView } from './views/mappingsView.ts';
import type { RunsList } from './views/runsList.ts';
import type { RunsView } from './views/runsView.ts';

/** What `activate` returns to the suites that run in the editor, and to no other caller. */
export interface DialtreeTestApi {
  readonly store: MappingStore;
  readonly connection: Connection;
  readonly keys: ApiKeys;
  readonly embedded: EmbeddedService;
  readonly practice: PracticeIvrs;
  readonly lines: LineList;
  readonly linePasswords: LinePasswords;
  readonly panels: TreePanels;
  readonly view: MappingsView;
  readonly explorer: TestExplorer;
  readonly files: Files;
  readonly runs: RunsList;
  readonly runsView: RunsView;
  readonly reports: WebviewPanels<'report', ReportPanel>;
  readonly loads: WebviewPanels<'load', LoadPanel>;
  readonly hands: WebviewPanels<'hand', HandPanel>;
  readonly agents: Agents;
  readonly activationMs: number;
}
