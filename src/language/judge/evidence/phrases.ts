import { join, sentence, type Sentences } from '../../../base/sentences.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import type { Event } from '../grammar/events.ts';
import { matchPhrase, wordsOfTurns, type PhraseMatch } from '../phraseMatch.ts';
import type { Evidence } from '../quotes.ts';
import type { Seen, MatchEvidence } from './evidence.ts';

/** Finds phrases: all, any, or one after the other; before the caller's first action, after the last, or anywhere. */
export function matchPhrases(
  { phrases, mode, literal, where }: Extract<Event, { kind: 'says' }>,
  turns: readonly Turn[],
): MatchEvidence {
  const firstOfUs = turns.findIndex(({ speaker }) => speaker === 'us'),
    lastOfUs = turns.findLastIndex(({ speaker }) => speaker === 'us');
  const place =
    where === 'first' && firstOfUs !== -1
      ? turns.slice(0, firstOfUs)
      : where === 'last'
        ? turns.slice(lastOfUs + 1)
        : turns;
  const words = wordsOfTurns(place);
  let from = 0;
  const found = phrases.map((phrase) => {
    const match = matchPhrase(phrase, words, from);
    if (mode === 'inOrder' && match.kind === 'said') from = match.end;
    const last = words[match.end - 1];
    const at = last ? { turn: turns.indexOf(last.turn), from: last.from } : { turn: 0, from: 0 };
    const again = phrases.length === 1 && match.kind === 'said' ? repeated(phrase, words, match.end, turns) : [];
    return {
      phrase,
      match,
      seen: [...match.evidence.slice(0, 1).map((evidence): Seen => ({ ...at, evidence })), ...again],
    };
  });
  const description = join(...found.map(({ phrase, match }) => describe(phrase, match)));
  const some = (kind: PhraseMatch['kind']): boolean => found.some(({ match }) => match.kind === kind);
  const every = (kind: PhraseMatch['kind']): boolean => found.every(({ match }) => match.kind === kind);
  const all = mode === 'any' ? some('said') : every('said');
  const absent = mode === 'any' ? every('absent') : some('absent');
  const seen = found.flatMap((one) => (all && one.match.kind !== 'said' ? [] : one.seen));
  const closed = where === 'first' && firstOfUs !== -1;
  return {
    sure: all ? seen : [],
    maybe: all || (literal && absent) ? [] : seen,
    denied: literal && absent ? seen : [],
    complete: literal && (absent || all),
    anyEnd: true,
    ...(closed && { passed: true as const }),
    told: description,
    missing: literal ? description : join(description, sentence`Other words may say the same.`),
  };
}

const maxRepeats = 20;

/** Returns the phrase's other positions. */
function repeated(
  phrase: string,
  words: ReturnType<typeof wordsOfTurns>,
  from: number,
  turns: readonly Turn[],
): Seen[] {
  const places: Seen[] = [];
  for (let at = from; places.length < maxRepeats;) {
    const match = matchPhrase(phrase, words, at);
    const [evidence] = match.evidence,
      last = words[match.end - 1];
    if (match.kind !== 'said' || !evidence || !last) break;
    places.push({ turn: turns.indexOf(last.turn), from: last.from, evidence });
    at = match.end;
  }
  return places;
}

function describe(phrase: string, { kind, evidence }: PhraseMatch): Sentences {
  const words = evidence.map(({ quote }: Evidence) => quote).join(' … ');
  if (kind === 'said') return sentence`“${phrase}” was heard.`;
  if (kind === 'absent')
    return words === '' ? sentence`“${phrase}” wasn't heard.` : sentence`“${phrase}” wasn't heard, but “${words}” was.`;
  return kind === 'near'
    ? sentence`“${phrase}” wasn't heard. The nearest words were “${words}”.`
    : sentence`“${phrase}” was heard, but the words before it may reverse it (“${words}”).`;
}
