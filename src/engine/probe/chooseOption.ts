import type { ProbeStep } from '../../contract/probe.ts';
import { english } from '../../language/menu/english.ts';
import { findActs } from '../../language/labels/announced.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import type { Deed } from '../call/testCall.ts';

export type ReachStep = Extract<ProbeStep, { do: 'reach' }>;
export type Way = { readonly fits: boolean } & Deed;
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
  refuses: (way: Deed, asked: readonly string[], isStated: boolean) => boolean,
): Way | undefined {
  const { options, speech } = readMenu(prompt);
  const onOffer: Offered[] = [
    ...options.map(({ key, label }) => ({ label, way: { press: key } })),
    ...speech.map((phrase) => ({ label: phrase, way: { say: phrase } })),
    // "Press or say one": without keys, the caller says the key's name.
    ...options
      .filter(({ key }) => by === 'speech' && speech.includes(english.keyNames[key] ?? key))
      .map(({ key, label }) => ({ label, way: { say: english.keyNames[key] ?? key } })),
  ];
  const may = (way: Deed): boolean =>
    !tried.has(nameOf(way)) && (by === undefined || 'press' in way === (by === 'keys'));
  const asked = otherwise.flatMap((out) => ('say' in out ? out.say : []));
  const offered = (pattern: string): Deed | undefined =>
    onOffer.find(({ label, way }) => {
      const wanted = new RegExp(pattern, 'gu');
      if (label.search(wanted) === -1 || !may(way)) return false;
      // "make a complaint" for "complaint": an action on what the step wants is wanted too.
      const isNamed = findActs(label).length > 0 && findActs(label.replaceAll(wanted, ' ')).length === 0;
      return !refuses(way, [...asked, ...(isNamed ? [label] : (label.match(wanted) ?? []))], false);
    })?.way;
  const fitting = offered(towards);
  if (fitting) return { fits: true, ...fitting };
  for (const out of otherwise) {
    const way = 'towards' in out ? offered(out.towards) : out;
    if (way && may(way) && ('towards' in out || !refuses(way, [towards, ...asked], true)))
      return { fits: false, ...way };
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
  refuses: (way: Deed, asked: readonly string[]) => boolean,
): Way | undefined {
  const { options } = readMenu(prompt);
  const option = options.find(({ label }) =>
    give === 'no' ? refusals.test(label) : agreements.test(label) && !refusals.test(label),
  );
  const way: Deed = option ? { press: option.key } : { say: give === 'yes' ? 'Yes.' : 'No.' };
  return refuses(way, [...answering[give], ...asked]) ? undefined : { fits: true, ...way };
}
