import type { ProbeStep } from '../../contract/probe.ts';
import { english } from '../../language/menu/english.ts';
import { readMenu } from '../../language/menu/readMenu.ts';

export type ReachStep = Extract<ProbeStep, { do: 'reach' }>;
type Act = { readonly press: string } | { readonly say: string };
export type Way = { readonly fits: boolean } & Act;
interface Offered {
  readonly label: string;
  readonly way: Act;
}

/** What leads on at a prompt: an option or a phrase on offer that fits, else the ways out that are left. `tried` holds what was done at this prompt. */
export function chooseWay(
  prompt: string,
  { towards, by, otherwise = [] }: Pick<ReachStep, 'towards' | 'by' | 'otherwise'>,
  tried: ReadonlySet<string>,
): Way | undefined {
  const { options, speech } = readMenu(prompt);
  const onOffer: Offered[] = [
    ...options.map(({ key, label }) => ({ label, way: { press: key } })),
    ...speech.map((phrase) => ({ label: phrase, way: { say: phrase } })),
    // "Press or say one": who has no keys says the key's name.
    ...options
      .filter(({ key }) => by === 'speech' && speech.includes(english.keyNames[key] ?? key))
      .map(({ key, label }) => ({ label, way: { say: english.keyNames[key] ?? key } })),
  ];
  const may = (way: Act): boolean =>
    !tried.has(nameOf(way)) && (by === undefined || 'press' in way === (by === 'keys'));
  const offered = (pattern: string): Act | undefined =>
    onOffer.find(({ label, way }) => new RegExp(pattern, 'u').test(label) && may(way))?.way;
  const fitting = offered(towards);
  if (fitting) return { fits: true, ...fitting };
  for (const out of otherwise) {
    const way = 'towards' in out ? offered(out.towards) : out;
    if (way && may(way)) return { fits: false, ...way };
  }
  return undefined;
}

const nameOf = (way: Act): string => ('press' in way ? way.press : way.say);

/** What was done at which prompt; a prompt that comes again in the same words is the same. */
export class TriedWays {
  readonly #tried = new Map<string, Set<string>>();

  at(prompt: string): ReadonlySet<string> {
    return this.#tried.get(fold(prompt)) ?? new Set();
  }

  add(prompt: string, way: Way): void {
    const at = fold(prompt);
    this.#tried.set(at, new Set([...this.at(prompt), nameOf(way)]));
  }
}

const fold = (prompt: string): string =>
  prompt
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const refusals = /\b(?:no\b|not\b|decline|refuse|disagree|without|opt out|don't|do not)/;
const agreements = /\b(?:yes|agree|accept|consent|confirm|continue|correct)\b/;

/** How yes or no is said at this prompt: by the key that stands for it, else in words. */
export function yesOrNo(prompt: string, give: 'yes' | 'no'): Way {
  const { options } = readMenu(prompt);
  const option = options.find(({ label }) =>
    give === 'no' ? refusals.test(label) : agreements.test(label) && !refusals.test(label),
  );
  return option ? { fits: true, press: option.key } : { fits: true, say: give === 'yes' ? 'Yes.' : 'No.' };
}
