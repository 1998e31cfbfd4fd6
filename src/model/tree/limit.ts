import type { EndKind } from '../../contract/tree.ts';
import { upwards } from './upwards.ts';

/**
 * The minimum for mapping a tree with any method: every unique prompt is heard once, every leaf takes a call, every
 * call is set up and passes the menus above its leaf.
 *
 * calls ≥ L; call seconds ≥ Σ P(u) + K·S + Σ g over the menus above each leaf; wall ≥ max(call seconds / C, S + max
 * over paths (Σ h(v) + P(leaf)), K / calls a second)
 */

export interface LimitNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly depth: number;
  /** Length of the prompt, and the time to recognise how a leaf ends, in seconds. */
  readonly promptSeconds: number;
  /** When the option that leads here is understood, in seconds from the start of the parent's prompt. */
  readonly understoodSeconds: number;
  readonly terminal: boolean;
  /** Leads to a menu that counts elsewhere, so `promptSeconds` is only what is said before that menu begins. */
  readonly linked: boolean;
  /**
   * The time until this menu takes a key, on a call that goes below it: its whole prompt if keys don't interrupt it, or
   * the announcement before its options if that loses them.
   */
  readonly passSeconds?: number;
}

interface LimitConditions {
  readonly lines: number;
  /** INVITE to first audio. */
  readonly setupSeconds: number;
  readonly callsPerSecond: number;
}

interface TheoreticalLimit {
  readonly calls: number;
  readonly callSeconds: number;
  readonly wallSeconds: number;
}

/** How long it takes after a leaf's words to recognise its kind, in seconds. */
export const evidenceSeconds: Partial<Record<EndKind, number>> = {
  'hold-music': 3,
  'transfer-ringback': 1,
  busy: 1,
  fax: 1,
  voicemail: 0.5,
  'dead-air': 4,
  human: 2,
  input: 1.2,
};

/** g: a known menu is recognised and left in half a second if a key interrupts it. */
export const passSeconds = 0.5;

export function theoreticalLimit(
  nodes: readonly LimitNode[],
  { lines, setupSeconds, callsPerSecond }: LimitConditions,
): TheoreticalLimit {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const unique = nodes.filter((node) => !node.linked);
  const leaves = unique.filter((node) => node.terminal);
  const calls = Math.max(1, leaves.length);
  const callSeconds =
    sum(nodes.map((node) => node.promptSeconds)) +
    calls * setupSeconds +
    sum(leaves.map((leaf) => passingAbove(leaf, byId)));
  const longestPath = Math.max(0, ...leaves.map((leaf) => leaf.promptSeconds + understoodAlong(leaf, byId)));
  return {
    calls,
    callSeconds,
    wallSeconds: Math.max(callSeconds / lines, setupSeconds + longestPath, calls / callsPerSecond),
  };
}

const parentIn =
  (byId: ReadonlyMap<string, LimitNode>) =>
  ({ parentId }: LimitNode): LimitNode | undefined =>
    parentId === undefined ? undefined : byId.get(parentId);

function passingAbove(leaf: LimitNode, byId: ReadonlyMap<string, LimitNode>): number {
  let seconds = 0;
  for (const node of upwards(leaf, parentIn(byId))) if (node !== leaf) seconds += node.passSeconds ?? passSeconds;
  return seconds;
}

function understoodAlong(leaf: LimitNode, byId: ReadonlyMap<string, LimitNode>): number {
  let seconds = 0;
  for (const node of upwards(leaf, parentIn(byId))) seconds += node.understoodSeconds;
  return seconds;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
