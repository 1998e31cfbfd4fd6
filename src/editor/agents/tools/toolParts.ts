import type { L10n } from '../../basics/localise.ts';
import type { TestSource } from '../../folders/testSource.ts';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { WorkspaceFeed } from '../../store/workspaceFeed.ts';
import type { TestRunner } from '../../testing/running/testRunner.ts';
import type { CallGate } from '../callGate.ts';

export interface ToolParts {
  /** Uses the key of agents. */
  readonly client: Pick<ServiceClient, 'call'>;
  readonly gate: Pick<CallGate, 'pass'>;
  readonly feed: Pick<WorkspaceFeed, 'follow'>;
  readonly l10n: L10n;
  /** Runs tests of files with the key of agents, through the gate. */
  readonly runner: Pick<TestRunner, 'run'>;
  /** Returns a test file of the workspace. @throws HumanError if the path leads elsewhere */
  readonly testFile: (path: string) => TestSource;
  readonly practice: {
    readonly running: readonly PracticeIvr[];
    /** Plays a sample by name, or a file of the workspace. @throws HumanError if it can't be played */
    play(wanted: { readonly sample: string } | { readonly file: string }): Promise<PracticeIvr>;
  };
}
