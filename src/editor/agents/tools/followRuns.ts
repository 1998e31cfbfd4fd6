import type { RunResults } from '../../../contract/testRuns.ts';
import { followRun } from '../../testing/running/followRun.ts';
import type { ToolUse } from './agentTool.ts';
import type { Answer } from './answer.ts';
import { runsAnswer } from './runText.ts';
import type { ToolParts } from './toolParts.ts';

/** Follows runs to their end and reports their results. Cancelling hangs up, and removes waiting runs. */
export async function followRuns(
  { client, feed, clock }: Pick<ToolParts, 'client' | 'feed' | 'clock'>,
  runIds: readonly string[],
  { signal, report }: ToolUse,
): Promise<Answer> {
  const ended = await Promise.all(
    runIds.map(async (runId) =>
      followRun(
        { client, feed, clock },
        runId,
        (results) => {
          report(progressOf(results));
        },
        signal,
      ),
    ),
  );
  if (signal.aborted) {
    await Promise.all(
      ended
        .filter(({ status }) => status === 'running')
        .map(({ id: runId }) => client.call('cancelTestRun', { runId })),
    );
    signal.throwIfAborted();
  }
  return runsAnswer(
    await Promise.all(
      ended.map(async (results) => ({
        results,
        mission:
          results.runType === 'mission' ? await client.call('getMissionTestRun', { runId: results.id }) : undefined,
      })),
    ),
  );
}

function progressOf({ phoneNumber, transcript = [], status }: RunResults): string {
  const last = transcript.at(-1);
  return last && status === 'running'
    ? `${phoneNumber}: ${last.speaker === 'us' ? 'we' : 'they'}: ${last.text}`
    : phoneNumber;
}
