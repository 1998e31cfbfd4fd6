import type { CalltreeNode } from '../../../contract/calltreeFile.ts';
import type { TreeNode } from '../../../contract/tree.ts';
import { indexTree, type IndexedStep } from '../diff/indexedTree.ts';

/** A tree as boxes and arrows. Steps that lead back to a menu are arrows to it, not boxes. */
interface Drawing {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

interface Box {
  /** A letter and a number. */
  readonly id: string;
  /** The words, shortened, and the end of the call; one line each. */
  readonly lines: readonly string[];
  readonly kind: 'menu' | 'end' | 'untried';
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** The key or phrase, and its label in the menu. */
  readonly label: string;
  readonly isLink: boolean;
}

const maxLetters = 80;

export function drawTree(tree: TreeNode | CalltreeNode): Drawing {
  const steps = indexTree(tree);
  const ids = new Map(steps.map((step, index) => [step, `n${String(index)}`]));
  const arrowTo = (step: IndexedStep): IndexedStep => (step.behind === 'link' ? (step.leadsTo ?? step) : step);
  const id = (step: IndexedStep): string => ids.get(step) ?? '';
  return {
    boxes: steps
      .filter((step) => arrowTo(step) === step)
      .map((step) => ({
        id: id(step),
        lines: linesOf(step),
        kind: !step.isProven ? 'untried' : step.behind === 'end' ? 'end' : 'menu',
      })),
    arrows: steps.flatMap((step) =>
      step.parent
        ? [{ from: id(step.parent), to: id(arrowTo(step)), label: arrowLabel(step), isLink: step.behind === 'link' }]
        : [],
    ),
  };
}

function linesOf({ node, words, isProven, behind }: IndexedStep): string[] {
  if (!isProven) return [`(${node.status ?? 'pending'})`];
  if (behind === 'link') return ['another menu'];
  const said = words.text.length <= maxLetters ? words.text : `${words.text.slice(0, maxLetters - 1).trimEnd()}…`;
  const lines = [...(said === '' ? [] : [said]), ...(node.end === undefined ? [] : [`[${node.end}]`])];
  return lines.length === 0 ? ['(nothing said)'] : lines;
}

function arrowLabel({ node, way, label }: IndexedStep): string {
  if (node.digit === undefined) return node.byWaiting === true ? way : `"${way}"`;
  return [node.digit, label.text, ...(node.hidden === true ? ['(hidden)'] : [])]
    .filter((part) => part !== '')
    .join(' ');
}

/** Line ends and other control characters would break a quoted text. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
