import { join, sentence, type Sentences } from '../../base/sentences.ts';
import type { Turn } from '../../contract/testRuns.ts';
import { withoutAddressed } from './addressed.ts';
import { check, isAbsence, type CheckedCall } from './checks.ts';
import { readCriteria } from './criteria.ts';
import { hearCall } from './evidence/heardCall.ts';
import { distinct } from './modelVote.ts';
import type { Evidence } from './quotes.ts';

export interface RuleJudgement {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly reasoning: Sentences;
  readonly evidence: readonly Evidence[];
  readonly nothingHeard?: true;
  /** Words meant for a judge were left out; a criterion that something doesn't happen can't be judged without them. */
  readonly leftOutMatters?: true;
  /**
   * The criterion wants something to happen, and the call shows its end. That nothing of the kind was said is a failure
   * that no quote can show.
   */
  readonly absenceTells?: true;
}

/** A part that no rule reads, and that wants something not to happen. */
const absence = /\b(?:not|never|no|none|nobody|nothing|without|cannot|\w+n['’]t|at most|no more than|only)\b/i;

/** Returns how to get a verdict on parts of a criterion that the rules can't decide. */
const waysOut = (undecided: readonly string[]): Sentences =>
  undecided.every((part) => /[“"«„‘']/.test(part))
    ? sentence`Set up a language model to judge it (docs/language-models.md).`
    : sentence`Set up a language model to judge it (docs/language-models.md), or write the criterion as what is said, in quotation marks.`;

/** Judges by rules: decides what can be checked in words, and is inconclusive about everything else. Never throws. */
export const judgeByRules = (
  transcript: readonly Turn[],
  acceptance: string,
  { gaveUp = false }: { readonly gaveUp?: boolean } = {},
): RuleJudgement => judgeEach(transcript, [acceptance], gaveUp)[0] as RuleJudgement;

/** Judges a call by several criteria. The call is read once, which takes most of the time. */
export function judgeEach(
  transcript: readonly Turn[],
  acceptances: readonly string[],
  gaveUp: boolean,
): RuleJudgement[] {
  if (!transcript.some(({ speaker, text }) => speaker === 'them' && /[\p{L}\p{N}]/u.test(text))) {
    const judgement: RuleJudgement = {
      verdict: 'inconclusive',
      reasoning: sentence`Dialtree heard no words of the called side, so there is nothing to judge.`,
      evidence: [],
      nothingHeard: true,
    };
    return acceptances.map(() => judgement);
  }
  const { blanked, out } = withoutAddressed(transcript);
  const calls = { heard: hearCall(blanked, gaveUp), ...(out.length > 0 && { all: hearCall(transcript, gaveUp) }) };
  return acceptances.map((acceptance) => judgeHeard(calls, out.length > 0, acceptance));
}

function judgeHeard(calls: CheckedCall, leftOut: boolean, acceptance: string): RuleJudgement {
  const { criteria, unread, hedged } = readCriteria(acceptance);
  const leftOutMatters = leftOut && (criteria.some(isAbsence) || unread.some((part) => absence.test(part)));
  const wantsAbsence = criteria.every(isAbsence) && unread.every((part) => absence.test(part));
  const told = {
    ...(leftOutMatters && { leftOutMatters }),
    ...(!wantsAbsence && calls.heard.ending !== 'cut' && { absenceTells: true as const }),
  };
  const checks = criteria.map((criterion) => ({ criterion, ...check(criterion, calls) }));
  const failed = checks.filter(({ met }) => met === false);
  const open = checks.filter(({ met }) => met === 'unknown');
  const describe = (ones: typeof checks): Sentences =>
    join(...ones.flatMap(({ criterion, reason }) => [sentence`“${bare(criterion.text)}”:`, reason]));
  const evidence = (ones: typeof checks): Evidence[] => distinct(ones.flatMap((one) => one.evidence));
  if (failed.length > 0 && !hedged)
    return {
      verdict: 'fail',
      reasoning: join(sentence`Not met.`, describe(failed)),
      evidence: evidence(failed),
      ...told,
    };
  if (criteria.length > 0 && unread.length === 0 && open.length === 0 && failed.length === 0)
    return { verdict: 'pass', reasoning: join(sentence`Met.`, describe(checks)), evidence: evidence(checks), ...told };
  const excused = failed.length === 0 ? undefined : join(describe(failed), sentence`Another part may allow that.`);
  const unreadable = unread.map((part) => sentence`Rules can't check “${bare(part)}”.`);
  return {
    verdict: 'inconclusive',
    reasoning: join(
      ...unreadable,
      excused,
      describe(open),
      waysOut([...unread, ...open.map(({ criterion }) => criterion.text)]),
    ),
    evidence: evidence(open),
    ...told,
  };
}

const bare = (text: string): string => text.replace(/[“”"]/g, "'").slice(0, 200);
