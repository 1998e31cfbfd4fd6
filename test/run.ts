// Runs everything that must pass; the last line is "N passed, N failed". Steps that hear in real time run after the
// rest, two at a time, because they mostly wait. Steps that run in parallel print their output when they end. `node
// test/run.ts [STEP…]` runs only some steps.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { makeMemoryFolder } from './support/memoryFolder.ts';
import { endedChildrenCpuMs, stepTable } from './support/stepTable.ts';
import type { StepTimes, TimedTest } from './support/stepTable.ts';
import { runWatched } from './support/watchedProcess.ts';

const root = path.resolve(import.meta.dirname, '..');
const artifacts = path.join(root, 'test/.artifacts');
const bin = path.join(root, 'node_modules/.bin');

/** No test is silent that long; a step that is silent for longer hangs, and would hang forever. */
const silentMs = 15 * 60_000;

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Whether the step writes its own figures; others count as one test, passed or failed. */
  readonly figures?: boolean;
}

const mocha = (name: string, files = `test/${name}/**/*.test.ts`): Step => ({
  name,
  figures: true,
  command: [path.join(bin, 'mocha'), '--reporter', 'test/support/figuresReporter.cjs', files],
});

/** The tests of the service that run on either engine, and those of several processes on one store. */
const mochaOnPostgres: Step = {
  name: 'postgres',
  figures: true,
  command: [
    path.join(bin, 'mocha'),
    '--reporter',
    'test/support/figuresReporter.cjs',
    '--require',
    'test/support/onPostgres.ts',
    'test/postgres/**/*.test.ts',
    ...[
      'admin',
      'budgets',
      'capacity',
      'claim',
      'forbiddenKeys',
      'idempotency',
      'launches',
      'ledger',
      'lifecycle',
      'limits',
      'loadRuns',
      'operations',
      'quotas',
      'rates',
      'refusals',
      'retention',
      'runEnds',
      'savedTests',
      'testRuns',
      'textMessages',
      'transfer',
      'workspaces',
    ].map((name) => `test/service/${name}.test.ts`),
  ],
};

/** Everything else needs it. */
const build: Step = { name: 'build', command: ['node', 'esbuild.mjs'] };
/** Longest first: they begin while others wait. Those of the service wait a lot, for processes to end and begin. */
const beside: readonly Step[] = [
  mocha('speech'),
  mochaOnPostgres,
  mocha('service r–s', 'test/service/[r-s]*.test.ts'),
  mocha('service a–k', 'test/service/[a-k]*.test.ts'),
  mocha('service l–q', 'test/service/[l-q]*.test.ts'),
  mocha('calls'),
  mocha('service t–z', 'test/service/[t-z]*.test.ts'),
  mocha('unit'),
  mocha('webview'),
  {
    name: 'lint',
    command: [path.join(bin, 'eslint'), '.', '--cache', '--cache-location', 'test/.artifacts/eslint.json'],
  },
  // Excludes subfolders: the clients are installed there.
  mocha('clients', 'test/clients/*.test.ts'),
  {
    name: 'format',
    command: [
      path.join(bin, 'prettier'),
      '.',
      '--check',
      '--cache',
      '--cache-location',
      'test/.artifacts/prettier.json',
    ],
  },
  { name: 'unused exports', command: [path.join(bin, 'knip'), '--no-progress'] },
  { name: 'types', command: [path.join(bin, 'tsc'), '-p', '.'] },
  { name: 'webview types', command: [path.join(bin, 'tsc'), '-p', 'webview'] },
];
/** A call that is heard live can use most of one processor for speech, and needs the other for itself. */
const realTime: readonly Step[] = [
  { name: 'editor', figures: true, command: ['node', 'test/host/run.ts'] },
  mocha('mapping'),
  mocha('telephony'),
  mocha('practice'),
];
const last: readonly Step[] = [
  { name: 'secrets', command: ['node', 'test/secrets.ts', 'test/.artifacts/service-logs'] },
  // It builds into the folder that the earlier steps run from.
  { name: 'package', command: ['node', 'test/package.ts'] },
];
/** One per processor, and one more because steps wait. */
const lanes = availableParallelism() + 1;
const groupOf = ({ name }: Step): string => name.replace(/ .–.$/, '');
const steps = [build, ...beside, ...realTime, ...last];

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
}

async function run(step: Step, { quietly = false, scratch }: How = {}): Promise<void> {
  const told: Buffer[] = [];
  const heading = `\n── ${step.name}`;
  if (!quietly) console.log(heading);
  const figuresFile = path.join(artifacts, `${step.name}.json`);
  await rm(figuresFile, { force: true });
  const [command = '', ...args] = step.command;
  const startedAt = performance.now();
  const code = await runWatched(command, args, {
    cwd: root,
    silentMs,
    env: {
      ...process.env,
      ...(scratch !== undefined && { TMPDIR: scratch }),
      // Hundreds of processes start from the sources: the first to end leaves them compiled.
      NODE_COMPILE_CACHE: path.join(artifacts, 'compile-cache'),
      DIALTREE_TEST_FIGURES: figuresFile,
      DIALTREE_SERVICE_LOGS: path.join(artifacts, 'service-logs'),
    },
    say: (part) => {
      if (quietly) told.push(part);
      else process.stdout.write(part);
    },
  });
  const cpu = endedChildrenCpuMs();
  const cpuMs = cpu === undefined ? undefined : cpu - countedCpuMs;
  countedCpuMs = cpu ?? 0;
  if (quietly) {
    console.log(heading);
    process.stdout.write(Buffer.concat(told));
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
      step: step.name,
      tests: [...(figures?.wrong ?? []), ...(code === undefined ? ['It was ended, as it hung.'] : [])],
    });
  const wallMs = performance.now() - startedAt;
  console.log(`── ${step.name}: ${wrong === 0 ? 'right' : 'WRONG'} in ${(wallMs / 1000).toFixed(0)} s`);
  times.push({ step: step.name, wallMs, cpuMs, hooksMs: figures?.hooksMs, tests: figures?.tests ?? [] });
}

/** Runs the requested steps in their order, up to `atOnce` at a time. */
async function runSome(some: readonly Step[], atOnce: number, scratch?: string): Promise<void> {
  const waiting = some.filter((step) => wanted.length === 0 || wanted.includes(groupOf(step)));
  const quietly = atOnce > 1 && waiting.length > 1;
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step, { quietly, scratch });
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
const wanted = process.argv.slice(2);
const names = [...new Set(steps.map(groupOf))];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}. Steps: ${names.join(', ')}.`);
  process.exit(2);
}
await runSome([build], 1);
if (failed === 0) {
  // Otherwise each step that begins at the same time would make them. The build has proved that this can be imported.
  await (await import('./support/serviceAssets.ts')).serviceAssets();
  await runSome(beside, lanes, process.env['TMPDIR'] === undefined ? makeMemoryFolder() : undefined);
  await runSome(realTime, availableParallelism() >= 4 ? 2 : 1);
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
