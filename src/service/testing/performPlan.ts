import { because, join, reasonOf, sentence, Sentences, sentencesOf } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { excused } from '../../engine/hearing/lateness.ts';
import { runMission } from '../../engine/mission/mission.ts';
import type { MissionEnd } from '../../engine/mission/mission.ts';
import { runProbe } from '../../engine/probe/probe.ts';
import { runScript } from '../../engine/script/script.ts';
import type { TestCallOptions } from '../../engine/call/testCall.ts';
import { factsOf, type CallFacts } from '../../language/checks/heardCall.ts';
import { judge, reasoned } from '../../language/judge/judge.ts';
import type { JudgeOptions, JudgedMission } from '../../language/judge/judge.ts';
import type { Meaning } from '../../language/meaning/meaning.ts';
import { decideTurn } from '../../language/mission/decideTurn.ts';
import { ModelBudget } from '../../language/model/modelBudget.ts';
import { verdictOutcomes } from '../../model/checks/outcomes.ts';
import { maskMission, secretsOf } from '../../model/secrets/missionSecrets.ts';
import { reasonOfVerdict, type MissionPlan, type MissionResult } from '../store/storedPlan.ts';
import type { PerformPlan, PlanEnd, PlanEvent, PlanOptions } from './testPlan.ts';

/** What the language model may use for one mission, deciding and judging together. */
const runBudget = { tokens: 300_000, milliseconds: 600_000 };

export const createPerformer =
  (now = () => new Date(), meaning?: Meaning): PerformPlan =>
  (plan, { model, guide, ...options }) => {
    if (plan.type === 'mission') return performMission(plan, options, withoutUndefined({ model, meaning }));
    if (plan.type === 'probe')
      return runProbe({
        ...options,
        probe: plan.probe,
        now,
        ...(plan.phoneNumber !== undefined && { phoneNumber: plan.phoneNumber }),
      });
    const { steps, row } = plan;
    return runScript({ ...options, steps, guide, ...(row && { row }) });
  };

async function* performMission(
  plan: MissionPlan,
  options: TestCallOptions,
  { model, meaning }: Pick<PlanOptions, 'model'> & { readonly meaning?: Meaning },
): AsyncGenerator<PlanEvent> {
  const { mission, acceptance, checks, maxTurns, maxSeconds } = plan;
  const using = { budget: new ModelBudget(runBudget), ...(model && { model }) };
  const events = runMission({
    ...options,
    secrets: secretsOf(mission),
    purpose: mission,
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    decide: (situation, signal) =>
      decideTurn({ mission, acceptance, checks, ...situation }, { ...using, meaning, signal }),
  });
  for await (const event of events) {
    if (event.type === 'ended')
      yield { type: 'ended', ended: await withVerdict(event.ended, plan, { ...using, signal: options.signal }) };
    else yield event;
  }
}

async function withVerdict(
  { turnLatencyMs, gaveUp, excuse, ...ended }: MissionEnd,
  plan: MissionPlan,
  using: Pick<JudgeOptions, 'model' | 'budget'> & { readonly signal: AbortSignal },
): Promise<PlanEnd> {
  const call = { ...(turnLatencyMs && { turnLatencyMs }), ...(gaveUp && { gaveUp }) };
  // The call wasn't answered, so there is nothing to judge.
  if (ended.outcome !== 'INCONCLUSIVE')
    return {
      ...ended,
      mission: {
        verdict: ended.outcome === 'FAIL' ? 'fail' : 'error',
        ...reasoned(reasonOf(ended) ?? join()),
        ...call,
      },
    };
  const { signal } = using;
  // The call is over and was paid for, so it is stored even if the verdict isn't awaited or the judge fails.
  const verdict = await judgeCall(
    { ...factsOf({ ...ended, gaveUp, transcript: [...ended.transcript] }), excuse },
    plan,
    using,
  ).catch((error: unknown) =>
    (signal.aborted
      ? sentencesOf(signal.reason)
      : sentence`The judge failed: ${error instanceof Error ? error.message : String(error)}`
    ).with((value) => maskMission(plan.mission, value)),
  );
  if (verdict instanceof Sentences)
    return {
      ...ended,
      outcome: 'ERROR',
      ...because(verdict),
      mission: { verdict: 'error', ...reasoned(verdict), ...call },
    };
  const outcome = verdictOutcomes[verdict.verdict ?? 'error'];
  const judged = excused({ outcome, ...because(reasonOfVerdict(verdict) ?? join()) }, excuse);
  const reason = join(reasonOf(ended), outcome === 'PASS' ? undefined : excuse);
  return {
    ...ended,
    outcome: judged.outcome,
    ...(reason.parts.length > 0 && because(reason)),
    mission: {
      ...verdict,
      ...(judged.outcome !== outcome && { verdict: 'inconclusive', ...reasoned(reasonOf(judged) ?? join()) }),
      ...call,
    },
  };
}

/**
 * Returns the judge's result for a call, as it is stored: for a call that has just ended, and for a second judgement.
 * @throws the signal's reason if it was aborted
 */
export async function judgeCall(
  facts: CallFacts,
  { votes, ...wanted }: JudgedMission & Pick<MissionPlan, 'votes'>,
  { budget = new ModelBudget(runBudget), ...using }: Pick<JudgeOptions, 'model' | 'budget' | 'signal'>,
): Promise<MissionResult> {
  const { mission } = wanted;
  const { passEvidence, unstable, checks, compliance, ...judged } = await judge(facts, wanted, {
    ...using,
    budget,
    ...(mission !== undefined && { secrets: secretsOf(mission) }),
    ...(votes !== undefined && { votes }),
  });
  return {
    ...judged,
    ...(checks.length > 0 && { checks: [...checks] }),
    ...(compliance.length > 0 && { compliance: [...compliance] }),
    ...(passEvidence.length > 0 && { passEvidence: [...passEvidence] }),
    ...(unstable === true && { unstable }),
  };
}
