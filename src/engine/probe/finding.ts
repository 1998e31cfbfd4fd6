import { because, type Reason, type Sentences } from '../../base/sentences.ts';
import type { RunOutcome, Turn } from '../../contract/testRuns.ts';
import { saidBy } from '../../language/heard/callEnds.ts';
import type { Said } from '../../language/heard/callEnds.ts';
import { evidenceAt } from '../../language/heard/quotes.ts';
import type { Evidence } from '../../language/heard/quotes.ts';

/** The result of one assertion, with the words that show it. */
export interface Finding extends Reason {
  readonly outcome: RunOutcome;
  readonly evidence?: Evidence | undefined;
}
/** A sentence of the called side, with its time. */
export interface Sentence extends Said {
  readonly evidence: Evidence;
  readonly atMs: number;
}

export const inconclusive = (why: Sentences, evidence?: Evidence): Finding => ({
  outcome: 'INCONCLUSIVE',
  ...because(why),
  evidence,
});
export const passed = (why: Sentences, evidence?: Evidence): Finding => ({
  outcome: 'PASS',
  ...because(why),
  evidence,
});
export const failed = (why: Sentences, evidence?: Evidence): Finding => ({
  outcome: 'FAIL',
  ...because(why),
  evidence,
});

/** Returns every sentence of the called side, in order, with its quote. */
export const placedSentences = (turns: readonly Turn[]): Sentence[] =>
  saidBy(turns).map((said) => {
    const evidence = evidenceAt(said.turn, said.from, said.from + said.text.length);
    return { ...said, evidence, atMs: evidence.startMs ?? 0 };
  });

/** Returns true if a text in lower case matches any of these. */
export const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => new RegExp(pattern, 'u').test(text));

/** Quoted if nothing matching was said. At least one sentence was heard. */
export const longest = (heard: readonly Sentence[]): Evidence =>
  heard.reduce((best, one) => (one.text.length > best.text.length ? one : best), heard[0] as Sentence).evidence;
