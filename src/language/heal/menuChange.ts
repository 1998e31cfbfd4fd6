import type { MenuOption } from '../../contract/menu.ts';
import { comparableTokens } from '../../model/heard/spokenForms.ts';
import { englishLexicon } from '../menu/english.ts';
import { readMenu } from '../menu/readMenu.ts';
import { compareWording } from './wording.ts';

/** What became of the options of a menu that aren't offered as before. */
export interface MenuChange {
  readonly moved: readonly (MenuOption & { readonly to: string })[];
  /** `now` is a label that differs by a value. */
  readonly gone: readonly (MenuOption & { readonly now?: string })[];
  /** Their labels or keys can't be compared for certain. */
  readonly unclear: readonly MenuOption[];
}

export function menuChange(before: string, now: string): MenuChange {
  const [old, current] = [readMenu(before), readMenu(now)];
  const isUnsure = old.unsure !== undefined || current.unsure !== undefined;
  const isHeardOut = current.options.some(({ key, label }, at) => {
    const was = old.options[at];
    return key !== was?.key || label !== was.label;
  });
  const [moved, gone, unclear]: [(MenuOption & { to: string })[], (MenuOption & { now?: string })[], MenuOption[]] = [
    [],
    [],
    [],
  ];
  for (const option of old.options) {
    const compared = current.options.map((other) => ({ ...other, wording: compareWording(option.label, other.label) }));
    const [same, ...more] = compared.filter(({ wording }) => wording.finding === 'same');
    const near = compared.find(({ wording }) => wording.sentences.length > 0);
    if ([same, ...more].some((one) => one?.key === option.key)) continue;
    if (isUnsure || option.label === '' || more.length > 0) unclear.push(option);
    else if (same) moved.push({ ...option, to: same.key });
    else if (near?.wording.finding === 'values') gone.push({ ...option, now: near.label });
    else if (near || !isHeardOut) unclear.push(option);
    else gone.push(option);
  }
  return { moved, gone, unclear };
}

export const isOffer = (sentence: string): boolean => readMenu(sentence).options.length > 0;

const keyed =
  /\b(press|push|dial|hit|choose|select|enter|number|key)(\s+(?:the\s+)?(?:number\s+|key\s+)?)([0-9]|[a-z]+)\b/gi;
const keysByName = new Map(Object.entries(englishLexicon.keyNames).map(([key, name]) => [name, key]));
const keyNamed = (name: string): string => keysByName.get(name.toLowerCase()) ?? name;

/** Recognition spells a word as the test does if it expects the word, and otherwise often in the American way. */
const americanSpelling = (word: string): string =>
  word.length < 5
    ? word
    : word
        .replace(/our(?=s?$|ed$|ing$)/, 'or')
        .replace(/tre(?=s?$)/, 'ter')
        .replace(/is(?=(?:e[ds]?|ing|ations?)$)/, 'iz');

/** Returns the options with other keys if nothing else that was said before differs. Undefined otherwise. */
export function movedKeys(before: string, now: string): MenuChange['moved'] | undefined {
  const { moved, gone, unclear } = menuChange(before, now);
  if (moved.length === 0 || gone.length + unclear.length > 0) return undefined;
  const wordsIn = (text: string): string =>
    comparableTokens(text, true)
      .map(({ text: word }) => americanSpelling(word))
      .join(' ');
  const said = wordsIn(now);
  const wanted = wordsIn(withMovedKeys(before, moved));
  return said === wanted || said.startsWith(`${wanted} `) ? moved : undefined;
}

/** Names the new key wherever a text says which key to press. */
export const withMovedKeys = (text: string, moves: MenuChange['moved']): string =>
  text.replaceAll(keyed, (all, verb: string, between: string, name: string) => {
    const move = moves.find(({ key }) => key === keyNamed(name));
    return move ? `${verb}${between}${/\d/.test(name) ? move.to : (englishLexicon.keyNames[move.to] ?? move.to)}` : all;
  });
