import type { CalltreeNode } from '../../contract/calltreeFile.ts';
import type { TreeNode } from '../../contract/tree.ts';
import type { TreeChange, TreeChangeKind } from '../../contract/treeDiff.ts';
import { differingParts } from './diff/differingParts.ts';
import { indexTree, type IndexedStep } from './diff/indexedTree.ts';
import { saysOtherwise } from './diff/saysOtherwise.ts';
import { SpokenText } from './diff/spokenText.ts';
import { isEndLead, leadPhrase, shownSeconds } from './diff/stepChanges.ts';
import type { TreeDiff } from './diff/treeDiff.ts';
import { endPhrases, inputNouns } from './endPhrases.ts';

/**
 * Returns a tree as text for diff tools and version control: one fact per line (an option, a sentence, where it ends
 * or leads), indented by depth, options in keypad order. Ids, times and calls are left out, and a menu with several
 * paths appears at the first one nearest the root, so the same IVR gives the same text as far as recognition does.
 */
export const treeOutline = (tree: TreeNode | CalltreeNode): string => outlines(tree, []).current;

/**
 * Returns the outlines of two trees that were compared, to show them side by side. Only changes differ.
 * Everything else is written as in the current tree.
 */
export const compareOutlines = ({ tree, changes }: Pick<TreeDiff, 'tree' | 'changes'>): Outlines =>
  outlines(tree, changes);

interface Outlines {
  readonly base: string;
  readonly current: string;
}

type Changes = { readonly [Kind in TreeChangeKind]?: TreeChange };

