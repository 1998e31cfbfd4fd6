import type { PlannedCalls } from '../../../contract/callPlan.ts';
import type { L10n } from '../localise.ts';

/** As much of a criterion as a message can show. */
const shownCharacters = 300;

/** Says that a mission can't pass, or returns undefined if a rule or a language model can judge all of its criterion. */
export function unjudgedWords(
  { unjudged = [] }: { readonly unjudged?: PlannedCalls['unjudged'] | undefined },
  l10n: L10n,
): string | undefined {
  if (unjudged.length === 0) return undefined;
  const parts = unjudged.map((part) => `“${part.replaceAll(/[“”"]/g, "'")}”`).join(', ');
  const shown = parts.length > shownCharacters ? `${parts.slice(0, shownCharacters)}…` : parts;
  return l10n.t(
    "Only a language model can judge {0}, and none is set up, so this mission can't pass. Choose a language model, or write checks.",
    shown,
  );
}
