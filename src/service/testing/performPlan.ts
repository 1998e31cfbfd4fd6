import type { RunOutcome, Turn, Verdict } from '../../contract/testRuns.ts';
import { maskMission, runMission, secretsOf } from '../../engine/mission.ts';
import type { MissionEnd } from '../../engine/mission.ts';
import { runProbe } from '../../engine/probe/probe.ts';
import { runScript } from '../../engine/script.ts';
import type { TestCallOptions } from '../../engine/testCall.ts';
import { judge } from '../../language/judge/judge.ts';
import { decideTurn } from '../../language/mission/decideTurn.ts';
import type { LanguageModel } from '../../language/model/languageModel.ts';
import { ModelBudget } from '../../language/model/modelBudget.ts';
import type { MissionPlan, MissionResult, PerformPlan, PlanEnd, PlanEvent } from './callPlan.ts';

/** What the language model may take for one mission, deciding and judging together. */
const runBudget = { tokens: 300_000, milliseconds: 600_000 };

const outcomes: Readonly<Record<Verdict, RunOutcome>> = { pass: 'PASS', fail: 'FAIL', inconclusive: 'INCONCLUSIVE', error: 'ERROR' };

/** Carries plans out on the phone. Without a model, missions go by rules. */
export const createPerformer = (model: LanguageModel | undefined, now = () => new Date()): PerformPlan => (plan, options) => {
  if (plan.type === 'mission') return performMission(plan, options, model);
  if (plan.type === 'probe') return runProbe({ ...options, probe: plan.probe, now, ...(plan.phoneNumber !== undefined && { phoneNumber: plan.phoneNumber }) });
  const { steps, row } = plan;
  return runScript({ ...options, steps, ...(row && { row }) });
};

async function* performMission({ mission, acceptance }: MissionPlan, options: TestCallOptions, model: LanguageModel | undefined): AsyncGenerator<PlanEvent> {
  const budget = new ModelBudget(runBudget);
  const using = { budget, ...(model && { model }) };
  const events = runMission({ ...options, secrets: secretsOf(mission), decide: (situation, signal) => decideTurn({ mission, acceptance, ...situation }, { ...using, signal }) });
  for await (const event of events) {
    if (event.type === 'ended') yield { type: 'ended', ended: await withVerdict(event.ended, maskMission(mission, mission), acceptance, { ...using, signal: options.signal }) };
    else yield event;
  }
}

async function withVerdict({ turnLatencyMs, ...ended }: MissionEnd, mission: string, acceptance: string, options: Omit<NonNullable<Parameters<typeof judge>[2]>, 'mission'>): Promise<PlanEnd> {
  const latency = turnLatencyMs && { turnLatencyMs };
  // Nobody was reached: there is no call to judge.
  if (ended.outcome !== 'INCONCLUSIVE') return { ...ended, mission: { verdict: ended.outcome === 'FAIL' ? 'fail' : 'error', judgeReasoning: ended.reason ?? '', ...latency } };
  const { signal } = options;
  // The call is over, and was paid for: it is kept also where nobody waits for the verdict, or the judge breaks down.
  const verdict = await judgeCall(ended.transcript, acceptance, { ...options, mission }).catch((error: unknown) => (signal?.aborted === true ? String(signal.reason) : `The judge broke down: ${error instanceof Error ? error.message : String(error)}`));
  if (typeof verdict === 'string') return { ...ended, outcome: 'ERROR', reason: verdict, mission: { verdict: 'error', judgeReasoning: verdict, ...latency } };
  return { ...ended, outcome: outcomes[verdict.verdict ?? 'error'], mission: { ...verdict, ...latency } };
}

/** The judge's word on a call, as it is stored. */
export async function judgeCall(transcript: readonly Turn[], acceptance: string, options: Parameters<typeof judge>[2]): Promise<MissionResult> {
  const { verdict, judgeReasoning, passReasoning, passEvidence, unstable } = await judge(transcript, acceptance, options);
  return {
    verdict, judgeReasoning, ...(passReasoning !== undefined && { passReasoning }), ...(passEvidence.length > 0 && { passEvidence: [...passEvidence] }), ...(unstable === true && { unstable }),
  };
}
