import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Notes in a folder that this process runs its tests, until it ends. Returns the PID of another process that does, or
 * undefined.
 */
export function otherRun(folder: string): number | undefined {
  const file = path.join(folder, 'run.pid');
  const other = Number(read(file));
  if (other > 0 && other !== process.pid && read(`/proc/${String(other)}/cmdline`).includes('run.ts')) return other;
  writeFileSync(file, String(process.pid));
  process.once('exit', () => {
    if (Number(read(file)) === process.pid) rmSync(file, { force: true });
  });
  return undefined;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
