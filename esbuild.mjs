// Builds everything that ships into dist/: bundles, the webview, models and the store's files. Fails when anything is missing.
// `node esbuild.mjs [--production] [--watch]`; needs Node 24 (npm scripts have it from the dev dependency `node`).
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';
import { writeClientDeclarations } from './src/client/declare/clientDeclarations.ts';
import { fileKinds, fileSchemaText } from './src/contract/fileSchemas.ts';
import { extractAssets } from './src/speech/assets/extract.mjs';

const root = import.meta.dirname;
const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
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
const forNode = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // CommonJS has no import.meta: its few uses name the bundle's own file.
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  // Its default entry loads its parts by paths that no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: ['vscode', 'pg-native', '@cfworker/json-schema', 'onnxruntime-node'],
};
const replaced = (filter, contents) => ({
  name: String(filter),
  setup({ onLoad }) {
    onLoad({ filter }, async ({ path: file }) => ({
      contents: await contents(file),
      loader: file.endsWith('.ts') ? 'ts' : 'js',
    }));
  },
});
const description = /\.describe\((?:'(?:[^'\\]|\\.)*'|`[^`]*`)\)/g;
/** What the editor half would load at each start for nothing: what the contract says to readers of the interface, what tools say of their input, which the manifest holds, and the making of JSON Schemas, which the build has done. */
const lighter = [
  replaced(/[\\/]src[\\/]contract[\\/]\w+\.ts$/, async (file) =>
    (await readFile(file, 'utf8'))
      .replaceAll(description, '')
      .replaceAll(/^ +(?:title|description): '(?:[^'\\]|\\.)*',\n/gm, ''),
  ),
  replaced(/[\\/]src[\\/]editor[\\/]agents[\\/]tools[\\/]\w+\.ts$/, async (file) =>
    (await readFile(file, 'utf8')).replaceAll(description, ''),
  ),
  replaced(/[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/, async (file) => {
    const names = Object.keys(await import(file)).filter((name) => name !== 'default');
    return `const none = () => { throw new Error('The editor half makes no JSON Schemas.'); };\n${names.map((name) => `export const ${name} = ${/^create\w+Method$/.test(name) ? '() => none' : 'none'};`).join('\n')}\n`;
  }),
];
/** Stand in bundles of their own, which are read when they are asked for. */
const askedFor = ['src/editor/trees/treeWork.ts', 'src/editor/testing/testWork.ts'];
const onDemand = {
  name: 'on demand',
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:tree|test)Work\.ts$/ }, ({ kind, path: file }) =>
      kind === 'dynamic-import' ? { path: `./${path.basename(file, '.ts')}.js`, external: true } : undefined,
    );
  },
};
/** As everything else of the editor half is read: its host knows CommonJS. */
const required = { supported: { 'dynamic-import': false } };
const bundles = [
  {
    ...forNode,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    plugins: [...lighter, onDemand],
    charset: 'utf8',
    ...required,
  },
  ...askedFor.map((file) => ({
    ...forNode,
    entryPoints: [file],
    outfile: `dist/${path.basename(file, '.ts')}.js`,
    plugins: lighter,
    charset: 'utf8',
  })),
  { ...forNode, entryPoints: ['src/cli/serviceProcess.ts'], outfile: 'dist/service.js' },
  { ...forNode, entryPoints: ['src/speech/worker.ts'], outfile: 'dist/speechWorker.js' },
  { ...forNode, entryPoints: ['src/engine/load/callerThread.ts'], outfile: 'dist/callerWorker.js' },
  {
    ...forNode,
    entryPoints: ['src/cli/dialtree.ts'],
    outfile: 'dist/cli.js',
    banner: { js: `#!/usr/bin/env node\n${forNode.banner.js}` },
  },
  // CommonJS, so that `import` and `require` get the same classes.
  {
    ...common,
    entryPoints: ['src/client/package.ts'],
    outfile: 'dist/client.js',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  },
  {
    ...common,
    entryPoints: ['webview/main.ts'],
    outfile: 'dist/webview/main.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  { ...common, entryPoints: ['webview/styles.css'], outfile: 'dist/webview/main.css' },
  {
    ...common,
    entryPoints: ['webview/report/main.ts'],
    outfile: 'dist/webview/report.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  { ...common, entryPoints: ['webview/report/report.css'], outfile: 'dist/webview/report.css' },
  {
    ...common,
    entryPoints: ['webview/load/main.ts'],
    outfile: 'dist/webview/load.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  { ...common, entryPoints: ['webview/load/load.css'], outfile: 'dist/webview/load.css' },
];

/** Files beside the bundles that the product cannot do without. */
const wanted = [
  'assets/store-template.tar.gz',
  'assets/pglite.wasm',
  'assets/pglite.data',
  'assets/initdb.wasm',
  'assets/speech/manifest.json',
  'webview/main.js',
  'webview/main.css',
  'webview/report.js',
  'webview/report.css',
  'webview/load.js',
  'webview/load.css',
  'extension.js',
  'treeWork.js',
  'testWork.js',
  'service.js',
  'speechWorker.js',
  'callerWorker.js',
  'cli.js',
  'client.js',
  'client.d.ts',
  'client/contract.d.ts',
  'THIRD-PARTY-NOTICES.md',
];

async function buildAssets() {
  await extractAssets({
    targetDir: path.join(built, 'speech'),
    log: (message) => {
      console.log(message);
    },
  });
  const { prepareStoreAssets } = await import('./src/service/store/storeAssets.ts');
  await prepareStoreAssets(built);
  await rm(path.join(dist, 'assets'), { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await cp(built, path.join(dist, 'assets'), { recursive: true });
}

async function checkAndReport(results) {
  for (const file of wanted) {
    const { size } = await stat(path.join(dist, file)).catch(() => {
      throw new Error(`The build did not make dist/${file}.`);
    });
    if (size === 0) throw new Error(`dist/${file} is empty.`);
  }
  for (const result of results) {
    for (const [file, { bytes }] of Object.entries(result.metafile.outputs)) {
      if (!file.endsWith('.map')) console.log(`${file.padEnd(28)} ${kilobytes(bytes)}`);
    }
  }
  console.log(`${'dist/assets'.padEnd(28)} ${kilobytes(await sizeOf(path.join(dist, 'assets')))}`);
  const extension = results[0].metafile.outputs['dist/extension.js'].bytes;
  if (production && extension > 500_000)
    throw new Error(`dist/extension.js has ${kilobytes(extension)}; the budget is 500 kB.`);
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`.padStart(10);

/** The licences of everything in the bundles and of the models. Fails on a package without one, or with one that may not ship. */
async function writeNotices(results) {
  const folders = new Set();
  for (const result of results) {
    for (const input of Object.keys(result.metafile.inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
      if (folder) folders.add(folder);
    }
  }
  // PGlite's WebAssembly is copied, not bundled.
  folders.add('node_modules/@electric-sql/pglite');
  const notices = [];
  for (const folder of [...folders].sort()) {
    const manifest = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
    const licence = typeof manifest.license === 'object' ? manifest.license.type : manifest.license;
    if (!licence || /\bA?GPL/i.test(licence))
      throw new Error(`${manifest.name}@${manifest.version} has the licence "${licence}", which may not ship.`);
    const files = (await readdir(path.join(root, folder)))
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .sort();
    const texts = await Promise.all(
      files.map(async (file) =>
        (await stat(path.join(root, folder, file))).isFile()
          ? (await readFile(path.join(root, folder, file), 'utf8')).trim()
          : '',
      ),
    );
    notices.push(
      `## ${manifest.name} ${manifest.version}\n\nLicence: ${licence}\n\n${texts
        .filter(Boolean)
        .map((text) => `\`\`\`\n${text}\n\`\`\``)
        .join('\n\n')}`,
    );
  }
  const { packages } = JSON.parse(await readFile(path.join(root, 'media/speech/manifest.json'), 'utf8'));
  for (const { name, version, licence } of packages)
    notices.push(`## ${name} ${version}\n\nLicence: ${licence}. Its texts lie in assets/speech/licenses.`);
  await writeFile(
    path.join(dist, 'THIRD-PARTY-NOTICES.md'),
    `# Third-party notices\n\nDialtree ships the following software and models.\n\n${notices.join('\n\n')}\n`,
  );
}

async function sizeOf(folder) {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return sum;
}

/** The JSON Schemas of the files that people edit: they lie in the repository too, where test files name them. */
async function writeSchemas() {
  const folder = path.join(root, 'media/schemas');
  await mkdir(folder, { recursive: true });
  for (const kind of fileKinds) await writeFile(path.join(folder, kind.schemaFile), fileSchemaText(kind));
}

try {
  await buildAssets();
  await writeSchemas();
  if (watch) {
    for (const options of bundles) await (await esbuild.context(options)).watch();
    console.log('watching');
  } else {
    // Source maps of a development build must not ship.
    for (const stale of await readdir(dist))
      if (stale !== 'assets') await rm(path.join(dist, stale), { recursive: true });
    const results = await Promise.all(bundles.map((options) => esbuild.build(options)));
    await writeNotices(results);
    await writeClientDeclarations(dist);
    await checkAndReport(results);
    await writeFile(path.join(dist, 'build.json'), `${JSON.stringify({ production })}\n`);
  }
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
}