/** @param changes of the tree, in which removed steps are put back */
function outlines(tree: TreeNode | CalltreeNode, changes: readonly TreeChange[]): Outlines {
  const [root] = indexTree(tree);
  if (!root) return { base: '', current: '' };
  const byStep = new Map<string, Changes>();
  for (const change of changes) {
    const id = change.stepId ?? `base:${change.baseStepId ?? ''}`;
    byStep.set(id, { ...byStep.get(id), [change.kind]: change });
  }
  const changesOf = (step: IndexedStep): Changes => byStep.get(step.id) ?? {};
  const { shownAt, placeOf } = places(root);
  const sides: Record<keyof Outlines, string[]> = { base: [], current: [] };
  // A stack instead of recursion, because a tree can be as deep as its file.
  const open: { readonly step: IndexedStep; readonly indent: string }[] = [{ step: root, indent: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { step, indent } = next;
    const below = step.parent ? `${indent}  ` : indent;
    const { added, removed, moved, renumbered, relinked, slower } = changesOf(step);
    const write = (margin: string, base: readonly string[], current = base): void => {
      if (!added) sides.base.push(...base.map((line) => margin + line));
      if (!removed) sides.current.push(...current.map((line) => margin + line));
    };
    if (step.parent) {
      const way = wayOf(step, renumbered?.after);
      write(
        indent,
        [renumbered ? wayOf(step, renumbered.before) : way],
        [moved ? `${way} (moved from ${moved.before ?? ''})` : way],
      );
    }
    if (slower)
      write(
        below,
        ...([slower.before, slower.after].map((ms) => [`starts after ${shownSeconds(Number(ms))}`]) as Pair),
      );
    if (relinked) write(below, ...([relinked.before, relinked.after].map((lead = '') => [leadPhrase(lead)]) as Pair));
    const menu = step.leadsTo;
    const target = menu && shownAt.get(menu);
    if (step.behind === 'link' ? target !== step : menu === step && target !== step) {
      if (!relinked) write(below, [`leads to ${target ? placeOf(target) : "a place that isn't in this tree"}`]);
      continue;
    }
    const shown = menu ?? step;
    const { reworded } = changesOf(shown);
    const said = saidAt(shown);
    if (reworded) write(below, saidIn(reworded.before), saidIn(writtenAsBefore(reworded)));
    // Another end or menu than before: these aren't the words of the base.
    else
      write(
        below,
        relinked && ![relinked.before, relinked.after].every((lead = '') => isEndLead(lead)) ? [] : said,
        said,
      );
    const facts = factsOf(shown, relinked !== undefined);
    write(below, relinked ? [] : facts, facts);
    open.push(
      ...[...shown.children]
        .sort(compareWays)
        .reverse()
        .map((child) => ({ step: child, indent: below })),
    );
  }
  const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  return { base: textOf(sides.base), current: textOf(sides.current) };
}

type Pair = [string[], string[]];

/** Returns the new words, with the sentences that say the same as before written as before. */
function writtenAsBefore({ before = '', after = '' }: TreeChange): string {
  const [one, other] = differingParts(before, after);
  const then = sentences(one.words.slice(one.from, one.to).join(' ')).map((each) => new SpokenText(each));
  const now = sentences(other.words.slice(other.from, other.to).join(' ')).map((each) => new SpokenText(each));
  const middle = now.map((each) => (then.find((old) => !saysOtherwise(old, each)) ?? each).text);
  return [...one.words.slice(0, one.from), ...middle, ...one.words.slice(one.to)].join(' ');
}

/** Returns for each menu the position at which it is shown: the first one, level by level in keypad order. */
function places(root: IndexedStep): {
  readonly shownAt: ReadonlyMap<IndexedStep, IndexedStep>;
  readonly placeOf: (step: IndexedStep) => string;
} {
  const shownAt = new Map<IndexedStep, IndexedStep>();
  const above = new Map<IndexedStep, IndexedStep>();
  const queue = [root];
  for (const step of queue) {
    const menu = step.leadsTo ?? step;
    if (shownAt.has(menu)) continue;
    shownAt.set(menu, step);
    for (const child of [...menu.children].sort(compareWays)) {
      above.set(child, step);
      queue.push(child);
    }
  }
  const placeOf = (step: IndexedStep): string => {
    const ways: string[] = [];
    for (let at: IndexedStep | undefined = step; at && above.has(at); at = above.get(at)) ways.push(at.way);
    return ways.length === 0 ? 'the first menu' : ways.reverse().join(' > ');
  };
  return { shownAt, placeOf };
}

function wayOf({ node: { digit, hidden, byWaiting }, way: own, label: { text } }: IndexedStep, way = own): string {
  if (byWaiting === true) return oneLine(way);
  if (digit === undefined) return `"${oneLine(way)}"`;
  return [way, ...(text === '' ? [] : [oneLine(text)]), ...(hidden === true ? ['(hidden)'] : [])].join(' ');
}

const saidAt = ({ isProven, words }: IndexedStep): string[] => (isProven ? saidIn(words.text) : []);
const saidIn = (words = ''): string[] => sentences(words).map((each) => `says ${each}`);

function factsOf({ isProven, node: { status, end, inputRequired } }: IndexedStep, isEndKnown: boolean): string[] {
  if (!isProven) return [unheardWords[status ?? 'pending'] ?? 'not heard'];
  if (!inputRequired) return end === undefined || isEndKnown ? [] : [endPhrases[end]];
  const { type, description, terminator } = inputRequired;
  const noun = type === 'other' && description ? oneLine(description) : inputNouns[type];
  return [
    `asks for ${noun}${terminator === undefined ? '' : `, ended with ${terminator}`}`,
    ...(end === undefined || end === 'input' || isEndKnown ? [] : [endPhrases[end]]),
  ];
}

const unheardWords: Readonly<Record<string, string>> = {
  pending: 'not called yet',
  exploring: 'being called',
  failed: 'not heard, because the call failed',
  skipped: 'not reached',
};

const sentences = (text: string): string[] =>
  oneLine(text)
    .split(/(?<=[.?!])\s+(?=\S)/)
    .filter((sentence) => sentence !== '');
const oneLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();

/** The usual order of a keypad: 1 to 9, star, zero, pound. */
const keypad = '123456789*0#';

/** Orders the branches of a menu: keys as on a keypad, then phrases alphabetically. */
function compareWays({ node: a }: IndexedStep, { node: b }: IndexedStep): number {
  if (a.digit !== undefined && b.digit !== undefined) return keypad.indexOf(a.digit) - keypad.indexOf(b.digit);
  if (a.digit !== undefined || b.digit !== undefined) return a.digit === undefined ? 1 : -1;
  const [one, other] = [a, b].map(({ spokenResponse, label }) => (spokenResponse ?? label ?? '').toLowerCase()) as [
    string,
    string,
  ];
  return one < other ? -1 : one > other ? 1 : 0;
}
