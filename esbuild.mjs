// Builds everything that ships into dist/: bundles, the webview, models and the store's files. Fails if anything is
// missing. `node esbuild.mjs [--production] [--watch] [--only cli]`; needs Node 24, which npm scripts get from the dev
// dependency `node`. `--only cli` builds only the command line and what it loads, for a quick first start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';
import { editorContract } from './editorContract.mjs';
import { prepareMeaning } from './meaning.mjs';
import { writeNotices } from './notices.mjs';
import { writeClientDeclarations } from './src/client/declare/clientDeclarations.ts';

const root = import.meta.dirname;
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const onlyCli = process.argv.includes('--only');
if (onlyCli && (process.argv[process.argv.indexOf('--only') + 1] !== 'cli' || watch || production))
  throw new Error('--only takes cli, without --watch and --production.');
const dist = path.join(root, 'dist');
const built = path.join(root, '.assets');

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
};
const node = { ...common, platform: 'node', target: 'node20' };
const forNode = {
  ...node,
  format: 'cjs',
  // CommonJS has no import.meta. Its few uses refer to the bundle's own file.
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  // The package's default entry loads its parts by paths that a bundler can't follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: ['vscode', 'pg-native', '@cfworker/json-schema', 'onnxruntime-node'],
};
/**
 * The tools never change, and making their JSON Schemas takes a tenth of the service's start. A watching build leaves
 * this to the start, because it would not see changes.
 */
