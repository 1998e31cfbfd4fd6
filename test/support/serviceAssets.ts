import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../../src/service/basics/installation.ts';
import { writeStoreTemplate } from '../../src/service/store/template.ts';

const service = new URL('../../src/service/', import.meta.url);
const artifacts = fileURLToPath(new URL('../.artifacts', import.meta.url));

/**
 * Returns a folder with the store's template, created once for this state of the schema and kept, because initdb takes
 * seconds.
 */
export async function serviceAssets(): Promise<Installation> {
  const hash = createHash('sha256');
  const migrations = (await readdir(new URL('store/migrations/', service)))
    .sort()
    .map((file) => `store/migrations/${file}`);
  for (const file of ['store/migrations.ts', ...migrations, 'store/template.ts'])
    hash.update(await readFile(new URL(file, service)));
  const assetsDir = join(artifacts, `assets-${hash.digest('hex').slice(0, 16)}`);
  const template = join(assetsDir, 'store-template.tar.br');
  if (!(await stat(template).catch(() => undefined))) await writeStoreTemplate(template);
  return {
    assetsDir,
    mediaDir: fileURLToPath(new URL('../../media', import.meta.url)),
    pagesDir: fileURLToPath(new URL('../../dist/webview', import.meta.url)),
    speechWorker: new URL('../../src/speech/worker.ts', import.meta.url),
    callerWorker: new URL('../../src/engine/load/callerThread.ts', import.meta.url),
  };
}
