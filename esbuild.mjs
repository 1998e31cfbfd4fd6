// Builds everything that ships into dist/: bundles, the webview, models and the store's files. Fails if anything is
// missing. `node esbuild.mjs [--production] [--watch] [--only cli]`; needs Node 24, which npm scripts get from the dev
// dependency `node`. `--only cli` builds only the command line and what it loads, for a quick first start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';
import ts from 'typescript';
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
const forNode = {
  ...common,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // CommonJS has no import.meta. Its few uses refer to the bundle's own file.
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  // The package's default entry loads its parts by paths that a bundler can't follow.
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
/**
 * Removes the parts of a source for which `cut` returns [from, to], and marks each call that `marks` accepts as pure.
 */
function lightened(source, cut, marks = () => false) {
  const edits = [];
  const visit = (node) => {
    const gone = cut(node);
    if (gone) edits.push({ from: gone[0], to: gone[1], text: '' });
    if (marks(node)) edits.push({ from: node.getStart(), to: node.getStart(), text: '/* @__PURE__ */ ' });
    ts.forEachChild(node, (child) => {
      if (!gone || child.getStart() < gone[0]) visit(child);
    });
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return edits
    .sort((one, other) => other.from - one.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), source);
}
const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && isText(node.left) && isText(node.right));
/** Returns the range of `.NAME(…)` at the end of a chain, from the dot, if its argument matches `wanted`. */
const lastCall = (node, name, wanted) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === name &&
  node.arguments.length === 1 &&
  wanted(node.arguments[0])
    ? [node.expression.expression.end, node.end]
    : undefined;
const description = (node) => lastCall(node, 'describe', isText);
const toldOnly = (node) =>
  lastCall(
    node,
    'meta',
    (argument) =>
      ts.isObjectLiteralExpression(argument) && /^(?:default|id)$/.test(argument.properties[0]?.name?.text ?? ''),
  );
/** Matches `.describe(…)` and the like: text about an operation. */
const wordsOfOperation = (node) =>
  ts.isPropertyAssignment(node) &&
  ((node.name.text === 'errors' && ts.isArrayLiteralExpression(node.initializer)) ||
    (/^(?:title|description)$/.test(node.name.text ?? '') && isText(node.initializer)))
    ? [
        node.getStart(),
        node.parent.properties.at(-1) === node ? node.end : node.getSourceFile().text.indexOf(',', node.end) + 1,
      ]
    : undefined;
/** Matches calls that create a schema, so that unused schemas are left out. */
const makesSchema = (node) =>
  ts.isCallExpression(node) &&
  /^(?:z\.\w+|untrusted|ours|secret|\w+Schema(?:\.shape\.\w+)?\.(?:extend|omit|pick|partial|optional|unwrap|array|default|max|min|nullable|and|or))$/.test(
    node.expression.getText().replaceAll(/\s/g, ''),
  );
const lighterContract = (source) =>
  lightened(source, (node) => description(node) ?? toldOnly(node) ?? wordsOfOperation(node), makesSchema);
/**
 * The editor half would load all this at each start without using it: the contract's texts for readers of the interface
 * (descriptions, documented defaults, marks of untrusted text), input descriptions of tools, which are in the manifest,
 * and the generation of JSON Schemas, which the build has already done.
 */
