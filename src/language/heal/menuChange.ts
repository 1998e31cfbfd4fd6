import type { MenuOption } from '../../contract/menu.ts';
import { spelledTokens } from '../../model/heard/spokenForms.ts';
import { englishLexicon } from '../menu/english.ts';
import { readMenu } from '../menu/readMenu.ts';
import { compareWording, sentencesIn } from './wording.ts';

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

/**
 * Returns the options with other keys if nothing else that was said before differs, and what is said after it can't
 * matter. Undefined otherwise.
 */
export function movedKeys(before: string, now: string): MenuChange['moved'] | undefined {
  const { moved, gone, unclear } = menuChange(before, now);
  if (moved.length === 0 || gone.length + unclear.length > 0) return undefined;
  const [wanted, said] = [withMovedKeys(before, moved), now].map((text) =>
    spelledTokens(text).map((word) => word.text),
  );
  if (!wanted || !said || wanted.some((word, at) => word !== said[at])) return undefined;
  const tail = compareWording('', said.slice(wanted.length).join(' '));
  let place = 0;
  const after = sentencesIn(now).filter((each) => {
    const isAfter = place >= wanted.length;
    place += spelledTokens(each).length;
    return isAfter && !isOffer(each);
  });
  const mayMatter = tail.finding === 'values' || compareWording('', after.join(' ')).finding === 'new';
  return mayMatter ? undefined : moved;
}

/** Names the new key wherever a text says which key to press. */
export const withMovedKeys = (text: string, moves: MenuChange['moved']): string =>
  text.replaceAll(keyed, (all, verb: string, between: string, name: string) => {
    const move = moves.find(({ key }) => key === keyNamed(name));
    return move ? `${verb}${between}${/\d/.test(name) ? move.to : (englishLexicon.keyNames[move.to] ?? move.to)}` : all;
  });
