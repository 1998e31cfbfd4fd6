import type { MappingStats } from '../../contract/mapping.ts';

/**
 * How many of the steps found are menus: a path does not end there, and they are known from nowhere else. While a run
 * goes on, options that wait for their call count too.
 */
export function menuCount({
  nodesDiscovered,
  terminalNodes,
  linkedMenus,
}: Pick<MappingStats, 'nodesDiscovered' | 'terminalNodes' | 'linkedMenus'>): number {
  return Math.max(0, nodesDiscovered - terminalNodes - linkedMenus);
}
