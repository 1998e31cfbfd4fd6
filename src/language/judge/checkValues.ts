import type { Turn } from '../../contract/testRuns.ts';
import { readMenu } from '../menu/readMenu.ts';
import { saidBy } from './callEnds.ts';
import type { Said } from './callEnds.ts';
import type { Check } from './checks.ts';
import { evidenceAt } from './quotes.ts';
import { contentWords, spokenWords, stem } from './words.ts';

/** Fewer digits are said for many reasons. */
const leastDigits = 3;

/** Whether digits were read back: those of the criterion, or those that the caller entered last. */
export function checkReadBack(wanted: string | undefined, call: readonly Turn[]): Check {
  const entered = call.flatMap(({ speaker, text }, index) => (speaker === 'us' ? [{ index, digits: text.replace(/[^0-9]/g, '') }] : [])).filter(({ digits }) => digits.length >= leastDigits).at(-1);
  const digits = wanted ?? entered?.digits;
  if (digits === undefined || digits.length < leastDigits) return { happened: 'unknown', reason: 'It is not known which digits were entered: none, or they are masked as secret.', evidence: [] };
  const after = wanted === undefined && entered ? call.slice(entered.index + 1) : call;
  const runs = after.filter(({ speaker }) => speaker === 'them').flatMap(digitRuns);
  const right = runs.find((run) => run.digits === digits || (run.digits.length > digits.length && run.digits.includes(digits) && digits.length >= 6));
  if (right) return { happened: true, reason: 'The digits were read back.', evidence: [evidenceAt(right.turn, right.from, right.to)] };
  const longest = runs.filter((run) => run.digits.length >= leastDigits).sort((a, b) => b.digits.length - a.digits.length)[0];
  // Digits that recognition wrote as other words.
  const confirming = after.find(({ speaker, text }) => speaker === 'them' && /\b(?:you (?:entered|said|gave|typed)|i (?:heard|have|got)|correct|confirm|number is)\b/i.test(text));
  if (!longest && confirming) return { happened: 'unknown', reason: 'Something was read back, and no digits were made out in it.', evidence: [evidenceAt(confirming, 0, confirming.text.length)] };
  if (!longest) return { happened: false, reason: 'No digits were read back.', evidence: [] };
  return { happened: 'unknown', reason: 'Other digits were heard, by mistake of the system or of the recognition.', evidence: [evidenceAt(longest.turn, longest.from, longest.to)] };
}

interface DigitRun { readonly turn: Turn; readonly digits: string; readonly from: number; readonly to: number }

/** Numbers that follow each other without words between them. */
function digitRuns(turn: Turn): DigitRun[] {
  const runs: DigitRun[] = [];
  let open: DigitRun | undefined;
  for (const { text, from, to } of spokenWords(turn.text)) {
    if (/^\d+$/.test(text)) {
      if (open) runs.pop();
      open = open ? { ...open, digits: open.digits + text, to } : { turn, digits: text, from, to };
      runs.push(open);
    } else open = undefined;
  }
  return runs;
}

const money = /[$£€]\s?\d|\b\d[\d.,]*\s*(?:dollars?|cents?|euros?|pounds?|pence|usd|eur|gbp)\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|zero)(?:[\s-]+and)?[\s-]+(?:dollars?|cents?|euros?|pounds?|pence)\b/i;
const hours = /\b(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:[: ](?:\d{2}|thirty|fifteen))?\s?(?:a\.?m\.?|p\.?m\.?|o'?clock)(?=\W|$)|\b(?:from|between) (?:\d{1,2}|\w+) (?:to|until|till|and) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b|\b(?:24|twenty[- ]four) hours\b/i;

/** Whether a value was told: a sentence with its name and an amount or hours in it, and no option of a menu. */
export function checkStates(topic: string, value: 'money' | 'hours', call: readonly Turn[]): Check {
  const said = saidBy(call);
  const pattern = value === 'money' ? money : hours;
  const told = said.filter(({ text }) => pattern.test(text) && readMenu(text).options.length === 0);
  const about = told.find((one) => isAbout(topic, value, one));
  if (about) return { happened: true, reason: `It tells ${topic}.`, evidence: [evidenceAt(about.turn, about.from, about.from + about.text.length)] };
  const [other] = told;
  if (other) return { happened: 'unknown', reason: `${value === 'money' ? 'An amount is' : 'Hours are'} told, not clearly as ${topic}.`, evidence: [evidenceAt(other.turn, other.from, other.from + other.text.length)] };
  const without = said.find((one) => readMenu(one.text).options.length === 0 && !/\?/.test(one.text) && isAbout(topic, value, one));
  if (without) return { happened: 'unknown', reason: `${topic} is spoken of, without ${value === 'money' ? 'an amount' : 'times'} that can be made out.`, evidence: [evidenceAt(without.turn, without.from, without.from + without.text.length)] };
  // A number without its unit may be one that recognition swallowed.
  const bare = said.some(({ text }) => readMenu(text).options.length === 0 && spokenWords(text).some((word) => /^\d{2,}$/.test(word.text)));
  return bare ? { happened: 'unknown', reason: `Numbers are told, not clearly as ${topic}.`, evidence: [] } : { happened: false, reason: `No ${value === 'money' ? 'amount' : 'hours'} was heard.`.replace('hours was', 'hours were'), evidence: [] };
}

function isAbout(topic: string, value: 'money' | 'hours', { text }: Said): boolean {
  const heard = new Set(contentWords(text).map(stem));
  if (value === 'hours') return /\b(?:open|hours?|close[sd]?)\b/i.test(text);
  const noun = contentWords(topic).at(-1) ?? '';
  return heard.has(stem(noun));
}
