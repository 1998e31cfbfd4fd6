import { StatusBarAlignment, window } from 'vscode';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { Host } from '../host/createHost.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { EnvironmentItem, type ShownEnvironments } from './environmentItem.ts';
import { keepFilter, keptFilter } from './keptFilter.ts';
import { MappingsView, mappingsViewId } from './mappingsView.ts';
import { PracticeView } from './practiceView.ts';
import { RowStates } from './rowStates.ts';
import { RunsList } from './runsList.ts';
import { RunsOrder } from './runsOrder.ts';
import { RunsView } from './runsView.ts';
import { StatusBar } from './statusBar.ts';

interface ViewsParts extends Basics, Pick<Host, 'connection' | 'origin' | 'practice'> {
  readonly client: ServiceClient;
  readonly store: MappingStore;
  readonly feed: WorkspaceFeed;
  readonly environments: ShownEnvironments;
}

export interface Views {
  readonly view: MappingsView;
  readonly runs: RunsList;
  readonly order: RunsOrder;
  readonly runsView: RunsView;
  readonly startPractice: PracticeView['start'];
}

export function createViews(parts: ViewsParts, held: DisposableStore): Views {
  const { connection, store, practice, settings, origin, clock, log } = parts;
  const { workspaceState } = parts.context;
  const view = held.add(new MappingsView(store, connection, new RowStates(workspaceState, mappingsViewId), clock, log));
  held.add(new StatusBar(connection, store, () => origin(settings().service)));
  const item = window.createStatusBarItem('dialtree.environment', StatusBarAlignment.Left, -1);
  held.add(new EnvironmentItem(parts.environments, item, parts.l10n));
  const order = new RunsOrder(workspaceState);
  const runs = held.add(new RunsList({ ...parts, order, filter: keptFilter(workspaceState) }));
  held.add(keepFilter(runs, workspaceState));
  const runsView = held.add(new RunsView(runs, order, connection));
  const practiceView = held.add(new PracticeView(practice));
  return { view, runs, order, runsView, startPractice: (file) => practiceView.start(file) };
}
