import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { migrationNames } from './migrations.ts';
import { pgliteFileNames } from './pgliteFiles.ts';
import { writeStoreTemplate } from './template.ts';

/**
 * Puts PGlite's files and an empty store beside the models, for the build. The template is rebuilt when the schema has
 * grown.
 */
export async function prepareStoreAssets(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  for (const name of pgliteFileNames) await copyFile(join(pglite, name), join(folder, name));
  const template = join(folder, 'store-template.tar.br');
  const noted = join(folder, 'store-template.json');
  const wanted = JSON.stringify({ migrations: migrationNames });
  if ((await stat(template).catch(() => undefined)) && (await readFile(noted, 'utf8').catch(() => '')) === wanted)
    return;
  await writeStoreTemplate(template);
  await writeFile(noted, wanted);
}
