import { fillPlaceholders } from './columnUse.ts';
import type { CalltreeNode } from '../../contract/calltreeFile.ts';
import type { PanelCoverage } from '../../contract/panel.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
import type { StepResult, Turn } from '../../contract/testRuns.ts';
import { promptExcerpt } from './promptExcerpt.ts';
import { similarityOfTokens } from '../heard/similarity.ts';
import { spokenTokens } from '../heard/spokenTokens.ts';
import { allPaths, pathsById, type TreePath } from '../tree/treePaths.ts';

/** Recognised texts of one tree are written alike, so their words are compared as they are. */
const likeness = (expected: string, heard: string): number =>
  similarityOfTokens(spokenTokens(expected, true), spokenTokens(heard, false)).score;

export type Move = ({ readonly key: string } | { readonly phrase: string }) & { readonly heard?: string };
/** A caller's actions from the answer on. */
export type Walk = readonly Move[];

/** A part of a tree, named by its path, and how often it was walked. */
export interface Covered {
  readonly path: TreePath;
  readonly executed: number;
}

/** Steps count as statements, keys and phrases as branches. What couldn't be explored doesn't count. */
export interface TreeCoverage {
  readonly statements: readonly Covered[];
  /** Each named by the step that it leads to. */
  readonly branches: readonly Covered[];
}

export const countOf = (things: readonly Covered[]): { readonly covered: number; readonly total: number } => ({
  covered: things.filter(({ executed }) => executed > 0).length,
  total: things.length,
});

/**
 * Returns the path that a scripted test takes with this row's values or, given the results of a run, that it took: up
 * to the first step that didn't pass. Undefined if the call wasn't answered.
 */
export function walkOfSteps(
  steps: readonly TestStep[],
  row: Readonly<Record<string, string>> = {},
  results?: readonly StepResult[],
): Walk | undefined {
  const moves: Move[] = [];
  for (const [index, { action }] of steps.entries()) {
    const result = results?.[index];
    if (results && result?.outcome !== 'PASS') return index === 0 ? undefined : moves;
    const heard = result?.transcript === undefined ? {} : { heard: result.transcript };
    if (action.type === 'press') moves.push(...keysIn(fillPlaceholders(action.keys, row), heard));
    else if (action.type === 'say') moves.push({ phrase: fillPlaceholders(action.text, row), ...heard });
  }
  return moves;
}

/** Returns the path of a call by its transcript. Undefined if the called side didn't speak. */
export function walkOfTurns(turns: readonly Turn[]): Walk | undefined {
  if (!turns.some(({ speaker }) => speaker === 'them')) return undefined;
  return turns.flatMap(({ speaker, text }, index) => {
    if (speaker === 'them') return [];
    const next = turns.findIndex((turn, at) => at > index && turn.speaker === 'us');
    const heard = {
      heard: turns
        .slice(index + 1, next < 0 ? undefined : next)
        .map((turn) => turn.text)
        .join(' '),
    };
    const keys = /^\[keys (.*)\]$/.exec(text)?.[1];
    return keys === undefined ? [{ phrase: text, ...heard }] : keysIn(keys, heard);
  });
}

/** What is heard belongs to the last key. */
function keysIn(keys: string, heard: Pick<Move, 'heard'>): Move[] {
  const pressed = [...keys.replaceAll(',', '')];
  return pressed.map((key, index) => ({ key, ...(index === pressed.length - 1 && heard) }));
}

/**
 * Returns which parts of a tree these walks went through. A walk is followed as far as the tree knows its path, and
 * while the words match the tree.
 */
export function coverTree(tree: CalltreeNode, walks: readonly Walk[]): TreeCoverage {
  const paths = allPaths(tree).filter((path) => path.every(isKnown));
  const byId = pathsById(paths);
  const visits = new Map<CalltreeNode, number>();
  const timesTaken = new Map<CalltreeNode, number>();
  const linked = ({ linksTo }: CalltreeNode): CalltreeNode | undefined =>
    linksTo === undefined ? undefined : byId.get(linksTo)?.at(-1);
  for (const walk of walks) {
    let at = tree;
    add(visits, tree);
    for (const move of walk) {
      const child = (at.children ?? []).find((one) => isKnown(one) && leadsTo(one, move));
      if (!child || !soundsLike(child, linked(child), move.heard)) {
        // A lost key: the same menu is heard again.
        if (move.heard !== undefined && soundsLike(at, undefined, move.heard)) continue;
        break;
      }
      add(timesTaken, child);
      add(visits, child);
      const target = linked(child);
      if (target) add(visits, target);
      at = target ?? child;
    }
  }
  return {
    statements: paths.map((path) => ({ path, executed: countIn(visits, path) })),
    branches: paths.slice(1).map((path) => ({ path, executed: countIn(timesTaken, path) })),
  };
}

const inOrder = (node: CalltreeNode): CalltreeNode[] => [node, ...(node.children ?? []).flatMap(inOrder)];

export function markTree(tree: CalltreeNode, walks: readonly Walk[]): PanelCoverage {
  const { statements, branches } = coverTree(tree, walks);
  const coveredKeys = new Set(branches.filter(({ executed }) => executed > 0).map(({ path }) => path.at(-1)));
  const marks = new Map(
    statements.map(({ path, executed }) => {
      const node = path.at(-1);
      return [
        node,
        executed === 0 ? 'uncovered' : node === tree || coveredKeys.has(node) ? 'covered' : 'elsewhere',
      ] as const;
    }),
  );
  return {
    steps: countOf(statements),
    ways: countOf(branches),
    marks: inOrder(tree).map((node) => marks.get(node) ?? null),
  };
}

const add = (counts: Map<CalltreeNode, number>, node: CalltreeNode): void => {
  counts.set(node, (counts.get(node) ?? 0) + 1);
};
const countIn = (counts: ReadonlyMap<CalltreeNode, number>, path: TreePath): number => {
  const node = path.at(-1);
  return (node && counts.get(node)) ?? 0;
};
const isKnown = ({ status }: CalltreeNode): boolean =>
  status === undefined || status === 'explored' || status === 'linked';

const leadsTo = ({ digit, spokenResponse }: CalltreeNode, move: Move): boolean =>
  'key' in move ? digit === move.key : spokenResponse !== undefined && likeness(spokenResponse, move.phrase) >= alike;

/** A key can cut a menu short, and a prompt can say more than was heard, so this share of one must be in the other. */
const same = 0.5;
/** The threshold at which phrases of one menu are distinguished. */
const alike = 0.8;

function soundsLike(node: CalltreeNode, target: CalltreeNode | undefined, heard: string | undefined): boolean {
  const prompt = [node.transcript, target?.transcript].filter((text) => text !== undefined && text !== '').join(' ');
  if (heard === undefined || heard === '' || prompt === '') return true;
  return (
    likeness(promptExcerpt(prompt) ?? prompt, heard) >= same || likeness(promptExcerpt(heard) ?? heard, prompt) >= same
  );
}
