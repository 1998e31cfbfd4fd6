import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { median } from './median.ts';

const budgetMs = 20;
const budgetBytes = 500_000;
const windows = 5;

interface Loader {
  _load(request: string, parent: unknown, isMain: boolean): unknown;
}

/**
 * A stand-in for the editor's API in which everything exists and does nothing, so that only the loading of the
 * extension's code is measured.
 */
function inertEditor(): unknown {
  const anything: unknown = new Proxy(
    function inert() {
      /* does nothing */
    },
    {
      get: (target, name) =>
        name === Symbol.toPrimitive
          ? () => ''
          : name === 'then'
            ? undefined
            : name === 'prototype'
              ? target.prototype
              : anything,
      apply: () => anything,
      construct: () => anything as object,
    },
  );
  return anything;
}

/** Times `activate` in new windows of a real VS Code, and loading the bundle relative to compiling the same file. */
export async function measureActivation(): Promise<void> {
  const file = path.resolve(import.meta.dirname, '../../dist/extension.js');
  const { size } = statSync(file);
  const activations: number[] = [];
  const loads: number[] = [];
  for (let count = 0; count < windows; count += 1) {
    activations.push(await activationInWindow());
    loads.push(timeLoading(file));
  }
  const activate = median(activations) / budgetMs;
  console.log(
    `  activate ${activate.toFixed(2)} × budget of ${String(budgetMs)} ms (${String(windows)} windows: ${activations.map((ms) => (ms / budgetMs).toFixed(2)).join(', ')}); load ${median(loads).toFixed(1)} × compiling the same file; bundle ${(size / budgetBytes).toFixed(2)} × budget of 500 kB${size > budgetBytes ? ' (not minified: npm run package builds what ships)' : ''}`,
  );
}

async function activationInWindow(): Promise<number> {
  const root = path.resolve(import.meta.dirname, '../..');
  const { stdout } = await promisify(execFile)(process.execPath, ['test/host/run.ts', '--suite', 'test/bench/window'], {
    cwd: root,
    maxBuffer: 2 ** 24,
  });
  const told = /activationMs=([\d.]+)/.exec(stdout)?.[1];
  if (told === undefined) throw new Error(`The window has not told how long it took:\n${stdout}`);
  return Number(told);
}

/** Returns the time of loading the file, divided by that of compiling it. */
function timeLoading(file: string): number {
  const loader = Module as unknown as Loader;
  const load = loader._load.bind(loader);
  loader._load = (request, parent, isMain) => (request === 'vscode' ? inertEditor() : load(request, parent, isMain));
  try {
    const compiling = performance.now();
    new Script(readFileSync(file, 'utf8'));
    const loading = performance.now();
    const require = Module.createRequire(import.meta.url);
    Reflect.deleteProperty(require.cache, file);
    require(file);
    return (performance.now() - loading) / (loading - compiling);
  } finally {
    loader._load = load;
  }
}
