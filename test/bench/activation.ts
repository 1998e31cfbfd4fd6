import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { median } from './median.ts';

const root = path.resolve(import.meta.dirname, '../..');
const budgetMs = 20;
const budgetBytes = 646_000;
const windows = 5;

/** Times how long new windows of a real VS Code take to load and to activate the extension. */
export async function measureActivation(): Promise<void> {
  const { size } = statSync(path.join(root, 'dist/extension.js'));
  const activations: number[] = [];
  const loads: number[] = [];
  for (let count = 0; count < windows; count += 1) {
    const { activationMs, loadMs } = await activationInWindow();
    activations.push(activationMs);
    loads.push(loadMs);
  }
  const activate = median(activations) / budgetMs;
  console.log(
    `  activate ${activate.toFixed(2)} × budget of ${String(budgetMs)} ms (${String(windows)} windows: ${activations.map((ms) => (ms / budgetMs).toFixed(2)).join(', ')}); load ${median(loads).toFixed(0)} ms (${loads.map((ms) => ms.toFixed(0)).join(', ')}); bundle ${(size / budgetBytes).toFixed(2)} × budget of ${String(budgetBytes / 1000)} kB${size <= budgetBytes ? '' : ' (not minified: npm run package builds what ships)'}`,
  );
}

async function activationInWindow(): Promise<{ readonly activationMs: number; readonly loadMs: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/host/run.ts', '--suite', 'test/bench/window'], {
    cwd: root,
    maxBuffer: 2 ** 24,
  });
  const [, activationMs, loadMs] = /activationMs=([\d.]+) loadMs=([\d.]+)/.exec(stdout) ?? [];
  if (activationMs === undefined) throw new Error(`The window has not reported how long it took:\n${stdout}`);
  return { activationMs: Number(activationMs), loadMs: Number(loadMs) };
}
