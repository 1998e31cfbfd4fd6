import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from './cache.ts';

export interface BundledSuites {
  folder: string;
  /** Exports `run()`, as VS Code asks of `extensionTestsPath`. */
  entry: string;
  remove(): Promise<void>;
}

/**
 * Bundles `*.test.ts` of a folder, and the entry that runs them, as CommonJS for the extension host.
 * The result lies inside the repository, where `mocha` resolves; each run has a folder of its own.
 */
export async function bundleSuites(suites: string): Promise<BundledSuites> {
  const artifacts = path.join(repositoryRoot, 'test/.artifacts/host');
  await mkdir(artifacts, { recursive: true });
  const folder = await mkdtemp(path.join(artifacts, 'run-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const tests = (await readdir(suites, { recursive: true })).filter((name) => name.endsWith('.test.ts'));
    if (tests.length === 0) {
      throw new Error(`No *.test.ts lies in ${suites}.`);
    }
    await build({
      entryPoints: [
        { in: path.join(import.meta.dirname, 'suiteEntry.ts'), out: 'suiteEntry' },
        ...tests.map((test) => ({ in: path.join(suites, test), out: test.replace(/\.ts$/, '') })),
      ],
      outdir: folder,
      outExtension: { '.js': '.cjs' },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node22',
      sourcemap: 'inline',
      // The suite entry tells why.
      define: { console: 'globalThis.suiteConsole' },
      // Its default entry loads its parts by paths that no bundler sees.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
      external: ['vscode', 'mocha'],
      logLevel: 'warning',
    });
    return { folder, entry: path.join(folder, 'suiteEntry.cjs'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
