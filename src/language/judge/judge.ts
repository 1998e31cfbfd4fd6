import { join, sentence, type Parts, type Sentences } from '../../base/sentences.ts';
import type { Check } from '../../contract/checks.ts';
import type { MissionTestRun, Verdict } from '../../contract/testRuns.ts';
import { describeCheck } from '../../model/checks/describeCheck.ts';
import { needsModel } from '../../model/report/runBlocks.ts';
import { SecretMask } from '../../model/secrets/secretMask.ts';
import { readAcceptance } from '../checks/acceptance.ts';
import { evaluate, worstOf, type CheckResult } from '../checks/evaluate.ts';
import { hearCall, type CallFacts, type HeardCall } from '../checks/heardCall.ts';
import { distinct, type Evidence } from '../heard/quotes.ts';
import type { LanguageModel } from '../model/languageModel.ts';
import type { ModelBudget } from '../model/modelBudget.ts';
import { ModelError } from '../model/modelError.ts';
import { withoutAddressed } from './addressed.ts';
import { callCompliance } from './callCompliance.ts';
import { modelVote, type Vote } from './modelVote.ts';
import { judgePromptVersion } from './prompts.ts';

type CheckRow = NonNullable<MissionTestRun['checks']>[number];

interface Judgement extends Reasoned {
  /** `error`: there is no judgement, and `judgeReasoning` says why. */
  readonly verdict: Verdict;
  /** Quotes that occur in the transcript. Times are in milliseconds of the call's audio, interpolated within a turn. */
  readonly passEvidence: readonly Evidence[];
  /** One for each check of the mission, in its order. */
  readonly checks: readonly CheckRow[];
  readonly compliance: NonNullable<MissionTestRun['compliance']>;
  /** The votes disagreed. */
  readonly unstable?: boolean;
  /** `rules` (checks), or the model's name and the version of the prompt. */
  readonly judgedBy: string;
}

interface Reasoned {
  readonly judgeReasoning: string;
  readonly judgeReasoningParts: Parts;
  /** Only with a pass. */
  readonly passReasoning?: string;
  readonly passReasoningParts?: Parts;
}

export const reasoned = (why: Sentences, isPass = false): Reasoned => ({
  judgeReasoning: String(why),
  judgeReasoningParts: why.parts,
  ...(isPass && { passReasoning: String(why), passReasoningParts: why.parts }),
});

/** What a mission wants, as its author wrote it. */
export interface JudgedMission {
  /** Empty: only the checks decide. */
  readonly acceptance: string;
  readonly checks?: readonly Check[] | undefined;
  readonly mission?: string | undefined;
}

