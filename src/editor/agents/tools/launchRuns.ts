import type { PlanCalls } from '../../../contract/callPlan.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { endingOf, followRun } from '../../testing/running/followRun.ts';
import type { ToolUse } from './agentTool.ts';
import type { Answer } from './answer.ts';
import { runsAnswer, turnText } from './runText.ts';
import type { ToolParts } from './toolParts.ts';

/**
 * Passes the gate, launches runs, follows them to their end and reports their results. Cancelling hangs up, and removes
 * waiting runs.
 */
export async function launchRuns(
  { client, gate, feed, clock }: Pick<ToolParts, 'client' | 'gate' | 'feed' | 'clock'>,
  subject: PlanCalls,
  launch: () => Promise<readonly { readonly id: string }[]>,
  { signal, report }: ToolUse,
): Promise<Answer> {
  await gate.pass(subject, signal);
  signal.throwIfAborted();
  const launched = await launch();
  const ended = await Promise.all(
    launched.map(async ({ id }) =>
      followRun({ client, feed, clock }, id, (results) => report(progressOf(results)), signal),
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
  return runsAnswer(await Promise.all(ended.map((results) => endingOf(client, results))));
}

function progressOf({ phoneNumber, transcript = [], status }: RunResults): string {
  const last = transcript.at(-1);
  return last && status === 'running' ? `${phoneNumber}: ${turnText(last)}` : phoneNumber;
}
