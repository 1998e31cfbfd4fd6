import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the id of a test: the one in its file, or one that the place of the file gives.
 * The place is the path within the repository, so all clones of the repository share the id.
 * @param file an absolute path, or a URI that isn't a path
 */
export async function testIdOf(id: string | undefined, file: string): Promise<string> {
  if (id !== undefined) return id;
  if (!path.isAbsolute(file)) return uuidOf(file);
  const real = await realpath(file).catch(() => file);
  const place = await repositoryOf(real);
  return uuidOf(place ? `${place.repository}\n${place.within}` : real);
}

/** Dialtree's namespace for names of tests. */
const namespace = Buffer.from('5d0b3f5c9f1e4b6c8a3f2e7d1c9b4a60', 'hex');

/** Returns the same id for the same name (a UUID of version 5, RFC 9562, section 5.5). */
export function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns what all clones call a file: its repository, and its path in it. */
async function repositoryOf(
  file: string,
): Promise<{ readonly repository: string; readonly within: string } | undefined> {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const config = await readConfig(path.join(folder, '.git'));
    if (config !== undefined)
      return {
        // A clone of a folder names that folder as its origin.
        repository: originIn(config) ?? folder,
        within: path.relative(folder, file).replaceAll(path.sep, '/'),
      };
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** A configuration has a few kilobytes. A much larger file isn't read, because anyone can write a repository. */
const maxConfigBytes = 1_048_576;

/** Returns the configuration of a repository. In a linked work tree and in a submodule, `.git` is a file. */
async function readConfig(git: string): Promise<string | undefined> {
  const read = async (...places: string[]): Promise<string | undefined> => {
    const place = path.resolve(...places);
    const found = await stat(place).catch(() => undefined);
    if (!found?.isFile() || found.size > maxConfigBytes) return undefined;
    // Files such as those in /proc hide their size.
    const chunks: Buffer[] | undefined = await createReadStream(place, { end: maxConfigBytes - 1 })
      .toArray()
      .catch(() => undefined);
    return chunks && Buffer.concat(chunks).toString('utf8');
  };
  const inFolder = await read(git, 'config');
  if (inFolder !== undefined) return inFolder;
  const gitFolder = /^gitdir: (.+)$/m.exec((await read(git)) ?? '')?.[1];
  if (gitFolder === undefined) return undefined;
  const place = path.resolve(git, '..', gitFolder);
  return await read(place, ((await read(place, 'commondir')) ?? '').trim(), 'config');
}

/** Returns the address of the remote `origin`, without what differs between users: protocol, login and ending. */
function originIn(config: string): string | undefined {
  const url = urlIn(config);
  const named = url && /^(?:[a-z+]+:\/\/(?:[^/]*@)?|[^@/]*@)?([^/:]+)(?::\d+(?=\/))?[/:]+([^]+)$/i.exec(url);
  if (!url || !named || path.isAbsolute(url)) return url;
  const [, host = '', place = ''] = named;
  return `${host.toLowerCase()}/${place.replace(/(?<!\/)(?:\.git)?\/*$/, '')}`;
}

/** Reads line by line, because a pattern for the whole text takes long for hostile ones. */
function urlIn(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n')) {
    const text = line.trim();
    const sectionEnd = text.startsWith('[') ? text.indexOf(']') : -1;
    if (sectionEnd > 0) isOrigin = /^\[remote\s+"origin"$/i.test(text.slice(0, sectionEnd));
    const [name = '', ...value] = text.slice(sectionEnd + 1).split('=');
    if (!isOrigin || name.trim().toLowerCase() !== 'url') continue;
    const [url = ''] = value.join('=').split(/\s[#;]/);
    return url.replaceAll('"', '').trim() || undefined;
  }
  return undefined;
}