const lighter = [
  replaced(/[\\/]src[\\/]contract[\\/]untrusted\.ts$/, async (file) =>
    (await readFile(file, 'utf8')).replaceAll(
      /^export const (\w+) = <[^;]*;$/gm,
      'export function $1(schema) { return schema; }',
    ),
  ),
  replaced(/[\\/]src[\\/]contract[\\/]\w+\.ts$/, async (file) => lighterContract(await readFile(file, 'utf8'))),
  replaced(/[\\/]src[\\/]editor[\\/]agents[\\/]tools[\\/]\w+\.ts$/, async (file) =>
    lightened(await readFile(file, 'utf8'), description),
  ),
  replaced(/[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/, async (file) => {
    const names = Object.keys(await import(file)).filter((name) => name !== 'default');
    return `const none = () => { throw new Error('The editor half makes no JSON Schemas.'); };\n${names.map((name) => `export const ${name} = ${/^create\w+Method$/.test(name) ? '() => none' : 'none'};`).join('\n')}\n`;
  }),
];
/**
 * The tools never change, and making their JSON Schemas takes a tenth of the service's start. A watching build leaves
 * this to the start, because it would not see changes.
 */
const madeTools = watch
  ? []
  : [
      replaced(/[\\/]src[\\/]service[\\/]http[\\/]toolList\.ts$/, async (file) => {
        const made = Object.entries(await import(file));
        return made
          .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});\n`)
          .join('');
      }),
    ];
/** Separate bundles, which are loaded on demand. */
const askedFor = ['src/editor/trees/treeWork.ts', 'src/editor/formWork.ts'];
const onDemand = {
  name: 'on demand',
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:(?:tree|test|form)Work|serviceProcess)\.ts$/ }, ({ kind, path: file }) =>
      kind === 'dynamic-import' ? { path: `./${path.basename(file, '.ts')}.js`, external: true } : undefined,
    );
  },
};
/** The extension host loads CommonJS, so these bundles use `require`, like the rest of the editor half. */
const required = { supported: { 'dynamic-import': false } };
/**
 * A production build doesn't check the messages that panels send to their pages
 * (`editor/panels/webview/sentMessages.ts`).
 */
const forEditor = {
  ...forNode,
  banner: {},
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  charset: 'utf8',
};
const bundles = [
  {
    ...forEditor,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    plugins: [...lighter, onDemand],
    ...required,
  },
  ...askedFor.map((file) => ({
    ...forEditor,
    entryPoints: [file],
    outfile: `dist/${path.basename(file, '.ts')}.js`,
    plugins: lighter,
  })),
  {
    ...forNode,
    entryPoints: ['src/cli/serviceStart.ts'],
    outfile: 'dist/service.js',
    plugins: [onDemand],
    ...required,
  },
  {
    ...forNode,
    entryPoints: ['src/cli/serviceProcess.ts'],
    outfile: 'dist/serviceProcess.js',
    plugins: madeTools,
  },
  { ...forNode, entryPoints: ['src/speech/worker.ts'], outfile: 'dist/speechWorker.js' },
  { ...forNode, entryPoints: ['src/engine/load/callerThread.ts'], outfile: 'dist/callerWorker.js' },
  {
    ...forNode,
    entryPoints: ['src/cli/dialtree.ts'],
    outfile: 'dist/cli.js',
    plugins: madeTools,
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
    entryPoints: ['webview/tree/main.ts'],
    outfile: 'dist/webview/main.js',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
  },
  { ...common, entryPoints: ['webview/tree/tree.css'], outfile: 'dist/webview/main.css' },
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

/** The command line and what it loads: threads for speech and calls, and the page of a load test's report. */
const filesOfCli = new Set(['cli.js', 'speechWorker.js', 'callerWorker.js', 'webview/load.js', 'webview/load.css']);
const chosen = onlyCli ? bundles.filter(({ outfile }) => filesOfCli.has(outfile.replace(/^dist\//, ''))) : bundles;

/** Files beside the bundles that the product needs. */
const wanted = [
  'assets/store-template.tar.br',
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
  'formWork.js',
  'service.js',
  'serviceProcess.js',
  'speechWorker.js',
  'callerWorker.js',
  'cli.js',
  'client.js',
  'client.d.ts',
  'client/contract.d.ts',
  'THIRD-PARTY-NOTICES.md',
];

async function buildAssets() {
  const { prepareStoreAssets } = await import('./src/service/store/storeAssets.ts');
  // A separate process, because making the store and cutting the models each use one processor.
  await Promise.all([extractModels(), prepareStoreAssets(built)]);
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

/** Makes `to` the same as `from`. Existing files aren't copied again: the models take up 79 MB. */
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
  for (const result of results) {
    for (const [file, { bytes }] of Object.entries(result.metafile.outputs)) {
      if (!file.endsWith('.map')) console.log(`${file.padEnd(28)} ${kilobytes(bytes)}`);
    }
  }
  console.log(`${'dist/assets'.padEnd(28)} ${kilobytes(await sizeOf(path.join(dist, 'assets')))}`);
  if (!onlyCli) checkStart(results);
  const extension = results[0].metafile.outputs['dist/extension.js']?.bytes ?? 0;
  if (production && extension > 500_000)
    throw new Error(`dist/extension.js has ${kilobytes(extension)}; the budget is 500 kB.`);
}

/** Everything in `dist/service.js` is compiled at each start. */
function checkStart(results) {
  const start = results.find(({ metafile }) => metafile.outputs['dist/service.js']);
  const inputs = Object.keys(start.metafile.inputs);
  const heavy = inputs.filter((file) => !/^src\/cli\/(?:serviceStart|settings\/compiledCode)\.ts$/.test(file));
  if (heavy.length > 0)
    throw new Error(`dist/service.js contains ${heavy.join(', ')}, which belongs in dist/serviceProcess.js.`);
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`.padStart(10);

/** Lines that a package's own bundler adds. They aren't part of a package. */
const bundlers = new Set(['tsup']);

/**
 * Returns the packages that a published bundle contains, from its source map: those of its `node_modules`, and
 * neighbours of that folder.
 */
async function carriedBy(folder, input) {
  const map = await readFile(path.join(root, `${input}.map`), 'utf8').catch(() => undefined);
  const found = [];
  for (const source of map === undefined ? [] : JSON.parse(map).sources) {
    const inside = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
    const place = path.relative(folder, path.join(path.dirname(input), source)).split(path.sep);
    const name = inside ?? (place[0] === '..' ? place.find((part) => part !== '..') : undefined);
    if (name && !bundlers.has(name)) found.push(name);
  }
  return found;
}

/** Reads the licence of a component that no installed package provides. `media/notices` holds its text and source. */
async function keptNotice(name, holder) {
  const text = await readFile(
    path.join(root, 'media/notices', `${path.basename(name).toLowerCase()}.txt`),
    'utf8',
  ).catch(() => {
    throw new Error(`${holder} carries ${name}, whose licence is not in media/notices.`);
  });
  return `## ${name}\n\nCarried by ${holder}.\n\n\`\`\`\n${text.trim()}\n\`\`\``;
}

/**
 * Writes the licences of everything in the bundles and of the models. Fails if a package has no licence, or one that
 * must not ship.
 */
async function writeNotices(results) {
  const folders = new Set();
  // Components inside PGlite's WebAssembly and data, which no source map lists.
  const carried = new Map([['PostgreSQL', '@electric-sql/pglite']]);
  for (const result of results) {
    for (const input of Object.keys(result.metafile.inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
      if (!folder) continue;
      folders.add(folder);
      for (const name of await carriedBy(folder, input)) carried.set(name, folder.replace(/^.*node_modules\//, ''));
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
  for (const [name, holder] of [...carried].sort(([one], [other]) => (one < other ? -1 : 1)))
    notices.push(await keptNotice(name, holder));
  const { packages } = JSON.parse(await readFile(path.join(root, 'media/speech/manifest.json'), 'utf8'));
  for (const { name, version, licence } of packages)
    notices.push(`## ${name} ${version}\n\nLicence: ${licence}. The texts are in assets/speech/licenses.`);
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
      await writeNotices(results);
      await writeClientDeclarations(dist);
    }
    await checkAndReport(results);
    if (!onlyCli) await writeFile(path.join(dist, 'build.json'), `${JSON.stringify({ production })}\n`);
  }
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
}
