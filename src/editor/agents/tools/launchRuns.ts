import type { PlanCalls } from '../../../contract/callPlan.ts';
import type { RunResults } from '../../../contract/testRuns.ts';
import { followRun } from '../../../runner/runTest.ts';
import type { ToolUse } from './agentTool.ts';
import type { Answer } from './answer.ts';
import { runsAnswer, turnText } from './runText.ts';
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
    for (const [at, { status }] of followed.entries())
      if (status === 'rejected') await client.call('cancelTestRun', { runId: launched[at]?.id ?? '' });
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
