import type { Act } from './actTable.ts';
import { actsAnnounced, actsOf, sentencesOf } from './announced.ts';

/**
 * What a person asked for, as far as it is something irreversible: the acts that their text names, but not those that
 * it rules out.
 */
export const actsWanted = (...texts: readonly string[]): ReadonlySet<Act> =>
  new Set(texts.flatMap(wishesIn).flatMap(actsOf));

/** The sentences of a text that rule nothing out. */
export const wishesIn = (text: string): string[] => sentencesOf(text).filter((sentence) => !ruledOut.test(sentence));

/**
 * The acts of an option that go beyond what is wanted. Who confirms does what the prompt says: "You want to cancel your
 * policy. To confirm, press 1."
 * @param label Or the phrase that would be said.
 */
export function actsBeyond(label: string, prompt: string, wanted: ReadonlySet<Act>): ReadonlySet<Act> {
  const acts = actsOf(label);
  return beyond([...acts, ...(acts.includes('confirms') ? actsAnnounced(prompt) : [])], wanted);
}

/** A confirmation does nothing by itself. */
export const beyond = (acts: Iterable<Act>, wanted: ReadonlySet<Act>): ReadonlySet<Act> =>
  new Set([...acts].filter((act) => act !== 'confirms' && !wanted.has(act)));

const ruledOut = /\b(?:not|never|without|avoid|except)\b|n['’]t\b/i;
