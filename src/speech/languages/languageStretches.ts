import type { LanguageStretch } from '../ear.ts';
import type { Leaning } from './languageEar.ts';

/** Halfway between the values of the two languages' prompts, per second. */
const middle = -0.025;
/**
 * The minimum gain of a change of language: between pieces, about a second and a half of clear speech; within one,
 * which is rarely more than one recording, far more.
 */
const changeCosts = { between: 0.06, within: 0.25 };
/**
 * The decisive values, per second. Of 81 French prompts by two speakers, 4 s and longer, none was below −0.023; of 48
 * English ones by five voices, one was above −0.057. Shorter ones vary more.
 */
const decisive = { long: { fr: 0.005, en: -0.05 }, short: { fr: 0.02, en: -0.09 } } as const;
const longSeconds = 4;
const minSeconds = 1.2;

/**
 * Joins pieces of speech, each divided at short pauses, where the language stays the same: the most likely sequence of
 * the two languages (Viterbi). What is clearly neither has no language.
 */
export function languageStretches(pieces: readonly (readonly Leaning[])[]): LanguageStretch[] {
  const parts = pieces.flat();
  const steps = pieces.flatMap((piece) =>
    piece.map(({ voicedSeconds, towardsFrench }, index) => ({
      gain: towardsFrench - middle * voicedSeconds,
      changeCosts: index === 0 ? changeCosts.between : changeCosts.within,
    })),
  );
  const stretches: { readonly parts: Leaning[]; readonly isFrench: boolean }[] = [];
  likelyCourse(steps).forEach((isFrench, index) => {
    const part = parts[index];
    if (!part) return;
    const last = stretches.at(-1);
    if (last?.isFrench === isFrench) last.parts.push(part);
    else stretches.push({ parts: [part], isFrench });
  });
  return stretches.map((stretch) => {
    const [first, last] = [stretch.parts[0], stretch.parts.at(-1)];
    const voicedSeconds = stretch.parts.reduce((sum, part) => sum + part.voicedSeconds, 0);
    const perSecond = stretch.parts.reduce((sum, part) => sum + part.towardsFrench, 0) / voicedSeconds;
    const { fr, en } = decisive[voicedSeconds < longSeconds ? 'short' : 'long'];
    const language =
      voicedSeconds < minSeconds ? undefined : perSecond >= fr ? 'fr' : perSecond <= en ? 'en' : undefined;
    return {
      startMs: first?.startMs ?? 0,
      endMs: last?.endMs ?? 0,
      speechSeconds: voicedSeconds,
      language,
    };
  });
}

/** Returns for each part whether it is French, so that the total gain minus the changes is greatest. */
function likelyCourse(steps: readonly { readonly gain: number; readonly changeCosts: number }[]): boolean[] {
  let best: Record<'fr' | 'en', { readonly worth: number; readonly course: readonly boolean[] }> = {
    fr: { worth: 0, course: [] },
    en: { worth: 0, course: [] },
  };
  for (const { gain, changeCosts } of steps) {
    const step = (isFrench: boolean): { worth: number; course: boolean[] } => {
      const [same, other] = isFrench ? [best.fr, best.en] : [best.en, best.fr];
      const from = other.worth - changeCosts > same.worth ? { ...other, worth: other.worth - changeCosts } : same;
      return { worth: from.worth + (isFrench ? gain : -gain), course: [...from.course, isFrench] };
    };
    best = { fr: step(true), en: step(false) };
  }
  return [...(best.fr.worth >= best.en.worth ? best.fr : best.en).course];
}
