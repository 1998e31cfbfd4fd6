import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeFileWhole } from './folder.ts';
import { migrationNames } from './migrations.ts';
import { pgliteFileNames } from './pgliteFiles.ts';
import { writeStoreTemplate } from './template.ts';

/** Puts PGlite's files and an empty store beside the models. Rebuilds the template when the schema has grown. */
export async function prepareStoreAssets(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  for (const name of pgliteFileNames) await copyChanged(join(pglite, name), join(folder, name));
  const template = join(folder, 'store-template.tar.br');
  const noted = join(folder, 'store-template.json');
  const wanted = JSON.stringify({ migrations: migrationNames });
  if ((await stat(template).catch(() => undefined)) && (await readFile(noted, 'utf8').catch(() => '')) === wanted)
    return;
  await writeStoreTemplate(template);
  await writeFile(noted, wanted);
}

/** The copy appears whole, also if the build is interrupted. */
async function copyChanged(from: string, to: string): Promise<void> {
  const [wanted, found] = await Promise.all([readFile(from), readFile(to).catch(() => undefined)]);
  if (!found?.equals(wanted)) await writeFileWhole(to, wanted, 0o644);
}
