import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../host/cache.ts';

/** The initial content of a workspace: text by path. */
export type Files = Readonly<Record<string, string>>;

/** Returns a shipped sample as text for another folder: its schema is found by its name. */
export const sampleText = (name: string): string =>
  readFileSync(path.join(repositoryRoot, 'media/samples', name), 'utf8').replace(/^ *"\$schema".*\n/m, '');

/** Creates a folder with these files for the duration of `work`. */
export async function withFiles<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-files-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
