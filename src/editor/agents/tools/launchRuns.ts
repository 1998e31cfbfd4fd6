import type { PlanCalls } from '../../../contract/callPlan.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { runsAnswer, turnText } from '../../../model/report/runText.ts';
import { followRun } from '../../../runner/runTest.ts';
import type { ToolUse } from './agentTool.ts';
import type { Answer } from './answer.ts';
import type { ToolParts } from './toolParts.ts';

/**
 * Passes the gate, launches runs, follows them to their end and reports their results. Cancelling hangs up, and removes
 * waiting runs.
 */
export async function launchRuns(
  { client, gate, feed }: Pick<ToolParts, 'client' | 'gate' | 'feed'>,
  subject: PlanCalls,
  launch: () => Promise<readonly { readonly id: string }[]>,
  { signal, report }: ToolUse,
): Promise<Answer> {
  await gate.pass(subject, signal);
  signal.throwIfAborted();
  const launched = await launch();
  const followed = await Promise.allSettled(
    launched.map(({ id }) =>
      followRun({ client, follow: feed.follow }, id, (results) => report(progressOf(results)), signal),
    ),
  );
  if (signal.aborted) {
    const open = launched.filter((_run, at) => followed[at]?.status === 'rejected');
    // A run that has gone doesn't keep the others on their calls.
    await Promise.allSettled(open.map(({ id: runId }) => client.call('cancelTestRun', { runId })));
    signal.throwIfAborted();
  }
  return runsAnswer(
    followed.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    }),
  );
}

function progressOf({ phoneNumber, transcript = [], status }: RunResults): string {
  const last = transcript.at(-1);
  return last && status === 'running' ? `${phoneNumber}: ${turnText(last)}` : phoneNumber;
}
