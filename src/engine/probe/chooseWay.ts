import type { ProbeStep } from '../../contract/compliance.ts';
import { readMenu } from '../../language/menu/readMenu.ts';

export type ReachStep = Extract<ProbeStep, { do: 'reach' }>;
export type Way = { readonly fits: boolean } & ({ readonly press: string } | { readonly say: string });

/** What leads on at a prompt: an option or a phrase on offer that fits, else the ways out that are left. `tried` holds what was done at this prompt. */
export function chooseWay(prompt: string, { towards, otherwise = [] }: Pick<ReachStep, 'towards' | 'otherwise'>, tried: ReadonlySet<string>): Way | undefined {
  const pattern = new RegExp(towards, 'u');
  const { options, speech } = readMenu(prompt);
  const option = options.find(({ key, label }) => pattern.test(label) && !tried.has(key));
  if (option) return { fits: true, press: option.key };
  const phrase = speech.find((offered) => pattern.test(offered) && !tried.has(offered));
  if (phrase !== undefined) return { fits: true, say: phrase };
  const wayOut = otherwise.find((way) => !tried.has('press' in way ? way.press : way.say));
  return wayOut && { fits: false, ...wayOut };
}

/** What was done at which prompt; a prompt that comes again in the same words is the same. */
export class TriedWays {
  readonly #tried = new Map<string, Set<string>>();

  at(prompt: string): ReadonlySet<string> { return this.#tried.get(fold(prompt)) ?? new Set(); }

  add(prompt: string, way: Way): void {
    const at = fold(prompt);
    this.#tried.set(at, new Set([...this.at(prompt), 'press' in way ? way.press : way.say]));
  }
}

const fold = (prompt: string): string => prompt.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();

const refusals = /\b(?:no\b|not\b|decline|refuse|disagree|without|opt out|don't|do not)/;
const agreements = /\b(?:yes|agree|accept|consent|confirm|continue|correct)\b/;

/** How yes or no is said at this prompt: by the key that stands for it, else in words. */
export function yesOrNo(prompt: string, give: 'yes' | 'no'): Way {
  const { options } = readMenu(prompt);
  const option = options.find(({ label }) => (give === 'no' ? refusals.test(label) : agreements.test(label) && !refusals.test(label)));
  return option ? { fits: true, press: option.key } : { fits: true, say: give === 'yes' ? 'Yes.' : 'No.' };
}
