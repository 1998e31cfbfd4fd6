// Runs the tests of a tier; the last line is "N passed, N failed". `node test/run.ts [--all] [STEP…]` runs the quick
// tier, or with `--all` the full one, or only some of its steps (`steps.ts`). Steps that run in parallel print their
// output when they end.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { planOf } from './steps.ts';
import type { Step } from './steps.ts';
import { makeMemoryFolder } from './support/memoryFolder.ts';
import { otherRun } from './support/onlyRun.ts';
import { endedChildrenCpuMs, stepTable } from './support/stepTable.ts';
import type { StepTimes, TimedTest } from './support/stepTable.ts';
import { runWatched } from './support/watchedProcess.ts';

const root = path.resolve(import.meta.dirname, '..');
const artifacts = path.join(root, 'test/.artifacts');

/** No test is silent that long; a step that is silent for longer hangs, and would hang forever. */
const silentMs = 15 * 60_000;

/** One per processor. The steps that listen to calls have one more: they mostly wait. */
const lanes = availableParallelism();
const { values, positionals: wanted } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } });
const { build, beside, realTime, last } = planOf(values.all === true ? 'full' : 'quick');
const titleOf = ({ name, part }: Step): string => (part === undefined ? name : `${name} ${part}`);

let passed = 0;
let failed = 0;
const times: StepTimes[] = [];
/** Processor time that has been attributed to a step. */
let countedCpuMs = 0;
const failures: { readonly step: string; readonly tests: readonly string[] }[] = [];

interface How {
  /** Whether its output is held back until it ends. */
  readonly quietly?: boolean;
  /** Where it puts temporary files; by default the system's folder. */
  readonly scratch?: string | undefined;
  readonly niceness?: number;
}

/** Steps that run beside those in real time get the processor when those wait for sound. */
const besideNiceness = 5;

async function run(step: Step, { quietly = false, scratch, niceness }: How = {}): Promise<void> {
  const output: Buffer[] = [];
  const heading = `\n── ${titleOf(step)}`;
  console.log(quietly ? `── ${titleOf(step)}: started` : heading);
  const figuresFile = path.join(artifacts, `${titleOf(step)}.json`);
  await rm(figuresFile, { force: true });
  const [command = '', ...args] = step.command;
  const startedAt = performance.now();
  const code = await runWatched(command, args, {
    cwd: root,
    silentMs,
    niceness,
    env: {
      ...process.env,
      // The Node of this process, which may not be the first on the PATH.
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
      ...(scratch !== undefined && { TMPDIR: scratch }),
      // Hundreds of processes start from the sources: the first to end leaves them compiled.
      NODE_COMPILE_CACHE: path.join(artifacts, 'compile-cache'),
      DIALTREE_TEST_FIGURES: figuresFile,
      DIALTREE_SERVICE_LOGS: path.join(artifacts, 'service-logs'),
    },
    say: (part) => {
      if (quietly) output.push(part);
      else process.stdout.write(part);
    },
  });
  const cpu = endedChildrenCpuMs();
  const cpuMs = cpu === undefined ? undefined : cpu - countedCpuMs;
  countedCpuMs = cpu ?? 0;
  if (quietly) {
    console.log(heading);
    process.stdout.write(Buffer.concat(output));
  }
  if (code === undefined) console.log(`It said nothing for ${String(silentMs / 60_000)} minutes and was ended.`);
  const figures = step.figures ? await readFigures(figuresFile) : undefined;
  passed += figures?.passed ?? (step.figures || code !== 0 ? 0 : 1);
  // A step that dies without figures, or fails outside its tests, is a failure too.
  const wrong = figures
    ? figures.failed > 0
      ? figures.failed
      : code === 0 && figures.passed > 0
        ? 0
        : 1
    : code === 0 && !step.figures
      ? 0
      : 1;
  failed += wrong;
  if (wrong > 0)
    failures.push({
      step: titleOf(step),
      tests: [...(figures?.wrong ?? []), ...(code === undefined ? ['It was ended, as it hung.'] : [])],
    });
  const wallMs = performance.now() - startedAt;
  console.log(`── ${titleOf(step)}: ${wrong === 0 ? 'right' : 'WRONG'} in ${(wallMs / 1000).toFixed(0)} s`);
  times.push({ step: titleOf(step), wallMs, cpuMs, hooksMs: figures?.hooksMs, tests: figures?.tests ?? [] });
}

/** Runs the requested steps in their order, up to `atOnce` at a time. */
async function runSome(some: readonly Step[], atOnce: number, how: Omit<How, 'quietly'> = {}): Promise<void> {
  const waiting = some.filter((step) => wanted.length === 0 || wanted.includes(step.name));
  // Only a step that runs alone can print as it goes.
  const quietly = wanted.length !== 1;
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step, { ...how, quietly });
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** What a step writes to the file named by DIALTREE_TEST_FIGURES. */
interface Figures {
  readonly passed: number;
  readonly failed: number;
  readonly wrong?: readonly string[];
  readonly hooksMs?: number;
  readonly tests?: readonly TimedTest[];
}

async function readFigures(file: string): Promise<Figures | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Figures;
  } catch {
    return undefined;
  }
}

await mkdir(artifacts, { recursive: true });
const other = otherRun(artifacts);
if (other !== undefined) {
  console.error(`Process ${String(other)} runs the tests of this folder. Wait until it has ended, or stop it.`);
  process.exit(2);
}
const names = [...new Set([build, ...beside, ...realTime, ...last].map(({ name }) => name))];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no step ${unknown.join(', ')}${values.all === true ? '' : ' in the quick tier (--all runs the full one)'}. Steps: ${names.join(', ')}.`,
  );
  process.exit(2);
}
await runSome([build], 1);
if (failed === 0) {
  // Otherwise each step that begins at the same time would make them. The build has proved that this can be imported.
  await (await import('./support/serviceAssets.ts')).serviceAssets();
  await Promise.all([
    runSome(beside, lanes, {
      scratch: process.env['TMPDIR'] === undefined ? makeMemoryFolder() : undefined,
      niceness: besideNiceness,
    }),
    runSome(realTime, 1),
  ]);
  await runSome(last, 1);
}
console.log(`\n${stepTable(times)}`);
await writeFile(path.join(artifacts, 'steps.json'), `${JSON.stringify(times, undefined, 1)}\n`);
const wallMinutes = (performance.now() / 60_000).toFixed(1);
console.log(`\nAll steps: ${wallMinutes} minutes`);
// Repeated at the end: each step's own output is far above.
if (failures.length > 0) console.log('');
for (const { step, tests } of failures) console.log([`Wrong: ${step}`, ...tests].join('\n  '));
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
