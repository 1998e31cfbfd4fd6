import type { Act } from './actTable.ts';
import { classifyLabel } from './classifyLabel.ts';
import { wordsOfLabel } from './wordForms.ts';

/** What may be chosen on a live number beside what is plainly harmless. */
export interface Consent {
  readonly acts?: ReadonlySet<Act>;
  /** Whether this option is named, whatever it may do. */
  readonly byName?: (label: string) => boolean;
  /** Whether this option, whose effect is not plain, may be chosen. */
  readonly unsure?: (label: string) => boolean;
}

/**
 * - `acts`: it may do this, which nobody asked for
 * - `unsure`: it is not known to be harmless
 * - `unread`: its words are not known
 */
export type Refusal =
  { readonly because: 'acts'; readonly acts: ReadonlySet<Act> } | { readonly because: 'unsure' | 'unread' };

/**
 * Whether an option may be chosen on a live number: the one rule of mappings and missions. Undefined if it may.
 * @param label Or the phrase that would be said.
 */
export function whyRefused(label: string, { acts, byName, unsure }: Consent): Refusal | undefined {
  if (byName?.(label) === true) return undefined;
  const classified = classifyLabel(label);
  if (classified.class === 'irreversible') {
    const refused = new Set([...classified.acts].filter((act) => acts?.has(act) !== true));
    return refused.size === 0 ? undefined : { because: 'acts', acts: refused };
  }
  if (classified.class === 'harmless' || unsure?.(label) === true) return undefined;
  return { because: spelled(label) === '' ? 'unread' : 'unsure' };
}

/** The words of a text in one spelling. */
export const spelled = (text: string): string =>
  wordsOfLabel(text)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .join(' ');
