import { readMenu } from '../menu/readMenu.ts';
import type { Act } from './actTable.ts';
import { classifyLabel } from './classifyLabel.ts';

/**
 * What a person asked for, as far as it is something irreversible: the acts that their text names, but not those that
 * it rules out.
 */
export function actsWanted(...texts: readonly string[]): ReadonlySet<Act> {
  return new Set(
    texts
      .flatMap(sentences)
      .filter((sentence) => !ruledOut.test(sentence))
      .flatMap(actsOf),
  );
}

/**
 * The acts of an option that go beyond what is wanted. Who confirms does what the prompt says: "You want to cancel your
 * policy. To confirm, press 1."
 * @param label Or the phrase that would be said.
 */
export function actsBeyond(label: string, prompt: string, wanted: ReadonlySet<Act>): ReadonlySet<Act> {
  const acts = actsOf(label);
  const confirmed = acts.includes('confirms')
    ? sentences(prompt)
        .filter((sentence) => readMenu(sentence).options.length === 0)
        .flatMap(actsOf)
    : [];
  return new Set([...acts, ...confirmed].filter((act) => act !== 'confirms' && !wanted.has(act)));
}

const ruledOut = /\b(?:not|never|without|avoid|except)\b|n['’]t\b/i;
const sentences = (text: string): string[] => text.split(/[.;!?\n]+/);

function actsOf(text: string): Act[] {
  const classified = classifyLabel(text);
  return classified.class === 'irreversible' ? [...classified.acts] : [];
}