const madeTools = {
  name: 'made tools',
  setup({ onLoad }) {
    if (watch) return;
    onLoad({ filter: /[\\/]src[\\/]service[\\/]http[\\/]toolList\.ts$/ }, async ({ path: file }) => ({
      contents: Object.entries(await import(file))
        .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`)
        .join(''),
    }));
  },
};
/** The service itself is a separate bundle, which `dist/service.js` compiles once and then loads from a cache. */
const separateService = {
  name: 'separate service',
  setup({ onResolve }) {
    onResolve({ filter: /\/serviceProcess\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './serviceProcess.js', external: true } : undefined,
    );
  },
};
/** A page of `dist/webview`: its script and its styles. */
const page = (folder, name) => [
  {
    ...common,
    entryPoints: [`webview/${folder}/main.ts`],
    outfile: `dist/webview/${name}.js`,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  { ...common, entryPoints: [`webview/${folder}/${folder}.css`], outfile: `dist/webview/${name}.css` },
];
/**
 * The editor half is one file. Modules that it imports on demand are evaluated then. A production build doesn't check
 * the messages that panels send to their pages (`editor/panels/webview/sentMessages.ts`). The file is strict as a whole,
 * so its modules needn't say it.
 */
const editor = {
  ...node,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  format: 'cjs',
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  alias: forNode.alias,
  external: ['vscode'],
  plugins: [editorContract],
  tsconfigRaw: { compilerOptions: { target: 'ES2023', alwaysStrict: false } },
  banner: { js: '"use strict";' },
};
const bundles = [
  editor,
  {
    ...forNode,
    entryPoints: ['src/cli/serviceStart.ts'],
    outfile: 'dist/service.js',
    plugins: [separateService],
    // The other file is CommonJS too.
    supported: { 'dynamic-import': false },
  },
  {
    ...forNode,
    entryPoints: ['src/cli/serviceProcess.ts'],
    outfile: 'dist/serviceProcess.js',
    plugins: [madeTools],
  },
  { ...forNode, entryPoints: ['src/speech/worker.ts'], outfile: 'dist/speechWorker.js' },
  { ...forNode, entryPoints: ['src/engine/load/callerThread.ts'], outfile: 'dist/callerWorker.js' },
  {
    ...forNode,
    entryPoints: ['src/cli/dialtree.ts'],
    outfile: 'dist/cli.js',
    plugins: [madeTools],
    banner: { js: `#!/usr/bin/env node\n${forNode.banner.js}` },
  },
  // CommonJS, so that `import` and `require` get the same classes.
  { ...node, entryPoints: ['src/client/package.ts'], outfile: 'dist/client.js', format: 'cjs' },
  ...page('tree', 'main'),
  ...page('report', 'report'),
  ...page('load', 'load'),
  ...page('hand', 'hand'),
];

/** The command line and what it loads: threads for speech and calls, and the page of a load test's report. */
const filesOfCli = new Set(['cli.js', 'speechWorker.js', 'callerWorker.js', 'webview/load.js', 'webview/load.css']);
const chosen = onlyCli ? bundles.filter(({ outfile }) => filesOfCli.has(outfile.replace(/^dist\//, ''))) : bundles;

/** Files that the product needs. */
const wanted = [
  'assets/store-template.tar.br',
  'assets/pglite.wasm',
  'assets/pglite.data',
  'assets/initdb.wasm',
  'assets/speech/manifest.json',
  'assets/meaning/weights.bin',
  'assets/meaning/vocabulary.json',
  ...bundles.map(({ outfile }) => outfile.replace(/^dist\//, '')),
  'client.d.ts',
  'client/contract.d.ts',
  'THIRD-PARTY-NOTICES.md',
];

async function buildAssets() {
  const { prepareStoreAssets } = await import('./src/service/store/storeAssets.ts');
  // A separate process, because making the store and cutting the models each use one processor.
  await Promise.all([extractModels(), prepareStoreAssets(built), prepareMeaning(path.join(built, 'meaning'))]);
  await mirror(built, path.join(dist, 'assets'));
}

async function extractModels() {
  const script = path.join(root, 'src/speech/assets/extract.mjs');
  const [code] = await once(
    spawn(process.execPath, [script, path.join(built, 'speech')], { stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) throw new Error("Couldn't build the speech models.");
}

/** Names of files that a writer hasn't finished. An interrupted build leaves them. */
const unfinished = /\.(?:partial|tmp)$/;
/** No writer takes this long. */
const abandonedMs = 3_600_000;

/** Makes `to` the same as `from`. Existing files aren't copied again: the models take up 86 MB. */
async function mirror(from, to) {
  const filesOf = async (folder) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const wanted = new Set(await filesOf(from));
  for (const file of [...wanted].filter((name) => unfinished.test(name))) {
    wanted.delete(file);
    const left = await stat(path.join(from, file)).catch(() => undefined);
    if (left && Date.now() - left.mtimeMs > abandonedMs) await rm(path.join(from, file), { force: true });
  }
  for (const file of await filesOf(to)) if (!wanted.has(file)) await rm(path.join(to, file));
  for (const file of wanted) {
    const [source, copy] = [path.join(from, file), path.join(to, file)];
    const [there, here] = await Promise.all([stat(source), stat(copy).catch(() => undefined)]);
    if (here?.size === there.size && Math.abs(here.mtimeMs - there.mtimeMs) < 1) continue;
    await mkdir(path.dirname(copy), { recursive: true });
    await copyFile(source, copy);
    await utimes(copy, there.atime, there.mtime);
  }
}

async function checkAndReport(results) {
  for (const file of wanted.filter((name) => !onlyCli || name.startsWith('assets/') || filesOfCli.has(name))) {
    const { size } = await stat(path.join(dist, file)).catch(() => {
      throw new Error(`The build did not make dist/${file}.`);
    });
    if (size === 0) throw new Error(`dist/${file} is empty.`);
  }
  for (const { metafile } of results) {
    for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
      if (!file.endsWith('.map')) console.log(`${file.padEnd(28)} ${kilobytes(bytes)}`);
    }
  }
  console.log(`${'dist/assets'.padEnd(28)} ${kilobytes(await sizeOf(path.join(dist, 'assets')))}`);
  if (onlyCli) return;
  checkStart(results);
  const { bytes } = results[0].metafile.outputs['dist/extension.js'];
  if (production && bytes > editorBudget)
    throw new Error(
      `dist/extension.js has ${kilobytes(bytes).trim()}; the budget is ${kilobytes(editorBudget).trim()}.`,
    );
  await writeFile(path.join(dist, 'build.json'), `${JSON.stringify({ production })}\n`);
}

/** Bytes that each window reads and compiles when it activates the extension (`docs/decisions/one-file-editor.md`). */
const editorBudget = 646_000;

/** Everything in `dist/service.js` is compiled at each start. */
function checkStart(results) {
  const start = results.find(({ metafile }) => metafile.outputs['dist/service.js']);
  const inputs = Object.keys(start.metafile.inputs);
  const heavy = inputs.filter((file) => !/^src\/cli\/(?:serviceStart|settings\/compiledCode)\.ts$/.test(file));
  if (heavy.length > 0)
    throw new Error(`dist/service.js contains ${heavy.join(', ')}, which belongs in dist/serviceProcess.js.`);
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`.padStart(10);

async function sizeOf(folder) {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return sum;
}

/** The editor's build task recognises the beginning and end of a build by these lines (`.vscode/tasks.json`). */
const toldBuilds = {
  name: 'told builds',
  setup({ onStart, onEnd }) {
    onStart(() => {
      console.log('[watch] build started');
    });
    onEnd(() => {
      console.log('[watch] build finished');
    });
  },
};

try {
  if (watch) {
    await buildAssets();
    const contexts = bundles.map((options) =>
      esbuild.context({ ...options, plugins: [...(options.plugins ?? []), toldBuilds] }),
    );
    for (const context of contexts) await (await context).watch();
  } else {
    await mkdir(dist, { recursive: true });
    if (onlyCli) {
      // What is there afterwards isn't a whole build of one kind.
      await rm(path.join(dist, 'build.json'), { force: true });
    } else {
      // Source maps of an earlier development build must not ship.
      for (const stale of await readdir(dist))
        if (stale !== 'assets') await rm(path.join(dist, stale), { recursive: true });
    }
    const [results] = await Promise.all([Promise.all(chosen.map((options) => esbuild.build(options))), buildAssets()]);
    if (!onlyCli) {
      await writeNotices(results, dist);
      await writeClientDeclarations(dist);
    }
    await checkAndReport(results);
  }
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
}
