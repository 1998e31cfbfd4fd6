import type { CalltreeNode } from '../../contract/calltreeFile.ts';
import type { TreeNode } from '../../contract/tree.ts';
import { atOnce } from '../sliced.ts';
import { indexTree, type IndexedStep } from './diff/indexedTree.ts';
import { matchTrees } from './diff/matchTrees.ts';
import { saysOtherwise } from './diff/saysOtherwise.ts';
import { SpokenText, textReader } from './diff/spokenText.ts';

interface Wording {
  readonly label: string;
  readonly words: string;
}
type WordingOf = (step: IndexedStep) => Wording;

const ownWording: WordingOf = ({ label, words }) => ({ label: label.text, words: words.text });

/**
 * Returns a tree as text for diff editors and version control: one fact per line (an option, a sentence, where it ends
 * or leads), indented by depth, options in keypad order. Ids, times and calls are left out, and a menu with several
 * paths appears at the first one nearest the root, so the same IVR gives the same text as far as recognition does.
 */
export function treeOutline(tree: TreeNode | CalltreeNode): string {
  return outline(indexTree(tree), ownWording);
}

/**
 * Returns the outlines of two trees of one IVR, to show them side by side. Where the current tree says the same as the
 * base, it uses the words of the base, however they were recognised.
 */
export function compareOutlines(
  base: TreeNode | CalltreeNode,
  current: TreeNode | CalltreeNode,
): { readonly base: string; readonly current: string } {
  const read = textReader();
  const [before, after] = [indexTree(base, read), indexTree(current, read)];
  const { ways, menus } = atOnce(matchTrees(before, after));
  const words = new Map(
    after.map((step) => [step, asBefore(step.words, (menus.base(step) ?? ways.base(step))?.words)]),
  );
  const wording: WordingOf = (step) => {
    const base = ways.base(step);
    // Labels are read from the menu's prompt, so they stay while the prompt stays.
    const stays = base?.parent && step.parent && words.get(step.parent) === base.parent.words.text;
    return { label: base && stays ? base.label.text : asBefore(step.label, base?.label), words: words.get(step) ?? '' };
  };
  return { base: outline(before, ownWording), current: outline(after, wording) };
}

/** Uses the earlier words if they say the same, otherwise compares sentence by sentence. */
function asBefore(now: SpokenText, then: SpokenText | undefined): string {
  if (then === undefined || now.text === '' || then.text === '') return now.text;
  if (!saysOtherwise(then, now)) return then.text;
  const [said, saying] = [then, now].map(({ text }) => sentences(text).map((sentence) => new SpokenText(sentence))) as [
    SpokenText[],
    SpokenText[],
  ];
  return saying.map((sentence) => (said.find((other) => !saysOtherwise(other, sentence)) ?? sentence).text).join(' ');
}

function outline(steps: readonly IndexedStep[], wordingOf: WordingOf): string {
  const [root] = steps;
  if (!root) return '';
  const { shownAt, placeOf } = places(root);
  const lines: string[] = [];
  // A stack instead of recursion, because a tree can be as deep as its file.
  const open: { readonly step: IndexedStep; readonly indent: string }[] = [{ step: root, indent: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { step, indent } = next;
    const below = step.parent ? `${indent}  ` : indent;
    if (step.parent) lines.push(`${indent}${wayOf(step, wordingOf)}`);
    const menu = step.leadsTo;
    const target = menu && shownAt.get(menu);
    const isElsewhere = step.behind === 'link' ? target !== step : menu === step && target !== step;
    if (isElsewhere) {
      lines.push(`${below}leads to ${target ? placeOf(target) : "a place that isn't in this tree"}`);
      continue;
    }
    const shown = menu ?? step;
    lines.push(...facts(step, shown, wordingOf).map((fact) => `${below}${fact}`));
    open.push(
      ...[...shown.children]
        .sort((a, b) => compareWays(a.node, b.node))
        .reverse()
        .map((child) => ({ step: child, indent: below })),
    );
  }
  return `${lines.join('\n')}\n`;
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
    for (const child of [...menu.children].sort((a, b) => compareWays(a.node, b.node))) {
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

function wayOf(step: IndexedStep, wordingOf: WordingOf): string {
  const { digit, hidden, byWaiting } = step.node;
  const { label } = wordingOf(step);
  if (byWaiting === true) return oneLine(step.way);
  if (digit === undefined) return `"${oneLine(step.way)}"`;
  return [digit, ...(label === '' ? [] : [oneLine(label)]), ...(hidden === true ? ['(hidden)'] : [])].join(' ');
}

function facts(step: IndexedStep, shown: IndexedStep, wordingOf: WordingOf): string[] {
  const { status, end, inputRequired } = shown.node;
  if (!step.isProven) return [`not heard: ${status ?? 'pending'}`];
  return [
    ...sentences(wordingOf(shown).words).map((sentence) => `says ${sentence}`),
    ...(inputRequired
      ? [
          `asks for ${inputRequired.type.replaceAll('_', ' ')}${inputRequired.terminator === undefined ? '' : `, ended with ${inputRequired.terminator}`}`,
        ]
      : []),
    ...(end === undefined ? [] : [`ends with ${end}`]),
  ];
}

const sentences = (text: string): string[] =>
  oneLine(text)
    .split(/(?<=[.?!])\s+(?=\S)/)
    .filter((sentence) => sentence !== '');
const oneLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();

/** The usual order of a keypad: 1 to 9, star, zero, pound. */
const keypad = '123456789*0#';

/** Orders the branches of a menu: keys as on a keypad, then phrases alphabetically. */
function compareWays(
  a: Pick<CalltreeNode, 'digit' | 'spokenResponse' | 'label'>,
  b: Pick<CalltreeNode, 'digit' | 'spokenResponse' | 'label'>,
): number {
  if (a.digit !== undefined && b.digit !== undefined) return keypad.indexOf(a.digit) - keypad.indexOf(b.digit);
  if (a.digit !== undefined || b.digit !== undefined) return a.digit === undefined ? 1 : -1;
  const [one, other] = [a, b].map(({ spokenResponse, label }) => (spokenResponse ?? label ?? '').toLowerCase()) as [
    string,
    string,
  ];
  return one < other ? -1 : one > other ? 1 : 0;
}
