import type { Act } from './actTable.ts';
import { classifyLabel } from './classifyLabel.ts';
import { wordsOfLabel } from './wordForms.ts';

/** What may be chosen on a live number in addition to what is plainly harmless. */
interface Consent {
  readonly acts?: ReadonlySet<Act>;
  /** Returns true if this option is named explicitly, whatever it may do. */
  readonly byName?: (label: string) => boolean;
  /** Returns true if this option, whose effect isn't clear, may be chosen. */
  readonly unsure?: (label: string) => boolean;
}

/**
 * - `acts`: it may do this, which wasn't requested
 * - `unsure`: it isn't known to be harmless
 * - `unread`: its words aren't known
 */
export type OptionRefusal =
  { readonly because: 'acts'; readonly acts: ReadonlySet<Act> } | { readonly because: 'unsure' | 'unread' };

/**
 * Decides whether an option may be chosen on a live number: the one rule for mappings and missions. Returns undefined
 * if it may.
 * @param label Or the phrase to say.
 */
export function whyRefused(label: string, { acts, byName, unsure }: Consent): OptionRefusal | undefined {
  if (byName?.(label) === true) return undefined;
  const classified = classifyLabel(label);
  if (classified.class === 'irreversible') {
    const refused = new Set([...classified.acts].filter((act) => acts?.has(act) !== true));
    return refused.size === 0 ? undefined : { because: 'acts', acts: refused };
  }
  if (classified.class === 'harmless' || unsure?.(label) === true) return undefined;
  return { because: spelled(label) === '' ? 'unread' : 'unsure' };
}

/** Returns the words of a text in a uniform spelling. */
export const spelled = (text: string): string =>
  wordsOfLabel(text)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .join(' ');
