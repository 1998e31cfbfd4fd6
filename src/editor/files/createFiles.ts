import { randomUUID } from 'node:crypto';
import { env, Uri, workspace } from 'vscode';
import { dialPlanOf } from '../../model/calls/linePlan.ts';
import { after } from '../basics/wallClock.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { Host } from '../host/createHost.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { RunHistory } from '../testing/runHistory.ts';
import { registerAssistance } from './assistance/assistProviders.ts';
import { registerCodeActions } from './findings/codeActions.ts';
import { FileDiagnostics } from './findings/fileDiagnostics.ts';
import type { Environments } from '../folders/environments.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import { FileLenses } from './lenses/fileLenses.ts';
import { LastRuns } from './lenses/lastRuns.ts';
import { registerNavigation } from './navigation/navigationProviders.ts';
import type { TemplateName } from './newFile.ts';
import { CriterionReadings } from './reading/criterionReadings.ts';
import type { DialPlan } from './reading/phoneNumbers.ts';

interface FilesParts extends Basics, Pick<Host, 'connection' | 'practice'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly history: RunHistory;
  readonly index: WorkspaceIndex;
  readonly environments: Environments;
}

export interface Files {
  readonly diagnostics: FileDiagnostics;
  readonly template: (name: TemplateName) => Promise<string>;
}

/** Builds the support for Dialtree's files. Reads nothing until one of them is opened. */
export function createFiles(
  { context, client, connection, history, index, environments, practice, settings, clock, log, formats }: FilesParts,
  held: DisposableStore,
): Files {
  const isReady = (): boolean => connection.state.kind === 'ready';
  // A remote service has its own dial plan.
  const routes = (): DialPlan | undefined =>
    connection.mode === 'remote' ? undefined : dialPlanOf(settings().routes, settings().lines);
  const lastRuns = held.add(new LastRuns({ history, client, isReady }));
  const criteria = held.add(new CriterionReadings({ client, isReady }));
  const diagnostics = held.add(new FileDiagnostics({ index, routes, newId: randomUUID, criteria, clock, log }));
  const template = async (name: TemplateName): Promise<string> =>
    new TextDecoder().decode(
      await workspace.fs.readFile(Uri.joinPath(context.extensionUri, 'media', 'templates', `${name}.jsonc`)),
    );
  // Runs right after activation, which it would make half as long again.
  const stopWaiting = after(clock, 0, () => {
    environments.watch();
    registerNavigation(held);
    registerAssistance({ index, routes, lastRuns, template, language: env.language }, held);
    registerCodeActions(diagnostics, () => template('ivr'), held);
    held.add(new FileLenses({ lastRuns, history, practice, clock, formats }));
  });
  held.add({ dispose: stopWaiting });
  held.add(environments.onDidChange(() => diagnostics.checkAll()));
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('dialtree')) diagnostics.checkAll();
    }),
  );
  held.add(
    connection.onDidChangeState(({ kind }) => {
      if (kind !== 'ready') return;
      criteria.forget();
      diagnostics.checkAll();
    }),
  );
  return { diagnostics, template };
}
