import type { Agents } from '../agents/createAgents.ts';
import type { EditorModels } from '../agents/models/createEditorModels.ts';
import type { NewMapping } from '../basics/commandArguments.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { Consent } from '../calls/consent.ts';
import type { MappingActions } from '../calls/mappingActions.ts';
import type { Files } from '../files/createFiles.ts';
import type { Environments } from '../folders/environments.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import type { Host } from '../host/createHost.ts';
import type { ClientFactory, ServiceClient } from '../host/serviceClient.ts';
import type { IssueFacts } from '../issue/issueReport.ts';
import type { LineList } from '../lines/lineList.ts';
import type { Panels } from '../panels/createPanels.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { Testing } from '../testing/createTesting.ts';
import type { OutlineDocuments } from '../trees/outlineDocuments.ts';
import type { TreeFiles } from '../trees/treeFiles.ts';
import type { Views } from '../views/createViews.ts';
import type { Workbench } from './workbench.ts';

export type MappingTarget = Pick<NewMapping, 'target' | 'name'>;

export interface TargetQuestion {
  readonly title: string;
  readonly placeHolder?: string;
  /** Also offers the numbers that the workspace's tests call. */
  readonly tests?: boolean;
}

/** Everything that commands use. The container builds one for the window. */
export interface Editor extends Basics, Host, Panels, Views, Testing {
  readonly client: ServiceClient;
  readonly createClient: ClientFactory;
  readonly store: MappingStore;
  readonly index: WorkspaceIndex;
  readonly environments: Environments;
  readonly actions: MappingActions;
  readonly consent: Consent;
  readonly editorModels: EditorModels;
  readonly lines: LineList;
  readonly files: Files;
  readonly treeFiles: TreeFiles;
  readonly outlines: OutlineDocuments;
  readonly agents: Agents;
  readonly workbench: Workbench;
  readonly isTrusted: () => boolean;
  /** Asks what to call. */
  readonly pickTarget: (question: TargetQuestion) => Promise<MappingTarget | undefined>;
  /** Asks for the profile of something new. */
  readonly askHowToCall: () => Promise<{ readonly profileId?: string } | undefined>;
  /** What a report of this window contains. */
  readonly issueFacts: () => Promise<IssueFacts>;
}
