import type { MappingStats } from '../../contract/mapping.ts';

interface TreeCounts {
  /** Menus whose prompt was heard. This number doesn't fall while a run explores its options. */
  readonly menus: number;
  readonly toExplore: number;
  readonly ends: number;
}

/** Returns what a run has found. An older server doesn't count the options that wait, and counts them as menus. */
export const treeCounts = ({
  menusHeard,
  optionsToExplore = 0,
  nodesDiscovered,
  terminalNodes,
  linkedMenus,
}: MappingStats): TreeCounts => ({
  menus: menusHeard ?? Math.max(0, nodesDiscovered - terminalNodes - linkedMenus),
  toExplore: optionsToExplore,
  ends: terminalNodes,
});
