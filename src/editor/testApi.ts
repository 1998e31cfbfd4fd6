import type { ApiKeys } from './host/apiKeys.ts';
import type { Connection } from './host/connection.ts';
import type { EmbeddedService } from './host/embeddedService.ts';
import type { PracticeIvrs } from './host/practice.ts';
import type { ReportPanels } from './panels/reportPanels.ts';
import type { TreePanels } from './panels/treePanels.ts';
import type { MappingStore } from './store/mappingStore.ts';
import type { TestExplorer } from './testing/testExplorer.ts';
import type { MappingsView } from './views/mappingsView.ts';
import type { RunsList } from './views/runsList.ts';
import type { RunsView } from './views/runsView.ts';

/** What `activate` gives to the suites that run in the editor, and to nobody else. */
export interface DialtreeTestApi {
  readonly store: MappingStore;
  readonly connection: Connection;
  readonly keys: ApiKeys;
  readonly embedded: EmbeddedService;
  readonly practice: PracticeIvrs;
  readonly panels: TreePanels;
  readonly view: MappingsView;
  readonly explorer: TestExplorer;
  readonly runs: RunsList;
  readonly runsView: RunsView;
  readonly reports: ReportPanels;
  /** How long `activate` took, in milliseconds. */
  readonly activationMs: number;
}
