import { join, sentence } from '../../base/sentences.ts';
import type { Evidence } from '../../language/judge/quotes.ts';
import type { Turn } from '../../contract/testRuns.ts';
import type { LanguageStretch } from '../../speech/ear.ts';
import { foreignWords } from './foreignWords.ts';
import { failed, inconclusive, passed, placedSentences } from './finding.ts';
import type { Finding } from './finding.ts';
import type { ProbedCall } from './probedCall.ts';

/** Unclear speech can precede the first clear words for this long: "Bonjour" alone is too short to decide. */
const unclearBeforeSeconds = 3;
/** Less of another language shows nothing. */
const minOtherSeconds = 3;
/** The share that counts as equal. */
const nearly = 0.9;

/** Judges whether French came first, or was as frequent as the other language. */
export function judgeFrenchFirst(
  { languages, turns }: ProbedCall,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Finding {
  const heard = languages.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
  const first = heard.find(({ language }) => language !== undefined);
  if (!first)
    return inconclusive(
      heard.length === 0
        ? sentence`Nothing was said in that part of the call.`
        : sentence`The language of the speech isn't clear.`,
      heard[0] && quoteOf(heard[0], turns),
    );
  const french = secondsOf(heard, 'fr'),
    english = secondsOf(heard, 'en'),
    unclear = secondsOf(heard, undefined);
  const evidence = quoteOf(first, turns);
  if (first.language === 'fr') {
    const before = secondsOf(heard.slice(0, heard.indexOf(first)), undefined);
    return before > unclearBeforeSeconds
      ? inconclusive(
          sentence`${formatSeconds(before)} s of speech in an unclear language came before French.`,
          evidence,
        )
      : passed(sentence`French was spoken first, for ${formatSeconds(first.speechSeconds)} s.`, evidence);
  }
  const [inEnglish, inFrench] = [formatSeconds(english), formatSeconds(french)];
  const amounts =
    unclear > 0
      ? sentence`${inEnglish} s of English, ${inFrench} s of French, ${formatSeconds(unclear)} s unclear.`
      : sentence`${inEnglish} s of English, ${inFrench} s of French.`;
  if (french >= nearly * english)
    return passed(
      join(sentence`English came first, but at least as much French followed:`, amounts),
      quoteOf(heard.find(({ language }) => language === 'fr') ?? first, turns),
    );
  if (french + unclear >= nearly * english || english < minOtherSeconds)
    return inconclusive(join(sentence`Too little of the speech is clear:`, amounts), evidence);
  return failed(
    french > 0
      ? join(sentence`English came first, and there was more English than French:`, amounts)
      : join(sentence`No French was heard:`, amounts),
    evidence,
  );
}

const secondsOf = (heard: readonly LanguageStretch[], wanted: LanguageStretch['language']): number =>
  heard.filter(({ language }) => language === wanted).reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
const formatSeconds = (seconds: number): string => seconds.toFixed(1);

/** Returns the mark for French, otherwise the first sentence, within its turn. */
function quoteOf({ startMs, endMs, language }: LanguageStretch, turns: readonly Turn[]): Evidence | undefined {
  const overlap = (turn: Turn): number => Math.min(endMs, turn.endMs ?? 0) - Math.max(startMs, turn.startMs ?? 0);
  const turn = turns
    .filter(({ speaker }) => speaker === 'them')
    .reduce<Turn | undefined>(
      (best, one) => (overlap(one) > Math.max(0, best ? overlap(best) : 0) ? one : best),
      undefined,
    );
  if (!turn) return undefined;
  const clipped = { startMs: Math.max(startMs, turn.startMs ?? 0), endMs: Math.min(endMs, turn.endMs ?? Infinity) };
  if (language === 'fr' && turn.text.includes(foreignWords)) return { quote: foreignWords, ...clipped };
  return (
    placedSentences([turn]).find(({ text }) => !text.includes(foreignWords))?.evidence ?? {
      quote: turn.text,
      ...clipped,
    }
  );
}
