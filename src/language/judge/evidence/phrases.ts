import type { Turn } from '../../../contract/testRuns.ts';
import type { Event } from '../grammar/events.ts';
import { matchPhrase, wordsOfTurns, type PhraseMatch } from '../phraseMatch.ts';
import type { Evidence } from '../quotes.ts';
import type { Seen, MatchEvidence } from './evidence.ts';

const quoted = (text: string): string => `“${text}”`;

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
  const description = found.map(({ phrase, match }) => `${quoted(phrase)} ${describe(match)}`).join('; ');
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
    missing: literal ? description : `${description}; other words may say the same`,
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

function describe({ kind, evidence }: PhraseMatch): string {
  const words = evidence.map(({ quote }: Evidence) => quote).join(' … ');
  if (kind === 'said') return 'was heard';
  if (kind === 'absent') return words === '' ? 'was not heard' : `was not heard, but ${quoted(words)}`;
  return kind === 'near'
    ? `was not heard; the nearest words were ${quoted(words)}`
    : `was heard, but the words before it may reverse it (${quoted(words)})`;
}
