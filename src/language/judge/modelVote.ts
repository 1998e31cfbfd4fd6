import { join, sentence, type Sentences } from '../../base/sentences.ts';
import * as z from 'zod';
import type { Turn, Verdict } from '../../contract/testRuns.ts';
import type { LanguageModel } from '../model/languageModel.ts';
import type { ModelBudget } from '../model/modelBudget.ts';
import { shownLeftOut, type CleanedTranscript } from './addressed.ts';
import {
  bearingSystem,
  criterionTitle,
  judgeSystem,
  quotesTitle,
  leftOutTitle,
  judgedMissionTitle,
  judgedTranscriptTitle,
} from './prompts.ts';
import { distinct, findQuote, type Evidence } from '../heard/quotes.ts';
import { plainWords } from '../../model/heard/heardWords.ts';
import { contentWords, stem } from '../heard/words.ts';

const voteSchema = z
  .object({
    reasoning: z.string().min(1).max(4000),
    verdict: z.enum(['pass', 'fail', 'inconclusive']),
    evidence: z
      .array(
        z
          .object({ turn: z.int().describe('The number in front of the turn'), quote: z.string().min(1).max(1000) })
          .strict(),
      )
      .max(10),
  })
  .strict();

export interface Vote {
  readonly verdict: Exclude<Verdict, 'error'>;
  readonly reasoning: Sentences;
  /** Quotes that really occur. */
  readonly evidence: readonly Evidence[];
}

interface VoteRequest {
  readonly model: LanguageModel;
  readonly heard: CleanedTranscript;
  readonly acceptance: string;
  readonly mission: string | undefined;
  /** The criterion wants something not to happen, which no quote can show. */
  readonly isAbsence: boolean;
  /** The call shows its end, so what wasn't said by then wasn't said at all. */
  readonly isOver: boolean;
  readonly temperature?: number;
  readonly budget?: ModelBudget | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the model for one judgement and checks its quotes. A pass without real words of the callee is inconclusive, and
 * so is a fail without words of the call. However, that nothing of the kind was said can't be quoted, and is a fail if
 * the call came to its end. @throws ModelError
 */
export async function modelVote({
  model,
  heard,
  acceptance,
  mission,
  isAbsence,
  isOver,
  ...limits
}: VoteRequest): Promise<Vote> {
  const { reasoning, verdict, evidence } = await model.ask({
    name: 'judgement',
    system: judgeSystem,
    schema: voteSchema,
    tokens: 3000,
    ...limits,
    parts: [
      { kind: 'text', text: `${criterionTitle}\n${acceptance}` },
      ...(mission === undefined ? [] : [{ kind: 'text' as const, text: `${judgedMissionTitle}\n${mission}` }]),
      { kind: 'data', title: judgedTranscriptTitle, text: heard.shown.map(shownTurn).join('\n') },
      ...(heard.out.length === 0
        ? []
        : [{ kind: 'data' as const, title: leftOutTitle, text: heard.out.map(shownLeftOut).join('\n') }]),
    ],
  });
  const quotes = evidence.flatMap(({ turn, quote }) =>
    quote.split(/\s*(?:\.{3}|…)\s*/).map((part) => ({ turn: turn - 1, part })),
  );
  const ofThem = distinct(
    quotes.flatMap(({ turn, part }) => findQuote(part, heard.blanked, 'them', turn)?.evidence ?? []),
  );
  const notCounted = (why: Sentences): Vote => ({
    verdict: 'inconclusive',
    reasoning: join(
      sentence`The judge answered ${verdict}, but that doesn't count.`,
      why,
      sentence`It said: ${reasoning}`,
    ),
    evidence: [],
  });
  if (verdict === 'pass') {
    if (ofThem.length === 0)
      return notCounted(
        evidence.length === 0
          ? sentence`It quoted nothing.`
          : sentence`None of its quotes occurs in the words of the called side.`,
      );
    if (!ofThem.some(({ quote }) => isEnough(quote, acceptance)))
      return notCounted(sentence`It quoted no more than “${ofThem.map(({ quote }) => quote).join('”, “')}”.`);
    // Without the first answer: a quote can occur in the call and have nothing to do with the criterion.
    if (!isAbsence && !(await bears({ model, acceptance, quotes: ofThem, ...limits })))
      return notCounted(sentence`Asked again, it said that its quotes don't show it.`);
    return { verdict, reasoning: sentence`${reasoning}`, evidence: ofThem };
  }
  const all = [
    ...ofThem,
    ...distinct(quotes.flatMap(({ turn, part }) => findQuote(part, heard.blanked, 'us', turn)?.evidence ?? [])),
  ];
  if (verdict === 'fail' && all.length === 0) {
    if (evidence.length > 0) return notCounted(sentence`None of its quotes occurs in the call.`);
    if (isAbsence || !isOver)
      return notCounted(sentence`It quoted nothing, and a call doesn't fail because something wasn't said.`);
  }
  return { verdict, reasoning: sentence`${reasoning}`, evidence: all };
}

const bearingSchema = z.object({ shows: z.boolean() }).strict();

/** Asks whether the quotes alone show that the criterion is met. */
async function bears({
  model,
  acceptance,
  quotes,
  ...limits
}: Pick<VoteRequest, 'model' | 'acceptance' | 'temperature' | 'budget' | 'timeoutMs' | 'signal'> & {
  readonly quotes: readonly Evidence[];
}): Promise<boolean> {
  const { shows } = await model.ask({
    name: 'bearing',
    system: bearingSystem,
    schema: bearingSchema,
    tokens: 200,
    ...limits,
    parts: [
      { kind: 'text', text: `${criterionTitle}\n${acceptance}` },
      { kind: 'data', title: quotesTitle, text: quotes.map(({ quote }) => quote).join('\n') },
    ],
  });
  return shows;
}

/** The maximum number of words in a criterion that one word can show: `Says goodbye.` */
const shortCriterion = 4;

/** One word ("Welcome") is enough only for a criterion about this word. */
function isEnough(quote: string, acceptance: string): boolean {
  const words = plainWords(quote).map(({ text }) => text);
  if (words.length !== 1) return true;
  return (
    new RegExp(`["“'‘]${words[0] ?? ''}[.!?]?["”'’]`, 'i').test(acceptance) ||
    (contentWords(acceptance).length <= shortCriterion &&
      contentWords(acceptance).some((word) => stem(word) === stem(words[0] ?? '')))
  );
}

/** One line per turn, so that a turn can't add another one below itself. */
const shownTurn = ({ speaker, text }: Turn, index: number): string =>
  `${index + 1}. ${speaker}: ${text.replace(/\s+/g, ' ').trim()}`;
