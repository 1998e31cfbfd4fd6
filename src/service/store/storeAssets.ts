import { copyFile, mkdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pgliteFileNames } from './pgliteFiles.ts';
import { writeStoreTemplate } from './template.ts';

/** Puts PGlite's files and an empty store beside the models, for the build. The template is made once; remove it to have it made again. */
export async function prepareStoreAssets(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  for (const name of pgliteFileNames) await copyFile(join(pglite, name), join(folder, name));
  const template = join(folder, 'store-template.tar.gz');
  if (!await stat(template).then(() => true, () => false)) await writeStoreTemplate(template);
}
