// Mutation testing: changes one place of a folder of src at a time, and runs the unit tests of the same folder. A
// mutant that no test notices shows behaviour that no test checks. `node test/mutate.ts FOLDER [--least PERCENT]`,
// FOLDER such as src/engine/hearing; for a file, mutates only that file. Exits with 1 if fewer than PERCENT (80) of the
// mutants are killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf, type Mutant } from './support/mutants.ts';

const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { least: { type: 'string', default: '80' } },
});
const [place = ''] = positionals;
const least = Number(values.least);
if (!/^src\/./.test(place) || !(least >= 0 && least <= 100)) {
  console.error('Usage: npm run mutate -- FOLDER [--least PERCENT]. FOLDER is a folder or file of src.');
  process.exit(2);
}

const isFile = (await stat(path.join(root, place))).isFile();
const folder = isFile ? path.dirname(place) : place;
const tests = `${folder.replace(/^src/, 'test/unit').replace(/\/$/, '')}/**/*.test.ts`;
const files = isFile
  ? [place]
  : (await readdir(path.join(root, folder), { recursive: true }))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => path.join(folder, name))
      .toSorted();

const scratch = await mkdtemp(path.join(tmpdir(), 'dialtree-mutate-'));
const textFile = path.join(scratch, 'mutant.ts');

/** Returns true if the tests pass within this time. A mutant can fill the memory or never end. */
async function passes(limitMs: number, mutated = '', output: 'ignore' | 'inherit' = 'ignore'): Promise<boolean> {
  const mocha = [path.join(root, 'node_modules/mocha/bin/mocha.js'), '--bail', '--exit', '--reporter', 'dot'];
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=512', ...mocha, '--require', './test/support/mutant.ts', tests],
    {
      cwd: root,
      env: {
        ...process.env,
        MUTANT_URL: mutated && pathToFileURL(path.join(root, mutated)).href,
        MUTANT_TEXT: textFile,
      },
      stdio: ['ignore', output, output],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

const brief = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
};
const describe = ({ line, before, after }: Mutant, file: string): string =>
  `${file}:${String(line)}: ${brief(before)} → ${after === ';' ? 'nothing' : brief(after)}`;

/** Returns how many mutants of these files there are, and how many of them the tests notice. */
async function killMutants(): Promise<{ readonly killed: number; readonly all: number }> {
  const startedAt = performance.now();
  if (!(await passes(10 * 60_000, '', 'inherit'))) throw new Error(`${tests} must pass before anything is changed.`);
  const limitMs = 3000 + 5 * Math.ceil(performance.now() - startedAt);
  let [killed, all] = [0, 0];
  for (const file of files) {
    const source = await readFile(path.join(root, file), 'utf8');
    await writeFile(textFile, source);
    if (!(await passes(limitMs, file))) throw new Error(`The tests failed although ${file} was unchanged.`);
    const mutants = mutantsOf(source);
    let killedHere = 0;
    for (const mutant of mutants) {
      await writeFile(textFile, mutant.source);
      if (await passes(limitMs, file)) console.log(describe(mutant, file));
      else killedHere += 1;
    }
    if (mutants.length > 0) console.log(`${file}: ${String(killedHere)} of ${String(mutants.length)}`);
    killed += killedHere;
    all += mutants.length;
  }
  return { killed, all };
}

try {
  const { killed, all } = await killMutants();
  const percent = all === 0 ? 100 : (killed / all) * 100;
  console.log(`killed ${String(killed)} of ${String(all)} (${percent.toFixed(1)} %)`);
  process.exitCode = percent < least ? 1 : 0;
} finally {
  await rm(scratch, { recursive: true });
}
