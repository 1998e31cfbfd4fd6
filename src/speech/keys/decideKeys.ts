import type { Candidate } from './candidates.ts';
import { dueCandidates, lastKeyCandidates } from './dueCandidates.ts';
import type { MenuSoFar } from './menuSoFar.ts';
import { rewrite, slotsOf, writesDigits, type SaidWords, type WordSlot } from './slots.ts';
import type { SoundOfKeys } from './soundOfKeys.ts';
import { weights } from './weights.ts';
import { wordCandidates } from './wordCandidates.ts';

interface Context {
  readonly soundOfKeys: SoundOfKeys;
  /** Returns true for words that menus use, in lower case. */
  readonly isMenuWord: (word: string) => boolean;
  /** False on a noisy line, where checking by ear invents keys. */
  readonly byEar: boolean;
  /** What the call's prompts offered before this text. */
  readonly before: MenuSoFar;
}

/**
 * Decides which keys a text offers, as far as the text shows, and leaves the rest to the ear. The sources follow each
 * other, because each reads the text that those before it decided: first words that can only be a key; then last words
 * of offers that sound like a key, because that key ends its offer; then words where the ear must choose, with the keys
 * that are due, for which all other offers must be known. Keys by their sound in one voice come later, when whole
 * prompts of a number are known (`keySounds.ts`).
 */
export function decideKeys(text: string, { soundOfKeys, isMenuWord, byEar, before }: Context): readonly WordSlot[] {
  const said = slotsOf(text);
  const clear = decide(said, wordCandidates(said, isMenuWord, 'table'));
  const complete = decide(clear, soundOfKeys.candidates(clear, before));
  return byEar
    ? decide(complete, [
        ...wordCandidates(complete, isMenuWord, 'grammar'),
        ...dueCandidates(complete, before),
        ...lastKeyCandidates(complete, before),
      ])
    : complete;
}

/** Puts candidates whose words overlap in one place, and decides each place by the sum of its log odds. */
export function decide(slots: readonly WordSlot[], candidates: readonly Candidate[]): WordSlot[] {
  const inDigits = writesDigits(slots);
  const decided: WordSlot[] = [];
  for (let at = 0; at < slots.length;) {
    let to = at + 1;
    let here: readonly Candidate[] = [];
    for (let known = -1; known < here.length;) {
      known = here.length;
      here = candidates.filter(({ atWord, width }) => atWord < to && atWord + width > at);
      to = Math.max(to, ...here.map(({ atWord, width }) => atWord + width));
    }
    decided.push(
      ...decidePlace(
        slots.slice(at, to),
        here.map((one) => ({ ...one, atWord: one.atWord - at })),
        inDigits,
      ),
    );
    at = to;
  }
  return decided;
}

function decidePlace(
  slots: readonly WordSlot[],
  candidates: readonly Candidate[],
  inDigits: boolean,
): readonly WordSlot[] {
  if (candidates.length === 0) return slots;
  const readings = slots.map(({ own }) => own[0] ?? []);
  const own = slots.length === 1 ? (slots[0]?.own ?? []) : [readings.flat()];
  const sums = new Map<string, { said: SaidWords; logOdds: number }>(
    own.map((said) => [said.join(' '), { said, logOdds: 0 }]),
  );
  for (const { atWord, width, said: instead, logOdds } of candidates) {
    const said = [...readings.slice(0, atWord).flat(), ...instead, ...readings.slice(atWord + width).flat()];
    const key = said.join(' ');
    sums.set(key, { said, logOdds: (sums.get(key)?.logOdds ?? 0) + logOdds });
  }
  const [best, ...rest] = [...sums.values()].sort((one, other) => other.logOdds - one.logOdds);
  if (!best) return slots;
  const near = rest.filter(({ logOdds }) => logOdds >= best.logOdds - weights.margin);
  const shown = slots.map((slot) => slot.shown).join(' ');
  if (best.logOdds <= weights.margin)
    return [{ shown, own, others: [best, ...near].filter(({ said }) => !own.includes(said)) }];
  // Any key: without the ear, none is written.
  if (best.said.length === 1 && near[0]?.logOdds === best.logOdds) return [{ shown, own: [], others: [best, ...near] }];
  const written = slotsOf(rewrite(best.said.length === 1 ? shown : shown.toLowerCase(), best.said, inDigits));
  const last = written.at(-1);
  const others = near.map(({ said, logOdds }) => ({ said: said.slice(-1), logOdds: logOdds - best.logOdds }));
  return last ? [...written.slice(0, -1), { ...last, others }] : slots;
}
