import type { Turn } from '../../contract/testRuns.ts';
import { withoutAddressed } from './addressed.ts';
import { check, hearBoth } from './checks.ts';
import { readCriteria } from './criteria.ts';
import { distinct } from './modelVote.ts';
import type { Evidence } from './quotes.ts';

export interface RuleJudgement {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly reasoning: string;
  readonly evidence: readonly Evidence[];
  /** There is nothing to judge, for anyone. */
  readonly nothingHeard?: true;
}

/** How to get a verdict where the rules give none. */
const needsModel = 'A language model can judge it: set one up (docs/language-models.md), or write the criterion as what is said, in quotation marks.';

/** Judges by rules alone: decides what can be checked in words, and is inconclusive about everything else. Never throws. */
export function judgeByRules(transcript: readonly Turn[], acceptance: string): RuleJudgement {
  if (!transcript.some(({ speaker, text }) => speaker === 'them' && /[\p{L}\p{N}]/u.test(text))) {
    return { verdict: 'inconclusive', reasoning: 'No words of the callee were heard, so there is nothing to judge.', evidence: [], nothingHeard: true };
  }
  const { criteria, unread, hedged } = readCriteria(acceptance);
  const calls = hearBoth(withoutAddressed(transcript).blanked, transcript);
  const checks = criteria.map((criterion) => ({ criterion, ...check(criterion, calls) }));
  const failed = checks.filter(({ met }) => met === false);
  const open = checks.filter(({ met }) => met === 'unknown');
  const describe = (ones: typeof checks): string => ones.map(({ criterion, reason }) => `“${bare(criterion.text)}”: ${reason}`).join(' ');
  const evidence = (ones: typeof checks): Evidence[] => distinct(ones.flatMap((one) => one.evidence));
  if (failed.length > 0 && !hedged) return { verdict: 'fail', reasoning: `Not met. ${describe(failed)}`, evidence: evidence(failed) };
  if (criteria.length > 0 && unread.length === 0 && open.length === 0 && failed.length === 0) return { verdict: 'pass', reasoning: `Met. ${describe(checks)}`, evidence: evidence(checks) };
  const excused = failed.length === 0 ? '' : `${describe(failed)} Another part may allow that. `;
  const unreadable = unread.length === 0 ? '' : `Rules cannot check ${unread.map((part) => `“${bare(part)}”`).join(', ')}. `;
  return { verdict: 'inconclusive', reasoning: `${unreadable}${excused}${open.length === 0 ? '' : `${describe(open)} `}${needsModel}`, evidence: evidence(open) };
}

const bare = (text: string): string => text.replace(/[“”"]/g, '\'').slice(0, 200);
