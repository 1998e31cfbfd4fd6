import * as z from 'zod';
import type { Turn, Verdict } from '../../contract/testRuns.ts';
import type { LanguageModel } from '../model/languageModel.ts';
import type { ModelBudget } from '../model/modelBudget.ts';
import type { Heard } from './addressed.ts';
import { criterionTitle, judgeSystem, missionTitle, transcriptTitle } from './prompts.ts';
import { findQuote } from './quotes.ts';
import type { Evidence } from './quotes.ts';

const voteSchema = z.object({
  reasoning: z.string().min(1).max(4000),
  verdict: z.enum(['pass', 'fail', 'inconclusive']),
  evidence: z.array(z.object({ turn: z.int().describe('The number in front of the turn'), quote: z.string().min(1).max(1000) }).strict()).max(10),
}).strict();

export interface Vote {
  readonly verdict: Exclude<Verdict, 'error'>;
  readonly reasoning: string;
  /** Quotes that really occur. */
  readonly evidence: readonly Evidence[];
}

interface VoteRequest {
  readonly model: LanguageModel;
  readonly heard: Heard;
  readonly acceptance: string;
  readonly mission: string | undefined;
  readonly temperature?: number;
  readonly budget?: ModelBudget;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** One judgement by the model, its quotes checked: a pass that no real words of the callee bear out is inconclusive. @throws ModelError */
export async function modelVote({ model, heard, acceptance, mission, ...limits }: VoteRequest): Promise<Vote> {
  const { reasoning, verdict, evidence } = await model.ask({
    name: 'judgement', system: judgeSystem, schema: voteSchema, tokens: 3000, ...limits,
    parts: [
      { kind: 'text', text: `${criterionTitle}\n${acceptance}` },
      ...(mission === undefined ? [] : [{ kind: 'text' as const, text: `${missionTitle}\n${mission}` }]),
      { kind: 'data', title: transcriptTitle, text: heard.shown.map(shownTurn).join('\n') },
    ],
  });
  const quotes = evidence.flatMap(({ turn, quote }) => quote.split(/\s*(?:\.{3}|…)\s*/).map((part) => ({ turn: turn - 1, part })));
  const ofThem = distinct(quotes.flatMap(({ turn, part }) => findQuote(part, heard.blanked, 'them', turn)?.evidence ?? []));
  if (verdict === 'pass' && ofThem.length === 0) {
    return { verdict: 'inconclusive', reasoning: `The judge answered pass, but ${evidence.length === 0 ? 'quoted nothing' : 'none of its quotes occurs in the callee\'s words'}, so the pass does not count. It said: ${reasoning}`, evidence: [] };
  }
  const ofUs = verdict === 'pass' ? [] : distinct(quotes.flatMap(({ turn, part }) => findQuote(part, heard.blanked, 'us', turn)?.evidence ?? []));
  return { verdict, reasoning, evidence: [...ofThem, ...ofUs] };
}

/** One line a turn: a turn cannot put another one below itself. */
const shownTurn = ({ speaker, text }: Turn, index: number): string => `${index + 1}. ${speaker}: ${text.replace(/\s+/g, ' ').trim()}`;

export const distinct = (evidence: readonly Evidence[]): Evidence[] => [...new Map(evidence.map((one) => [`${one.quote.toLowerCase()}@${one.startMs ?? ''}`, one])).values()];
