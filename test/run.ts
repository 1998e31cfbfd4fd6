// Everything that has to be right; the last line says "N passed, N failed". What hears in real time runs when the rest
// has ended, two steps at a time: such steps mostly wait. Steps that run beside others print their output when they end.
// `node test/run.ts [STEP…]` runs some steps only.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { makeMemoryFolder } from './support/memoryFolder.ts';
import { runWatched } from './support/watchedProcess.ts';

const root = path.resolve(import.meta.dirname, '..');
const artifacts = path.join(root, 'test/.artifacts');
const bin = path.join(root, 'node_modules/.bin');

/** No test is that long without a word; what is silent for longer hangs, and would hang for ever. */
const silentMs = 15 * 60_000;

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** The step writes its own figures; others count as one test, passed or failed. */
  readonly figures?: boolean;
}

const mocha = (name: string, files = `test/${name}/**/*.test.ts`): Step => ({
  name,
  figures: true,
  command: [path.join(bin, 'mocha'), '--reporter', 'test/support/figuresReporter.cjs', files],
});

/** The tests of the service that hold on either engine, and those of several processes on one store. */
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

/** Nothing else can be right without it. */
const build: Step = { name: 'build', command: ['node', 'esbuild.mjs'] };
/** The long ones first: they begin while others wait. Those of the service wait much, for processes to end and begin. */
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
  // Not the folders below: the clients are installed there.
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
  { name: 'types', command: [path.join(bin, 'tsc'), '-p', '.'] },
  { name: 'webview types', command: [path.join(bin, 'tsc'), '-p', 'webview'] },
];
/** A call that is heard live may use most of one processor for speech, and needs the other for itself. */
const realTime: readonly Step[] = [
  { name: 'editor', figures: true, command: ['node', 'test/host/run.ts'] },
  mocha('mapping'),
  mocha('telephony'),
  mocha('practice'),
];
const last: readonly Step[] = [
  { name: 'secrets', command: ['node', 'test/secrets.ts', 'test/.artifacts/service-logs'] },
  // It builds into the folder that the steps before it run from.
  { name: 'package', command: ['node', 'test/package.ts'] },
];
/** A processor each, and one more for what waits. */
const lanes = availableParallelism() + 1;
const groupOf = ({ name }: Step): string => name.replace(/ .–.$/, '');
const steps = [build, ...beside, ...realTime, ...last];

let passed = 0;
let failed = 0;
const times: string[] = [];
const failures: { readonly step: string; readonly tests: readonly string[] }[] = [];

interface How {
  /** What it says is held back until it ends. */
  readonly quietly?: boolean;
  /** Where it puts what it throws away; else where the system does. */
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
  if (quietly) {
    console.log(heading);
    process.stdout.write(Buffer.concat(told));
  }
  if (code === undefined) console.log(`It said nothing for ${String(silentMs / 60_000)} minutes and was ended.`);
  const figures = step.figures ? await readFigures(figuresFile) : undefined;
  passed += figures?.passed ?? (step.figures || code !== 0 ? 0 : 1);
  // A step that dies without figures, or fails beside its tests, is a failure too.
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
  const took = `${step.name}: ${wrong === 0 ? 'right' : 'WRONG'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  console.log(`── ${took}`);
  times.push(took);
}

/** Those that were asked for, so many at a time, in their order. */
async function runSome(some: readonly Step[], atOnce: number, scratch?: string): Promise<void> {
  const waiting = some.filter((step) => wanted.length === 0 || wanted.includes(groupOf(step)));
  const quietly = atOnce > 1 && waiting.length > 1;
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step, { quietly, scratch });
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** What a step leaves in the file that DIALTREE_TEST_FIGURES names. */
interface Figures {
  readonly passed: number;
  readonly failed: number;
  readonly wrong?: readonly string[];
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
  // Steps that begin at the same time would each make them. The build has proved that this can be imported.
  await (await import('./support/serviceAssets.ts')).serviceAssets();
  await runSome(beside, lanes, process.env['TMPDIR'] === undefined ? makeMemoryFolder() : undefined);
  await runSome(realTime, availableParallelism() >= 4 ? 2 : 1);
  await runSome(last, 1);
}
console.log(`\n${times.join('\n')}`);
// Once more at the end: what each step said of it lies far above.
if (failures.length > 0) console.log('');
for (const { step, tests } of failures) console.log([`Wrong: ${step}`, ...tests].join('\n  '));
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
