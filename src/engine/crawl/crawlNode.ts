import type { MenuReading } from '../../contract/menu.ts';
import type { EndKind, NodeStatus } from '../../contract/tree.ts';
import type { ExpectedPrompt, Fingerprint, Word } from '../../speech/ear.ts';

/** A place in the tree, as the crawl knows it: what is told to others, and what it needs to come back here. */
export interface CrawlNode {
  readonly id: string;
  readonly parentId?: string;
  /** The key that leads here from the parent, or the phrase that does. */
  readonly digit?: string;
  readonly phrase?: string;
  label: string;
  /** What the phrase stands for, where it is the name of a key: that option's label. */
  readonly means?: string;
  readonly depth: number;
  hidden?: boolean;
  status: NodeStatus;
  transcript?: string;
  words?: readonly Word[];
  reading?: MenuReading;
  end?: EndKind;
  linksTo?: string;
  reason?: string;
  /** Length of the step's audio and of the prompt in it. */
  durationMs?: number;
  promptMs?: number;
  /** Where the prompt lies in the step's audio. */
  promptStartMs?: number;
  promptEndMs?: number;
  /** From the end of the key or phrase to the first sound of the prompt; on the root from the answer. */
  latencyMs?: number;
  /** When the option that leads here was understood, from the start of the parent's prompt. */
  understoodMs?: number;
  fingerprint?: Fingerprint;
  /** Other recordings that lead to this menu: with a greeting in front, say. */
  aliases?: Fingerprint[];
  /** Whether a key stops this prompt; learned once. */
  bargeIn?: 'works' | 'none';
  /** Whether a key may be sent here before its prompt has been recognised; learned once. */
  takesAhead?: boolean;
  /** Whether a key is taken from the first sound of this prompt on, before its first option; learned once. */
  takesEarly?: boolean;
  /** A key that no prompt offers was rejected here, so others that aren't lead somewhere. */
  rejects?: boolean;
  attempts: number;
  /** We hung up while it was being heard. */
  cut?: boolean;
  /** Menus that sound like this one and are not: a look-ahead key led elsewhere. */
  notSame?: string[];
}

export const isOpen = (node: CrawlNode): boolean => node.status === 'pending';
export const isMenu = (node: CrawlNode): boolean => node.status === 'explored' && node.end === undefined;

/** Keys that lead back or play the prompt again: cheap to check, since the call goes on. */
const navigation = /\b(?:repeat|again|replay|main menu|previous|go back|back|return|start over|beginning)\b/;
const repetition = /\b(?:repeat|again|replay)\b/;
/** Whether the label says that this key plays the same menu again. */
export const repeatsMenu = (node: CrawlNode): boolean => repetition.test(node.label);
export const leadsBack = (node: CrawlNode): boolean => navigation.test(node.label);

export function expectedPrompts(nodes: Iterable<CrawlNode>, except: readonly string[] = []): ExpectedPrompt[] {
  const prompts: ExpectedPrompt[] = [];
  for (const node of nodes) {
    if (!isMenu(node) || except.includes(node.id)) continue;
    for (const fingerprint of [node.fingerprint, ...(node.aliases ?? [])])
      if (fingerprint) prompts.push({ id: node.id, fingerprint });
  }
  return prompts;
}
