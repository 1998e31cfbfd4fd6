import { join, sentence, type Parts, type Sentences } from '../../base/sentences.ts';
import type { Turn, Verdict } from '../../contract/testRuns.ts';
import type { LanguageModel } from '../model/languageModel.ts';
import type { ModelBudget } from '../model/modelBudget.ts';
import { ModelError } from '../model/modelError.ts';
import { SecretMask } from '../../model/secrets/secretMask.ts';
import { withoutAddressed } from './addressed.ts';
import { judgeByRules, type RuleJudgement } from './judgeByRules.ts';
import { distinct, modelVote, type Vote } from './modelVote.ts';
import { judgePromptVersion } from './prompts.ts';
import type { Evidence } from '../heard/quotes.ts';

interface Judgement extends Reasoned {
  /** `error`: there is no judgement, and `judgeReasoning` says why. */
  readonly verdict: Verdict;
  /** Quotes that occur in the transcript. Times are in milliseconds of the call's audio, interpolated within a turn. */
  readonly passEvidence: readonly Evidence[];
  /** The votes disagreed. */
  readonly unstable?: boolean;
  /** `rules`, or the model's name and the version of the prompt. */
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

type OpenJudgement = Omit<Judgement, keyof Reasoned> & { readonly why: Sentences };

export interface JudgeOptions {
  /** Without a model, the rules judge. */
  readonly model?: LanguageModel;
  /** 1 to 9. The majority decides. */
  readonly votes?: number;
  readonly mission?: string;
  /** The caller left the call, so what hadn't happened by then isn't a failure. */
  readonly gaveUp?: boolean;
  /** Text that is neither sent to the model nor repeated in the judgement. */
  readonly secrets?: readonly string[];
  readonly budget?: ModelBudget;
  /** Per vote. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const maxVotes = 9;

/**
 * Decides whether a call meets its acceptance criterion. A model's pass needs words that the callee really said, and
 * must not contradict what the rules can check. If the model fails, the verdict is `error`. @throws the signal's reason
 * if it was aborted
 */
export async function judge(
  transcript: readonly Turn[],
  acceptance: string,
  options: JudgeOptions = {},
): Promise<Judgement> {
  options.signal?.throwIfAborted();
  const mask = new SecretMask(options.secrets ?? []);
  const { why, passEvidence, ...judgement } = await judgeOpenly(transcript, acceptance, mask, options);
  return {
    ...judgement,
    ...reasoned(
      why.with((value) => mask.text(value)),
      judgement.verdict === 'pass',
    ),
    passEvidence: passEvidence.map((evidence) => ({ ...evidence, quote: mask.text(evidence.quote) })),
  };
}

async function judgeOpenly(
  transcript: readonly Turn[],
  acceptance: string,
  mask: SecretMask,
  options: JudgeOptions,
): Promise<OpenJudgement> {
  const heard = withoutAddressed(transcript);
  const note =
    heard.out.length === 0
      ? undefined
      : heard.out.length === 1
        ? sentence`The called side addressed a sentence to the judge, which Dialtree ignored.`
        : sentence`The called side addressed ${heard.out.length} sentences to the judge, which Dialtree ignored.`;
  const byRules = judgeByRules(transcript, acceptance, { gaveUp: options.gaveUp ?? false });
  const { model } = options;
  if (!model || byRules.nothingHeard) return ofRules(byRules, note);
  const judgedBy = `${model.name}, prompt ${judgePromptVersion}`;
  const votes = Math.min(maxVotes, Math.max(1, Math.trunc(options.votes ?? 1)));
  const { budget, timeoutMs, signal } = options;
  const results = await Promise.allSettled(
    Array.from({ length: votes }, () =>
      modelVote({
        model,
        heard,
        acceptance: mask.text(acceptance),
        mission: options.mission === undefined ? undefined : mask.text(options.mission),
        absenceTells: byRules.absenceTells === true,
        ...(votes === 1 && { temperature: 0 }),
        budget,
        timeoutMs,
        signal,
      }),
    ),
  );
  signal?.throwIfAborted();
  const cast = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  const unexpected = failures.find((failure) => !(failure instanceof ModelError));
  if (unexpected !== undefined)
    throw unexpected instanceof Error ? unexpected : new Error('The judge failed.', { cause: unexpected });
  // A verdict needs at least half of the requested votes.
  if (cast.length * 2 <= votes)
    return {
      verdict: 'error',
      why: sentence`The judge gave no verdict. ${(failures[0] as ModelError).message}`,
      passEvidence: [],
      judgedBy,
    };
  return { ...decide(cast, byRules, note), judgedBy };
}

type Note = Sentences | undefined;
const ofRules = ({ verdict, reasoning, evidence }: RuleJudgement, note: Note): OpenJudgement => ({
  verdict,
  why: join(reasoning, note),
  passEvidence: evidence,
  judgedBy: 'rules',
});

function decide(cast: readonly Vote[], byRules: RuleJudgement, note: Note): Omit<OpenJudgement, 'judgedBy'> {
  const kinds = (['pass', 'fail', 'inconclusive'] as const)
    .map((verdict) => ({ verdict, votes: cast.filter((vote) => vote.verdict === verdict) }))
    .sort((a, b) => b.votes.length - a.votes.length);
  const [most] = kinds;
  const unstable = kinds.filter(({ votes }) => votes.length > 0).length > 1;
  const count = kinds
    .filter(({ votes }) => votes.length > 0)
    .map(({ verdict, votes }) => `${votes.length} ${verdict}`)
    .join(', ');
  const stability = { ...(unstable && { unstable }) };
  if (!most || most.votes.length * 2 <= cast.length)
    return {
      verdict: 'inconclusive',
      why: join(sentence`No verdict got a majority of the judge's votes (${count}).`, note),
      passEvidence: [],
      ...stability,
    };
  const disagreed = unstable ? sentence`The judge's votes disagreed (${count}).` : undefined;
  const reasoning = join(most.votes[0]?.reasoning, disagreed, note);
  const evidence = distinct(most.votes.flatMap((vote) => vote.evidence));
  const contradicts =
    (most.verdict === 'pass' && byRules.verdict === 'fail') || (most.verdict === 'fail' && byRules.verdict === 'pass');
  if (most.verdict === 'pass' && byRules.leftOutMatters)
    return {
      verdict: 'inconclusive',
      why: join(
        sentence`The judge answered pass, but words that seem to address a judge were left out, and they may contain what must not be said.`,
        judgeSaid,
        reasoning,
      ),
      passEvidence: [],
      ...stability,
    };
  if (contradicts)
    return {
      verdict: 'inconclusive',
      why: join(
        sentence`The judge answered ${most.verdict}, but the words of the call say otherwise.`,
        byRules.reasoning,
        judgeSaid,
        reasoning,
      ),
      passEvidence: [],
      ...stability,
    };
  return {
    verdict: most.verdict,
    why: reasoning,
    passEvidence: evidence,
    ...stability,
  };
}

const judgeSaid = sentence`The judge:`;
