import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const bin = (name: string): string => path.join(root, 'node_modules/.bin', name);

/**
 * Which tests run. `quick` is `npm test`: everything but what has the tag `@full` in its title or stands in a step that
 * is full only. `full` is `npm run test:all`: everything.
 */
export type Tier = 'quick' | 'full';

/** The tags of titles, as mocha's `--grep` finds them. */
export const tags = {
  /** Runs only in the full tier. */
  full: '@full',
  /** Depends on the database engine, so it runs on Postgres too in the quick tier. */
  engine: '@engine',
} as const;

export interface Step {
  readonly name: string;
  /** Several lanes can share the tests of a step; each has its own name for its figures. */
  readonly part?: string;
  readonly command: readonly string[];
  /** Whether the step writes its own figures; others count as one test, passed or failed. */
  readonly figures?: boolean;
  /** The test files of a mocha step, relative to the repository. */
  readonly files?: string;
  /** Whether it runs only in the full tier. */
  readonly full?: boolean;
}

/** Steps in the order of their start. */
export interface Plan {
  /** Everything else needs it. */
  readonly build: Step;
  /** Run beside each other. */
  readonly beside: readonly Step[];
  /** Listen to calls in real time. They run one after the other, beside the rest. */
  readonly realTime: readonly Step[];
  /** Begin when everything else has ended. */
  readonly last: readonly Step[];
}

/** Matches the titles that run in this tier, and have the tag if one is given. */
export function titlesOf(tier: Tier, tag?: string): string {
  return `^${tier === 'full' ? '' : `(?!.*${tags.full})`}${tag === undefined ? '' : `.*${tag}`}`;
}

export function planOf(tier: Tier): Plan {
  const mocha = (
    name: string,
    { files = `test/${name}/**/*.test.ts`, part, tag, args = [], full = false }: MochaOptions = {},
  ): Step => ({
    name,
    ...(part !== undefined && { part }),
    figures: true,
    files,
    full,
    command: [
      bin('mocha'),
      '--reporter',
      'test/support/figuresReporter.cjs',
      '--grep',
      titlesOf(tier, tier === 'quick' ? tag : undefined),
      ...args,
      ...(tag === undefined ? [files] : filesWith(files, tag)),
    ],
  });
  const pack: Step = { name: 'package', command: ['node', 'test/package.ts'] };
  const plan: Plan = {
    // The quick tier runs what ships. The full tier runs a development build, which checks more as it runs.
    build: { name: 'build', command: ['node', 'esbuild.mjs', ...(tier === 'quick' ? ['--production'] : [])] },
    // Longest first: they begin while others wait. Those of the service wait a lot, for processes to end and begin.
    beside: [
      mocha('speech'),
      mocha('postgres', {
        files: 'test/{postgres,service}/**/*.test.ts',
        tag: tags.engine,
        args: ['--require', 'test/support/onPostgres.ts'],
      }),
      mocha('service', { files: 'test/service/[r-s]*.test.ts', part: 'r–s' }),
      mocha('service', { files: 'test/service/[a-k]*.test.ts', part: 'a–k' }),
      mocha('service', { files: 'test/service/[l-q]*.test.ts', part: 'l–q' }),
      mocha('calls'),
      mocha('service', { files: 'test/service/[t-z]*.test.ts', part: 't–z' }),
      mocha('unit'),
      mocha('webview'),
      // Reports type errors too.
      { name: 'lint', command: [bin('oxlint')] },
      {
        name: 'format',
        command: [bin('prettier'), '.', '--check', '--cache', '--cache-location', 'test/.artifacts/prettier.json'],
      },
      { name: 'unused exports', command: [bin('knip'), '--no-progress'] },
      // The linter checks what the webview imports from `src` with the types of Node only.
      { name: 'webview types', command: [bin('tsc'), '-p', 'webview'] },
    ],
    realTime: [
      {
        name: 'editor',
        figures: true,
        files: 'test/host/suite/**/*.test.ts',
        command: ['node', 'test/host/run.ts', '--grep', titlesOf(tier)],
      },
      mocha('mapping'),
      mocha('telephony'),
      mocha('practice'),
      // Excludes subfolders: the clients are installed there.
      mocha('clients', { files: 'test/clients/*.test.ts', full: true }),
      ...(tier === 'quick' ? [pack] : []),
    ],
    last: [
      { name: 'secrets', command: ['node', 'test/secrets.ts', 'test/.artifacts/service-logs'] },
      // After a development build, it builds into the folder that the earlier steps run from.
      ...(tier === 'quick' ? [] : [pack]),
    ],
  };
  const inTier = (steps: readonly Step[]): readonly Step[] =>
    steps.filter(({ full = false }) => !full || tier === 'full');
  return { ...plan, beside: inTier(plan.beside), realTime: inTier(plan.realTime), last: inTier(plan.last) };
}

/** Returns the files that contain the tag. */
function filesWith(files: string, tag: string): string[] {
  return globSync(files, { cwd: root })
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes(tag))
    .sort();
}

interface MochaOptions {
  /** Default: all tests in the folder of this name. */
  readonly files?: string;
  readonly part?: string;
  /** Only files with this tag; in the quick tier, only the tests that have it. */
  readonly tag?: string;
  readonly args?: readonly string[];
  readonly full?: boolean;
}
