import { randomUUID } from 'node:crypto';
import { l10n, Uri, workspace } from 'vscode';
import type { ExtensionContext } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { Clock } from '../clock.ts';
import type { PracticeIvrs } from '../host/practice.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { DisposableStore } from '../lifetime.ts';
import type { Logger } from '../logger.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { besideUri } from './besideUri.ts';
import type { DrawnCoverage } from './drawnCoverage.ts';
import { RunHistory } from './runHistory.ts';
import { SavedConflict } from './savedConflict.ts';
import { SavedTests } from './savedTests.ts';
import { TestExplorer } from './testExplorer.ts';
import { TestIds } from './testIds.ts';
import { TestNames } from './testNames.ts';
import { TestRunner } from './testRunner.ts';
import type { TestRunnerParts } from './testRunner.ts';

export interface TestingParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: WorkspaceFeed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly context: Pick<ExtensionContext, 'globalState' | 'workspaceState'>;
  readonly practice: Pick<PracticeIvrs, 'start'>;
  readonly withConsent: TestRunnerParts['withConsent'];
  readonly planWords: NonNullable<TestRunnerParts['planWords']>;
  /** The service in use can call the practice IVRs of this machine. */
  readonly callsFromHere: () => boolean;
  /** Whether a path is that of a sample which the person runs without a workspace. */
  readonly isSample: (path: string) => boolean;
  readonly covered: DrawnCoverage;
}

export interface Testing {
  readonly names: TestNames;
  readonly explorer: TestExplorer;
  readonly history: RunHistory;
  /** Names of the person's tests that go on. */
  readonly going: () => readonly string[];
  /** One that asks the service with another key than the person's. */
  readonly runnerWith: (parts: Pick<TestRunnerParts, 'client' | 'withConsent' | 'planWords'>) => TestRunner;
}

/** Builds what finds and runs the tests of the workspace. */
export function createTesting(
  {
    client,
    feed,
    clock,
    log,
    context,
    practice,
    withConsent,
    planWords,
    callsFromHere,
    isSample,
    covered,
  }: TestingParts,
  held: DisposableStore,
): Testing {
  const conflict = held.add(new SavedConflict());
  const play = async (besideFile: string, ivr: string): Promise<string> => {
    if (!workspace.isTrusted)
      throw new HumanError(
        l10n.t(
          'In Restricted Mode the practice IVRs of the workspace are not started. Trust the workspace to run this test.',
        ),
        { status: 403, code: 'untrusted' },
      );
    if (!callsFromHere())
      throw new HumanError(
        l10n.t(
          'A practice IVR answers on this machine, where the remote service in use does not call it. Choose the embedded service to run this test.',
        ),
        { status: 400, code: 'practice_remote' },
      );
    return (await practice.start((await besideUri(Uri.parse(besideFile), ivr)).fsPath)).uri;
  };
  // All who run tests share them: the person and the agent may run one file at once.
  const ids = new TestIds(randomUUID);
  const names = new TestNames(client);
  const runnerWith: Testing['runnerWith'] = (parts) =>
    new TestRunner({
      ...parts,
      feed,
      clock,
      log,
      l10n,
      ids,
      play,
      saved: new SavedTests({
        client: parts.client,
        l10n,
        onSaved: ({ id, name }) => {
          names.set(id, name);
        },
        memento: context.globalState,
        mayReplace: (theirs, file) => conflict.mayReplace(theirs, file),
      }),
    });
  const history = new RunHistory(context.workspaceState);
  const runner = runnerWith({ client, withConsent, planWords });
  return {
    names,
    history,
    going: () => [...runner.going.values()],
    explorer: held.add(new TestExplorer({ runner, history, isSample, covered, clock, log })),
    runnerWith,
  };
}
