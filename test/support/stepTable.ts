import { readFileSync } from 'node:fs';

/** One test, or a step that is a single command. */
export interface TimedTest {
  readonly title: string;
  /** The file of the test, relative to the repository. */
  readonly file?: string;
  /** Without its hooks. */
  readonly ms: number;
}

/** What one step of `npm test` took. */
export interface StepTimes {
  readonly step: string;
  readonly wallMs: number;
  /** Processor time of the step's processes, or undefined on systems that don't report it. */
  readonly cpuMs?: number | undefined;
  /** Time in hooks, if the step has any. */
  readonly hooksMs?: number | undefined;
  readonly tests: readonly TimedTest[];
}

const slowest = 10;

/** Formats the times of all steps as a table, each step followed by its slowest tests. */
export function stepTable(steps: readonly StepTimes[]): string {
  const lines = [row('step', 'wall s', 'CPU s', 'hooks s')];
  for (const { step, wallMs, cpuMs, hooksMs, tests } of steps) {
    lines.push(row(step, seconds(wallMs), seconds(cpuMs), seconds(hooksMs)));
    for (const { title, ms } of [...tests].sort((one, other) => other.ms - one.ms).slice(0, slowest))
      if (ms >= 1000) lines.push(row('', seconds(ms), '', '', title));
  }
  return lines.join('\n');
}

const row = (name: string, wall: string, cpu: string, hooks: string, title = ''): string =>
  `${name.padEnd(16)}${wall.padStart(8)}${cpu.padStart(8)}${hooks.padStart(9)}  ${title}`.trimEnd();
const seconds = (ms: number | undefined): string => (ms === undefined ? '' : (ms / 1000).toFixed(1));

/** The kernel counts processor time in hundredths of a second for programs, whatever its own clock. */
const msPerTick = 10;

/**
 * Returns the processor time of this process's ended children and of their ended children, in ms (proc(5), cutime and
 * cstime), or undefined on systems other than Linux.
 */
export function endedChildrenCpuMs(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name in brackets can contain spaces. After it comes field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}
