import { monthNames, weekdayNames } from '../numbers/calendarNames.ts';
import { spokenTokens, type SpokenToken } from './spokenTokens.ts';

/** Words that differ from call to call: amounts, dates, times, waiting times, order and account numbers. English. */

const units = new Set(
  (
    'dollar cent pounds pence euro percent minute minutes hour hours second seconds day days week weeks month months year years point points message messages caller callers ' +
    'people person item items order orders appointment appointments am pm'
  ).split(' '),
);
const months = new Set(monthNames);
const weekdays = new Set(weekdayNames);
const counted = new Set('new unread more other'.split(' '));
/** A number after one of these is a key, however long. */
const keyWords = new Set('press dial option key push select say choose hit touch enter'.split(' '));
/** A number after one of these belongs to this caller. */
const ownWords = new Set('number caller position code reference is are'.split(' '));
const greetingTimes = new Set('morning afternoon evening'.split(' '));
/** This many digits without a unit can't be a key. */
const longNumber = 3;

/** Returns the text with `*`, the placeholder of expected transcripts, for volatile words. Punctuation stays. */
export function withoutVolatile(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const tokens = spokenTokens(words, false);
  const marked = words.map(() => false);
  for (const index of tokens.keys()) {
    const span = volatileAt(tokens, index, words);
    if (span) marked.fill(true, ...span);
  }
  return joined(words, marked);
}

/** Returns the indexes of the written words `from` … `to` (exclusive) that are volatile with this token. */
function volatileAt(
  tokens: readonly SpokenToken[],
  index: number,
  words: readonly string[],
): readonly [from: number, to: number] | undefined {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!token) return undefined;
  const { from, to } = token;
  if (greetingTimes.has(token.text) && before?.text === 'good') return [from, to];
  if (token.kind !== 'number' || isKey(tokens, index)) return undefined;
  const date = dateAt(tokens, index);
  if (date) return date;
  const unit = after && counted.has(after.text) ? tokens[index + 2] : after;
  if (unit && !token.stop && units.has(unit.text)) return [from, unit.to];
  if (/^o.?clock\b/i.test(words[to] ?? '')) return [from, to + 1];
  return isOwn(tokens, index) ? [from, to] : undefined;
}

/** Returns a date: the month beside the number, and the weekday before them. */
function dateAt(tokens: readonly SpokenToken[], index: number): readonly [from: number, to: number] | undefined {
  const near = (at: number): boolean => months.has(tokens[at]?.text ?? '');
  let [first, last] = [index, index];
  if (near(index - 1)) first -= 1;
  else if (tokens[index]?.stop === true) return undefined;
  else if (near(index + 1)) last += 1;
  else if (tokens[index + 1]?.text === 'of' && near(index + 2)) last += 2;
  if (first === last) return undefined;
  if (tokens[first - 1]?.text === 'the') first -= 1;
  if (weekdays.has(tokens[first - 1]?.text ?? '')) first -= 1;
  return [tokens[first]?.from ?? 0, tokens[last]?.to ?? 0];
}

function isKey(tokens: readonly SpokenToken[], index: number): boolean {
  const [before, earlier] = [tokens[index - 1], tokens[index - 2]];
  return (
    keyWords.has(before?.text ?? '') ||
    ((before?.text === 'number' || before?.text === 'the') && keyWords.has(earlier?.text ?? ''))
  );
}

function isOwn(tokens: readonly SpokenToken[], index: number): boolean {
  const { digits = '', from } = tokens[index] ?? {};
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  if (after && /^digits?$/.test(after.text)) return false;
  // "$5" is one written word but two tokens.
  if (before?.text === 'dollar' && before.from === from) return true;
  return digits.length >= longNumber || ownWords.has(before?.text ?? '');
}

/** Consecutive volatile words, also with "and" in between, become one `*`. */
function joined(words: readonly string[], marked: readonly boolean[]): string {
  const shown: string[] = [];
  let open = false;
  words.forEach((word, at) => {
    const bridge = open && !marked[at] && marked[at + 1] === true && /^(?:and|to|point)$/i.test(word);
    if (!marked[at] && !bridge) {
      shown.push(word);
      open = false;
      return;
    }
    const end = /[.,;:!?]+$/.exec(word)?.[0] ?? '';
    if (open) shown[shown.length - 1] = `*${end}`;
    else shown.push(`*${end}`);
    open = true;
  });
  return shown.join(' ');
}
