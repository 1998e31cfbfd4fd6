import type { ProbeStep } from '../../contract/probe.ts';
import { englishLexicon } from '../../language/menu/english.ts';
import { findActs } from '../../language/labels/announced.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { ChosenBy, Deed } from '../call/door.ts';

export type ReachStep = Extract<ProbeStep, { do: 'reach' }>;
export type Way = { readonly fits: boolean; readonly chosenBy: ChosenBy } & Deed;
/** Returns true if something isn't sent on a live number. */
export type Refuses = (way: Deed, chosenBy: ChosenBy) => boolean;
interface Offered {
  readonly label: string;
  readonly way: Deed;
}

/**
 * Chooses how to continue at a prompt: a matching option or phrase, otherwise one of the remaining ways out. `tried`
 * contains what was done at this prompt.
 * @param refuses Whether to leave out a matching option: on a live number, one that may do more than the step asks for,
 *   in these words. A key or phrase that the step states needn't be known to be harmless.
 */
export function chooseOption(
  prompt: string,
  { towards, by, otherwise = [] }: Pick<ReachStep, 'towards' | 'by' | 'otherwise'>,
  tried: ReadonlySet<string>,
  refuses: Refuses,
): Way | undefined {
  const { options, speech } = readMenu(prompt);
  const onOffer: Offered[] = [
    ...options.map(({ key, label }) => ({ label, way: { press: key } })),
    ...speech.map((phrase) => ({ label: phrase, way: { say: phrase } })),
    // "Press or say one": without keys, the caller says the key's name.
    ...options
      .filter(({ key }) => by === 'speech' && speech.includes(englishLexicon.keyNames[key] ?? key))
      .map(({ key, label }) => ({ label, way: { say: englishLexicon.keyNames[key] ?? key } })),
  ];
  const may = (way: Deed): boolean =>
    !tried.has(nameOf(way)) && (by === undefined || 'press' in way === (by === 'keys'));
  const asked = otherwise.flatMap((out) => ('say' in out ? out.say : []));
  const offered = (pattern: string, fits: boolean): Way | undefined => {
    for (const { label, way } of onOffer) {
      const wanted = new RegExp(pattern, 'gu');
      if (label.search(wanted) === -1 || !may(way)) continue;
      // "make a complaint" for "complaint": an action on what the step wants is wanted too.
      const isNamed = findActs(label).length > 0 && findActs(label.replaceAll(wanted, ' ')).length === 0;
      const chosenBy = { asked: [...asked, ...(isNamed ? [label] : (label.match(wanted) ?? []))] };
      if (!refuses(way, chosenBy)) return { fits, ...way, chosenBy };
    }
    return undefined;
  };
  const fitting = offered(towards, true);
  if (fitting) return fitting;
  for (const out of otherwise) {
    if ('towards' in out) {
      const way = offered(out.towards, false);
      if (way) return way;
      continue;
    }
    const chosenBy = { asked: [towards, ...asked], onlyActs: true };
    if (may(out) && !refuses(out, chosenBy)) return { fits: false, ...out, chosenBy };
  }
  return undefined;
}

const nameOf = (way: Deed): string => ('press' in way ? way.press : way.say);

/** What was done at which prompt. A prompt that repeats with the same words is the same prompt. */
export class TriedOptions {
  readonly #tried = new Map<string, Set<string>>();

  at(prompt: string): ReadonlySet<string> {
    return this.#tried.get(foldPrompt(prompt)) ?? new Set();
  }

  add(prompt: string, way: Way): void {
    const at = foldPrompt(prompt);
    this.#tried.set(at, new Set([...this.at(prompt), nameOf(way)]));
  }
}

const foldPrompt = (prompt: string): string =>
  prompt
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const refusals = /\b(?:no\b|not\b|decline|refuse|disagree|without|opt out|don't|do not)/;
const agreements = /\b(?:yes|agree|accept|consent|confirm|continue|correct)\b/;

/** What an answer may do by itself. */
const answering = { yes: ['agree'], no: ['agree', 'cancel'] } as const;

/**
 * Returns how to say yes or no at this prompt: by its key, otherwise in words, or undefined if that is refused, as in
 * `chooseOption`.
 * @param asked The words that the answer was stated for.
 */
export function yesOrNo(
  prompt: string,
  give: 'yes' | 'no',
  asked: readonly string[],
  refuses: Refuses,
): Way | undefined {
  const { options } = readMenu(prompt);
  const option = options.find(({ label }) =>
    give === 'no' ? refusals.test(label) : agreements.test(label) && !refusals.test(label),
  );
  const way: Deed = option ? { press: option.key } : { say: give === 'yes' ? 'Yes.' : 'No.' };
  const chosenBy = { asked: [...answering[give], ...asked], onlyActs: true };
  return refuses(way, chosenBy) ? undefined : { fits: true, ...way, chosenBy };
}
