import { join, sentence } from '../../../base/sentences.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import { foreignWords } from '../../../model/heard/foreignWords.ts';
import { saidBy } from '../../heard/callEnds.ts';
import type { HeardCall, SpokenLanguage } from '../heardCall.ts';
import type { Find } from '../part.ts';
import { seenInTurn, somewhere, type Seen, type Sightings } from '../sightings.ts';

/** Unclear speech can precede the first clear words for this long: "Bonjour" alone is too short to decide. */
const unclearBeforeSeconds = 3;
/** Less of another language shows nothing. */
const minOtherSeconds = 3;
/** The share that counts as equal. */
const nearly = 0.9;

/** The language of the speech, by sound: any of it, or the first and as much as of the other. */
export const findLanguage: Find<'language'> = ({ is, first }, call, { fromMs, toMs }) => {
  const heard = (call.languages ?? []).filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
  const own = heard.find(({ language }) => language === is);
  if (first) return findFirst(is, heard, call);
  return {
    sure: own ? [quoteOf(own, call)] : [],
    complete: false,
    shown: is === 'fr' ? sentence`French was spoken.` : sentence`English was spoken.`,
    missing: sentence`The language of the speech isn't clear.`,
  };
};

function findFirst(is: 'en' | 'fr', heard: readonly SpokenLanguage[], call: HeardCall): Sightings {
  const first = heard.find(({ language }) => language !== undefined);
  const unclearLanguage = sentence`The language of the speech isn't clear.`;
  const nothing = {
    sure: [],
    complete: false,
    placed: true,
    shown: unclearLanguage,
    missing: unclearLanguage,
  } as const;
  if (!first)
    return {
      ...nothing,
      context: heard.slice(0, 1).map((one) => quoteOf(one, call)),
      missing: heard.length === 0 ? sentence`Nothing was said in that part of the call.` : unclearLanguage,
    };
  const other = is === 'fr' ? 'en' : 'fr';
  const wanted = secondsOf(heard, is),
    rest = secondsOf(heard, other),
    unclear = secondsOf(heard, undefined);
  const seen = [quoteOf(first, call)];
  if (first.language === is) {
    const before = secondsOf(heard.slice(0, heard.indexOf(first)), undefined);
    return before > unclearBeforeSeconds
      ? {
          ...nothing,
          context: seen,
          missing: sentence`${formatSeconds(before)} s of speech in an unclear language came first.`,
        }
      : { ...nothing, sure: seen, shown: sentence`It was spoken first, for ${formatSeconds(first.speechSeconds)} s.` };
  }
  const [english, french] = is === 'fr' ? [rest, wanted] : [wanted, rest];
  const amounts = sentence`${formatSeconds(english)} s of English, ${formatSeconds(french)} s of French, ${formatSeconds(unclear)} s unclear.`;
  if (wanted >= nearly * rest) {
    const own = heard.find(({ language }) => language === is) ?? first;
    return {
      ...nothing,
      sure: [quoteOf(own, call)],
      shown: join(sentence`The other language came first, but at least as much followed:`, amounts),
    };
  }
  if (wanted + unclear >= nearly * rest || rest < minOtherSeconds)
    return { ...nothing, context: seen, missing: join(sentence`Too little of the speech is clear:`, amounts) };
  return {
    ...nothing,
    denied: seen,
    missing: join(sentence`The other language came first, and there was more of it:`, amounts),
  };
}

const secondsOf = (heard: readonly SpokenLanguage[], wanted: SpokenLanguage['language']): number =>
  heard.filter(({ language }) => language === wanted).reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
const formatSeconds = (seconds: number): string => seconds.toFixed(1);

/** Returns the mark for French, otherwise the first sentence, within its turn. */
function quoteOf({ startMs, endMs, language }: SpokenLanguage, { turns }: HeardCall): Seen {
  const overlap = (turn: Turn): number => Math.min(endMs, turn.endMs ?? 0) - Math.max(startMs, turn.startMs ?? 0);
  const index = turns.reduce(
    (best, turn, at) =>
      turn.speaker === 'them' && overlap(turn) > Math.max(0, turns[best] ? overlap(turns[best]) : 0) ? at : best,
    -1,
  );
  const turn = turns[index];
  if (!turn) return somewhere;
  const isFrench = language === 'fr' && turn.text.includes(foreignWords);
  const said = saidBy([turn]).find(({ text }) => !text.includes(foreignWords));
  if (!isFrench && said) return seenInTurn({ turn, index }, said.from, said.from + said.text.length);
  const clipped = { startMs: Math.max(startMs, turn.startMs ?? 0), endMs: Math.min(endMs, turn.endMs ?? Infinity) };
  return { turn: index, from: 0, evidence: { quote: isFrench ? foreignWords : turn.text, ...clipped } };
}
