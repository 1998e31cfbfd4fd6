import type { MenuReading } from '../../contract/menu.ts';
import type { EndKind, NodeStatus } from '../../contract/tree.ts';
import type { ExpectedPrompt, Fingerprint, Word } from '../../speech/ear.ts';
import { restsAfterPauses, type PromptRest } from '../../speech/fingerprint.ts';
import { source } from '../../base/rows.ts';
import { firstOptionMs } from './sameMenu.ts';

/** What is reported of a step. Only `CrawlMap` changes it. */
export interface ReportedStep {
  readonly id: string;
  readonly parentId?: string;
  /** The key or phrase that leads here from the parent. */
  readonly digit?: string;
  readonly phrase?: string;
  readonly label: string;
  /** If the phrase names a key: the label of that key's option. */
  readonly means?: string;
  readonly depth: number;
  /** The menu above leads here by itself if no key is pressed. */
  readonly byWaiting?: boolean;
  readonly hidden?: boolean | undefined;
  readonly status: NodeStatus;
  readonly transcript?: string;
  readonly words?: readonly Word[];
  readonly reading?: MenuReading;
  /** Its prompt isn't in a language that Dialtree understands, so its options aren't known. */
  readonly foreign?: boolean;
  readonly end?: EndKind | undefined;
  readonly transferTo?: string;
  readonly linksTo?: string | undefined;
  readonly reason?: string | undefined;
  /** Length of the step's audio, which contains the prompt. */
  readonly durationMs?: number;
  readonly promptMs?: number;
  /** Where the prompt begins in the step's audio. */
  readonly promptStartMs?: number;
  readonly promptEndMs?: number;
  /** From the end of the key or phrase to the first sound of the prompt. On the root, from the answer. */
  readonly latencyMs?: number;
  /** When the option that leads here was understood, from the start of the parent's prompt. */
  readonly understoodMs?: number;
  /**
   * This machine was busy. Its key was sent late, so it may not exist, or its words weren't all text in time; then
   * `reason` says so.
   */
  readonly unsure?: boolean;
}

/** How a menu sounds and when it listens, as calls have learnt it. Only `CrawlMap.learn` changes it. */
export interface MenuFacts {
  readonly fingerprint?: Fingerprint | undefined;
  /** Other recordings that lead to this menu, for example with a greeting before it. */
  readonly aliases?: readonly Fingerprint[];
  /** Whether a key stops this prompt. Learned once. */
  readonly bargeIn?: 'works' | 'none' | undefined;
  /** Whether a key can be sent here before the prompt is recognised. Learned once. */
  readonly takesAhead?: boolean;
  /** While the prompt is still being heard: where its first option begins in the step's audio, if that is known. */
  readonly offersFromMs?: number;
  /** The earliest time in the prompt, before its first option, at which a key was accepted. */
  readonly opensMs?: number | undefined;
  /** A key was tried at the first sound of this prompt. */
  readonly triedEarly?: boolean;
  /** A key that no prompt offers was rejected here, so unoffered keys that aren't rejected lead somewhere. */
  readonly rejects?: boolean;
  /**
   * The silence, in milliseconds, after which words that weren't understood continued with a menu. They may be a menu
   * that timed out. Its keys are tried.
   */
  readonly doubtedMs?: number | undefined;
}

/** What a run still has to do at a step, and what it has tried. */
interface Todo {
  attempts: number;
  /** How often the key that leads here may have got lost. */
  lost?: number;
  /** How often the called side hung up at once after this option. */
  drops?: number;
  /** Dialtree hung up while it was being heard. */
  cut?: boolean;
  /** It fell silent after words that ask for nothing, so the next call waits longer. */
  fellSilent?: boolean;
  /** A silence within its prompt isn't a time-out. */
  isWhole?: boolean;
  /** Menus that sound like this one but aren't: a look-ahead key led elsewhere. */
  notSame?: readonly string[];
}

/** A step of the tree during a run. */
export interface CrawlNode extends ReportedStep, MenuFacts, Todo {}

/** Adds a time of the prompt at which a key was accepted. If only its rest played, its beginning hasn't been tried. */
export function openedAt(known: MenuFacts, ms: number): MenuFacts {
  const opensMs = Math.min(known.opensMs ?? Infinity, ms);
  return { opensMs, triedEarly: opensMs < worthSavingMs };
}

/** It is decided whether these words are a menu. */
export const decided: MenuFacts = { doubtedMs: undefined, bargeIn: undefined };

/** A key is sent before the options of a menu only if that saves more than this. */
export const worthSavingMs = 1000;

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
