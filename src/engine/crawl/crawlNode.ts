import type { MenuReading } from '../../contract/menu.ts';
import type { EndKind, NodeStatus } from '../../contract/tree.ts';
import type { NextMenu } from '../hearing/promptText.ts';
import type { ExpectedPrompt, Fingerprint, Word } from '../../speech/ear.ts';
import { restsAfterPauses, type PromptRest } from '../../speech/fingerprint.ts';
import { source } from '../../base/rows.ts';
import { firstOptionMs } from './sameMenu.ts';

/** A node of the tree during a crawl: what is reported, and what the crawl needs to come back to it. */
export interface CrawlNode {
  readonly id: string;
  parentId?: string;
  /** The key or phrase that leads here from the parent. */
  readonly digit?: string;
  phrase?: string;
  label: string;
  /** If the phrase names a key: the label of that key's option. */
  readonly means?: string;
  readonly depth: number;
  /** The menu above leads here by itself if no key is pressed. */
  readonly byWaiting?: boolean;
  hidden?: boolean;
  status: NodeStatus;
  transcript?: string;
  words?: readonly Word[];
  reading?: MenuReading;
  end?: EndKind;
  transferTo?: string;
  linksTo?: string;
  reason?: string;
  /** Length of the step's audio, which contains the prompt. */
  durationMs?: number;
  promptMs?: number;
  /** Where the prompt begins in the step's audio. */
  promptStartMs?: number;
  promptEndMs?: number;
  /** From the end of the key or phrase to the first sound of the prompt. On the root, from the answer. */
  latencyMs?: number;
  /** When the option that leads here was understood, from the start of the parent's prompt. */
  understoodMs?: number;
  fingerprint?: Fingerprint;
  /** Other recordings that lead to this menu, for example with a greeting before it. */
  aliases?: Fingerprint[];
  /** Whether a key stops this prompt. Learned once. */
  bargeIn?: 'works' | 'none';
  /** Whether a key can be sent here before the prompt is recognised. Learned once. */
  takesAhead?: boolean;
  /** While the prompt is still being heard: where its first option begins in the step's audio, if that is known. */
  offersFromMs?: number;
  /** The earliest time in the prompt, before its first option, at which a key was accepted. */
  opensMs?: number;
  /** A key was tried at the first sound of this prompt. */
  triedEarly?: boolean;
  /** A key that no prompt offers was rejected here, so unoffered keys that aren't rejected lead somewhere. */
  rejects?: boolean;
  /** The prompt may have timed out into this menu. Guessed keys find out whether it listens. */
  nextMenu?: NextMenu;
  /** A guessed key led to the menu that follows the time-out, so this prompt listens. */
  listens?: boolean;
  /** No guessed key was accepted before the menu that follows, so that menu belongs to this prompt. */
  isWhole?: boolean;
  /** This key is only guessed, because the prompt wasn't fully understood. */
  guessed?: boolean;
  /** It fell silent after words that ask for nothing, so the next call waits longer. */
  fellSilent?: boolean;
  /** Its prompt isn't in a language that Dialtree understands, so its options aren't known. */
  foreign?: boolean;
  attempts: number;
  /** How often the key that leads here may have got lost. */
  lost?: number;
  /** How often the called side hung up at once after this option. */
  drops?: number;
  /** Dialtree hung up while it was being heard. */
  cut?: boolean;
  /** Its key was sent late, because this machine was busy, so it may not exist. */
  unsure?: boolean;
  /** Menus that sound like this one but aren't: a look-ahead key led elsewhere. */
  notSame?: string[];
}

export const isOpen = (node: CrawlNode): boolean => node.status === 'pending';
export const isMenu = (node: CrawlNode): boolean => node.status === 'explored' && node.end === undefined;

/** Keys that lead back or repeat the prompt. They are cheap to check, because the call continues. */
const navigation = /\b(?:repeat|again|replay|main menu|previous|go back|back|return|start over|beginning)\b/;
const repetition = /\b(?:repeat|again|replay)\b/;
/** Returns true if the label says that this key repeats the menu. */
export const repeatsMenu = (node: CrawlNode): boolean => repetition.test(node.label);
export const leadsBack = (node: CrawlNode): boolean => navigation.test(node.label);
/** Returns true if the label says that this key leads to the menu above. */
export const leadsAbove = ({ label }: CrawlNode): boolean =>
  /\b(?:previous|back)\b/.test(label) && !/\bmain\b/.test(label);

const languageNames = source`
  spanish|espa[nñ]ol|castellano|french|fran[cç]ais|german|deutsch|italian\w*|portugu[eê]s\w*|polish|polski|welsh|cymraeg
  |irish|gaeilge|dutch|nederlands|russian|chinese|mandarin|cantonese|japanese|korean|vietnamese|tagalog|arabic|hindi
  |punjabi|urdu|greek|turkish|creole|somali|hmong
`;
const otherLanguage = new RegExp(`(?<!\\p{L})(?:${languageNames})(?!\\p{L})`, 'iu');
/** Returns true if the label offers a language other than English. */
export const namesOtherLanguage = (label: string): boolean => otherLanguage.test(label);

/** Returns where a prompt's options begin. What comes before can be an announcement that doesn't accept keys. */
const optionsStartMs = ({ words = [], reading }: CrawlNode): number =>
  reading ? firstOptionMs({ words, reading, startMs: 0 }) : 0;

/** Returns from where in the prompt this menu is believed to take keys. */
export const acceptsKeysFromMs = (menu: CrawlNode): number => Math.min(optionsStartMs(menu), menu.opensMs ?? Infinity);

/** A menu is the same without, or with another, announcement before its options, which begin after a pause. */
function restsOf(node: CrawlNode, fingerprint: Fingerprint): readonly PromptRest[] {
  const found = rests.get(fingerprint) ?? restsAfterPauses(fingerprint, optionsStartMs(node));
  rests.set(fingerprint, found);
  return found;
}
const rests = new WeakMap<Fingerprint, readonly PromptRest[]>();

/** Returns the recordings by which a menu's prompt is recognised. */
export const recordingsOf = ({ fingerprint, aliases = [] }: CrawlNode): readonly Fingerprint[] =>
  fingerprint ? [fingerprint, ...aliases] : aliases;

/** Returns what can be recognised of a menu's prompt that is already playing: what is left of it after each pause. */
export const restsOfPrompt = ({ id, fingerprint }: CrawlNode): ExpectedPrompt[] =>
  fingerprint ? restsAfterPauses(fingerprint, Infinity).map((rest) => ({ id, ...rest })) : [];

/**
 * Returns what can be recognised of these menus by sound. `whole`: only whole prompts, because a sentence before the
 * options can say what a key does.
 */
export function expectedPrompts(
  nodes: Iterable<CrawlNode>,
  { except = [], whole }: { readonly except?: readonly string[]; readonly whole: boolean },
): ExpectedPrompt[] {
  const prompts: ExpectedPrompt[] = [];
  for (const node of nodes) {
    if (!isMenu(node) || except.includes(node.id)) continue;
    for (const fingerprint of recordingsOf(node)) prompts.push({ id: node.id, fingerprint });
    if (node.fingerprint && !whole)
      for (const rest of restsOf(node, node.fingerprint)) prompts.push({ id: node.id, ...rest });
  }
  return prompts;
}
