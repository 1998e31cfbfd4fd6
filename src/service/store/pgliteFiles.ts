import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGliteOptions } from '@electric-sql/pglite';
import { HumanError } from '../../contract/errors.ts';

export const pgliteFileNames = ['pglite.wasm', 'pglite.data', 'initdb.wasm'] as const;
export const templateFileName = 'store-template.tar.br';

type PgliteFiles = Pick<PGliteOptions, 'pgliteWasmModule' | 'fsBundle' | 'initdbWasmModule'>;

/**
 * Reads PGlite's program and data from the assets folder. Without that folder (development from the sources), PGlite
 * finds them in its package. `initdb` is loaded only to create a store without the template.
 */
export async function readPgliteFiles(assetsDir: string | undefined, withInitdb: boolean): Promise<PgliteFiles> {
  if (assetsDir === undefined) return {};
  const read = async (name: string): Promise<Buffer<ArrayBuffer>> => {
    try {
      return Buffer.from(new Uint8Array(await readFile(join(assetsDir, name))).buffer);
    } catch (cause) {
      throw new HumanError(
        `Couldn't read the store's program file ${join(assetsDir, name)}. Reinstall Dialtree, or use --assets to set the folder that contains this file.`,
        { status: 503, code: 'assets_missing', cause },
      );
    }
  };
  const [wasm, data, initdb] = await Promise.all([
    read('pglite.wasm'),
    read('pglite.data'),
    withInitdb ? read('initdb.wasm') : undefined,
  ]);
  // Compiled off the main thread, so that requests are still answered.
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([
    WebAssembly.compile(wasm),
    initdb && WebAssembly.compile(initdb),
  ]);
  return { pgliteWasmModule, fsBundle: new Blob([data]), ...(initdbWasmModule && { initdbWasmModule }) };
}

/** Returns the folder if it contains PGlite's files, otherwise undefined. */
export async function assetsWithPglite(assetsDir: string | undefined): Promise<string | undefined> {
  if (assetsDir === undefined) return undefined;
  return await stat(join(assetsDir, 'pglite.wasm')).then(
    () => assetsDir,
    () => undefined,
  );
}
