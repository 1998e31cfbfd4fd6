import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from './cache.ts';

export interface BundledSuites {
  folder: string;
  /** Exports `run()`, as VS Code requires of `extensionTestsPath`. */
  entry: string;
  remove(): Promise<void>;
}

/**
 * Bundles the `*.test.ts` files of a folder, and the entry that runs them, as CommonJS for the extension host. The
 * result is inside the repository, where `mocha` can be resolved; each run has a separate folder.
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
      // The suite entry explains why.
      define: { console: 'globalThis.suiteConsole' },
      // The package's default entry loads its parts by paths that a bundler can't follow.
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