export interface JudgeOptions {
  /** Without a model, only checks decide. */
  readonly model?: LanguageModel;
  /** 1 to 9. The majority decides. */
  readonly votes?: number;
  /** Text that is neither sent to the model nor repeated in the judgement. */
  readonly secrets?: readonly string[];
  readonly budget?: ModelBudget;
  /** Per vote. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A verdict before it is masked. */
interface Open {
  readonly verdict: Verdict;
  readonly why: Sentences;
  readonly evidence: readonly Evidence[];
  readonly unstable?: boolean;
  readonly judgedBy?: string;
}

/**
 * Decides whether a call does what a mission wants: its checks, and its acceptance criterion. A model's pass needs words
 * that the callee really said and that bear on the criterion, and must not contradict what checks can read of it. If the
 * model fails, the verdict is `error`. @throws the signal's reason if it was aborted
 */
export async function judge(facts: CallFacts, wanted: JudgedMission, options: JudgeOptions = {}): Promise<Judgement> {
  options.signal?.throwIfAborted();
  const mask = new SecretMask(options.secrets ?? []);
  const call = hearCall(facts);
  const { checks = [] } = wanted;
  const results = evaluate(checks, call);
  const { verdict, why, evidence, unstable, judgedBy = 'rules' } = await decide(call, results, wanted, mask, options);
  const masked = (text: Sentences): Sentences => text.with((value) => mask.text(value));
  const shown = (some: readonly Evidence[]): Evidence[] => some.map((one) => ({ ...one, quote: mask.text(one.quote) }));
  return {
    verdict,
    ...reasoned(masked(why), verdict === 'pass'),
    passEvidence: shown(evidence),
    checks: checks.flatMap((check, index): CheckRow[] => {
      const result = results[index];
      if (!result) return [];
      const reason = masked(result.why);
      const sentences = masked(check.name === undefined ? describeCheck(check) : sentence`${check.name}`);
      return [
        {
          check: String(sentences),
          checkParts: sentences.parts,
          verdict: result.verdict,
          reason: String(reason),
          reasonParts: reason.parts,
          ...(result.evidence[0] && { evidence: shown(result.evidence)[0] }),
        },
      ];
    }),
    compliance: callCompliance(call),
    ...(unstable === true && { unstable }),
    judgedBy,
  };
}

async function decide(
  call: HeardCall,
  results: readonly CheckResult[],
  wanted: JudgedMission,
  mask: SecretMask,
  options: JudgeOptions,
): Promise<Open> {
  const { checks = [], acceptance } = wanted;
  const isDecided = worstOf(results.map(({ verdict }) => verdict)) !== 'inconclusive';
  if (!isDecided && !call.turns.some(({ speaker, text }) => speaker === 'them' && /[\p{L}\p{N}]/u.test(text)))
    return {
      verdict: 'inconclusive',
      why: sentence`Dialtree heard no words of the called side, so there is nothing to judge.`,
      evidence: [],
    };
  const written = readAcceptance(acceptance);
  const read = evaluate(written.checks, call);
  const own = summary([...checks, ...written.checks], [...results, ...read]);
  if (!options.model) return withoutModel(own, checks.length > 0, written.unread);
  // Checks that failed need no opinion.
  if (acceptance === '' || worstOf(results.map(({ verdict }) => verdict)) === 'fail') return own;
  const byModel = await askModel(call, wanted, summary(written.checks, read), mask, options);
  if (checks.length === 0 || byModel.verdict === 'error') return byModel;
  const byChecks = summary(checks, results);
  const verdict = worstOf([byChecks.verdict, byModel.verdict]);
  return {
    ...byModel,
    verdict,
    why: verdict === byModel.verdict ? byModel.why : byChecks.why,
    evidence: distinct([...byChecks.evidence, ...byModel.evidence]),
  };
}

type Summary = Open & { readonly verdict: CheckResult['verdict'] };

/** The worst verdict of several checks, with what decides it. */
function summary(checks: readonly Check[], results: readonly CheckResult[]): Summary {
  const verdict = worstOf(results.map((one) => one.verdict));
  const telling = checks.flatMap((check, index) => {
    const result = results[index];
    return result?.verdict === verdict ? [{ name: check.name ?? String(describeCheck(check)), ...result }] : [];
  });
  const heading = { pass: sentence`Met.`, fail: sentence`Not met.`, inconclusive: undefined }[verdict];
  return {
    verdict,
    why: join(heading, ...telling.flatMap(({ name, why }) => [sentence`“${bare(name)}”:`, why])),
    evidence: distinct(telling.flatMap(({ evidence }) => evidence)),
  };
}

const bare = (text: string): string => text.replace(/[“”"]/g, "'").slice(0, 200);

/** Checks decide. Without any, what they can't read of the criterion leaves the verdict open. */
function withoutModel(own: Summary, hasChecks: boolean, unread: readonly string[]): Open {
  if (unread.length === 0 || own.verdict === 'fail') return own;
  const open = unread.map((part) => sentence`Rules can't check “${bare(part)}”.`);
  if (hasChecks) return { ...own, why: join(own.why, ...open, sentence`The checks decide.`) };
  const why = own.why.parts.length > 0 && own.verdict === 'inconclusive' ? own.why : undefined;
  return {
    verdict: 'inconclusive',
    why: join(...open, why, needsModel),
    evidence: own.verdict === 'inconclusive' ? own.evidence : [],
  };
}

/** A criterion that wants something not to happen. */
const absence = /\b(?:not|never|no|none|nobody|nothing|without|cannot|\w+n['’]t|at most|no more than|only)\b/i;

async function askModel(
  call: HeardCall,
  { acceptance, mission }: JudgedMission,
  byRules: Summary,
  mask: SecretMask,
  { model, votes = 1, budget, timeoutMs, signal }: JudgeOptions,
): Promise<Open> {
  if (!model) throw new Error('a judge without a model');
  const heard = withoutAddressed(call.turns);
  const note =
    heard.out.length === 0
      ? undefined
      : heard.out.length === 1
        ? sentence`The called side addressed a sentence to the judge, which Dialtree ignored.`
        : sentence`The called side addressed ${heard.out.length} sentences to the judge, which Dialtree ignored.`;
  const judgedBy = `${model.name}, prompt ${judgePromptVersion}`;
  const isAbsence = absence.test(acceptance);
  const settled = await Promise.allSettled(
    Array.from({ length: votes }, () =>
      modelVote({
        model,
        heard,
        acceptance: mask.text(acceptance),
        mission: mission === undefined ? undefined : mask.text(mission),
        isAbsence,
        isOver: call.ending !== 'cut',
        ...(votes === 1 && { temperature: 0 }),
        budget,
        timeoutMs,
        signal,
      }),
    ),
  );
  signal?.throwIfAborted();
  const cast = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failures = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  const unexpected = failures.find((one) => !(one instanceof ModelError));
  if (unexpected !== undefined)
    throw unexpected instanceof Error ? unexpected : new Error('The judge failed.', { cause: unexpected });
  // A verdict needs at least half of the requested votes.
  if (cast.length * 2 <= votes)
    return {
      verdict: 'error',
      why: sentence`The judge gave no verdict. ${(failures[0] as ModelError).message}`,
      evidence: [],
      judgedBy,
    };
  return { ...count(cast, byRules, isAbsence && heard.out.length > 0, note), judgedBy };
}

function count(cast: readonly Vote[], byRules: Summary, leftOutMatters: boolean, note: Sentences | undefined): Open {
  const kinds = (['pass', 'fail', 'inconclusive'] as const)
    .map((verdict) => ({ verdict, votes: cast.filter((vote) => vote.verdict === verdict) }))
    .sort((a, b) => b.votes.length - a.votes.length);
  const [most] = kinds;
  const unstable = kinds.filter(({ votes }) => votes.length > 0).length > 1;
  const figures = kinds
    .filter(({ votes }) => votes.length > 0)
    .map(({ verdict, votes }) => `${votes.length} ${verdict}`)
    .join(', ');
  const stability = { ...(unstable && { unstable }) };
  if (!most || most.votes.length * 2 <= cast.length)
    return {
      verdict: 'inconclusive',
      why: join(sentence`No verdict got a majority of the judge's votes (${figures}).`, note),
      evidence: [],
      ...stability,
    };
  const disagreed = unstable ? sentence`The judge's votes disagreed (${figures}).` : undefined;
  const reasoning = join(most.votes[0]?.reasoning, disagreed, note);
  const evidence = distinct(most.votes.flatMap((vote) => vote.evidence));
  const contradicts =
    (most.verdict === 'pass' && byRules.verdict === 'fail') || (most.verdict === 'fail' && byRules.verdict === 'pass');
  if (most.verdict === 'pass' && leftOutMatters)
    return {
      verdict: 'inconclusive',
      why: join(
        sentence`The judge answered pass, but words that seem to address a judge were left out, and they may contain what must not be said.`,
        judgeSaid,
        reasoning,
      ),
      evidence: [],
      ...stability,
    };
  if (contradicts)
    return {
      verdict: 'inconclusive',
      why: join(
        sentence`The judge answered ${most.verdict}, but the words of the call say otherwise.`,
        byRules.why,
        judgeSaid,
        reasoning,
      ),
      evidence: [],
      ...stability,
    };
  return {
    verdict: most.verdict,
    why: reasoning,
    evidence,
    ...stability,
  };
}

const judgeSaid = sentence`The judge:`;
