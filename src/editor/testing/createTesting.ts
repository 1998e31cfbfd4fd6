import { l10n, Uri } from 'vscode';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import type { Consent } from '../calls/consent.ts';
import { startLoad } from '../calls/startLoad.ts';
import { besideUri } from '../folders/besideUri.ts';
import type { Environments } from '../folders/environments.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import type { Host } from '../host/createHost.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { DrawnCoverage } from './coverage/drawnCoverage.ts';
import { registerHeardDocuments } from './explorer/acceptHeard.ts';
import { TestExplorer } from './explorer/testExplorer.ts';
import { RunHistory } from './runHistory.ts';
import type { LoadSize } from './running/runUnderLoad.ts';
import { TestRunner, type TestRunnerParts } from './running/testRunner.ts';

interface TestingParts extends Basics, Pick<Host, 'practice' | 'assertCallsFromHere' | 'copies'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: WorkspaceFeed;
  readonly index: WorkspaceIndex;
  readonly environments: Environments;
  readonly consent: Consent;
  /** Asks on how many calls to carry out a test. Returns undefined if the user cancels. */
  readonly askLoadSize: () => Promise<LoadSize | undefined>;
}

export interface Testing {
  readonly covered: DrawnCoverage;
  readonly explorer: TestExplorer;
  readonly history: RunHistory;
  /** Names of the user's active tests. */
  readonly going: () => readonly string[];
  /** Creates a runner with another key than the user's. */
  readonly runnerWith: (parts: Pick<TestRunnerParts, 'client' | 'withConsent' | 'planWords'>) => TestRunner;
}

export function createTesting(basics: TestingParts, held: DisposableStore): Testing {
  const { client, feed, clock, log, context, practice, consent, assertCallsFromHere, copies, run, index } = basics;
  registerHeardDocuments(held);
  const covered = held.add(new DrawnCoverage());
  const play: TestRunnerParts['play'] = async (besideFile, ivr, tests) => {
    assertCallsFromHere();
    return (await practice.start((await besideUri(Uri.parse(besideFile), ivr)).fsPath, tests)).uri;
  };
  const runnerWith: Testing['runnerWith'] = (parts) =>
    new TestRunner({
      ...parts,
      feed,
      clock,
      log,
      l10n,
      play,
      letGo: (tests) => practice.letGo(tests),
      startLoad: (wanted, notAfter) => {
        const openReport = (runId: string): void => {
          run('dialtree.load.openReport', { runId }).catch((error: unknown) => log.warn(describeCause(error)));
        };
        return startLoad({ ...basics, ...parts, openReport }, wanted, notAfter);
      },
    });
  const history = new RunHistory(context.workspaceState);
  const runner = runnerWith({
    client,
    withConsent: consent.agreed,
    planWords: consent.planWords,
  });
  const isSample = (path: string): boolean => copies.isKept(path);
  const explorer = held.add(
    new TestExplorer({
      index,
      environments: basics.environments,
      runner,
      history,
      isSample,
      covered,
      tellUncovered: (why) =>
        void basics.dialogs.tell(why, { title: l10n.t('Map…'), run: () => run('dialtree.mapping.new') }),
      clock,
      log,
      askLoadSize: basics.askLoadSize,
      callStepByStep: (test, row) => run('dialtree.call.start', { test, row }),
    }),
  );
  return {
    covered,
    history,
    going: () => [...runner.going.values()],
    explorer,
    runnerWith,
  };
}
