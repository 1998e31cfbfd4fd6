import type { MappingStats } from '../../contract/mapping.ts';

/**
 * Returns how many of the found steps are menus: not the end of a path, and not linked. During a run, options that wait
 * for their call count too.
 */
export function menuCount({
  nodesDiscovered,
  terminalNodes,
  linkedMenus,
}: Pick<MappingStats, 'nodesDiscovered' | 'terminalNodes' | 'linkedMenus'>): number {
  return Math.max(0, nodesDiscovered - terminalNodes - linkedMenus);
}
