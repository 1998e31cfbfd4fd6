import type { MappingRun, MappingStats, RunStatus } from '../src/contract/mapping.ts';
import type { PanelSnapshot } from '../src/contract/panel.ts';
import { menuCount } from '../src/model/menuCount.ts';

/** The run whose tree the snapshot carries. */
export function shownRun({ job, runs, version, tree }: PanelSnapshot): MappingRun | undefined {
  const number = version ?? tree.runNumber ?? job?.currentRun?.runNumber;
  if (number === undefined) return runs[0];
  return runs.find(({ runNumber }) => runNumber === number) ?? (job?.currentRun?.runNumber === number ? job.currentRun : undefined);
}

export const runStatusWords: Readonly<Record<RunStatus, string>> = { running: 'Running', completed: 'Completed', failed: 'Failed', limited: 'Stopped at a limit' };

/** "Run 3 · completed · 12 menus · 1.2 × limit" */
export function runLabel({ runNumber, status, stats }: MappingRun): string {
  return [`Run ${runNumber}`, runStatusWords[status].toLowerCase(), counted(menuCount(stats), 'menu'), ratioOf(stats)].filter((part) => part !== undefined).join(' · ');
}

/** What is read out when a run changes its state. */
export function runSentence({ runNumber, status, stats }: MappingRun): string {
  const found = `${counted(stats.nodesDiscovered, 'step')}, ${counted(stats.callsPlaced, 'call')}`;
  switch (status) {
    case 'running': return `Run ${runNumber} is running.`;
    case 'completed': return `Run ${runNumber} is complete: ${found}.`;
    case 'failed': return `Run ${runNumber} failed: ${found}.`;
    case 'limited': return `Run ${runNumber} stopped at a limit: ${found}.`;
  }
}

export interface Count {
  readonly name: string;
  readonly value: string;
  /** What the figure means, in a sentence. */
  readonly meaning: string;
}

export function countsOf(run: MappingRun): Count[] {
  const { stats, inFlightCount, status } = run;
  const counts: (Count | undefined)[] = [
    { name: nounOf(stats.callsPlaced, 'call'), value: figure(stats.callsPlaced), meaning: stats.callsFailed > 0 ? `Calls placed, ${figure(stats.callsFailed)} of which failed` : 'Calls placed' },
    status === 'running' || inFlightCount > 0 ? { name: 'in flight', value: figure(inFlightCount), meaning: 'Calls that are up now' } : undefined,
    { name: nounOf(stats.nodesDiscovered, 'step'), value: figure(stats.nodesDiscovered), meaning: 'Steps found' },
    { name: nounOf(stats.terminalNodes, 'end'), value: figure(stats.terminalNodes), meaning: 'Steps where a path ends' },
    { name: 'linked', value: figure(stats.linkedMenus), meaning: 'Steps that lead into a menu already known' },
    { name: 'on the line', value: durationOf(stats.callSeconds), meaning: 'Seconds of all calls together' },
    stats.limit && { name: '× limit', value: stats.limit.ratio.toFixed(1), meaning: `Time taken, against the ${durationOf(stats.limit.minimumWallSeconds)} that no caller can beat on this tree` },
  ];
  return counts.filter((count) => count !== undefined);
}

export function ratioOf({ limit }: MappingStats): string | undefined {
  return limit && `${limit.ratio.toFixed(1)} × limit`;
}

/** 48 s, 5 min 12 s, 2 h 03 min */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const pair = (value: number): string => String(value).padStart(2, '0');
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pair(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pair(Math.floor((whole % 3600) / 60))} min`;
}

export const counted = (count: number, noun: string): string => `${figure(count)} ${nounOf(count, noun)}`;
const nounOf = (count: number, noun: string): string => `${noun}${count === 1 ? '' : 's'}`;
export const figure = (value: number): string => value.toLocaleString('en-US');
