import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { inGroups } from './inGroups.ts';

const blockSize = 512;

/**
 * Unpacks a ustar archive of plain files and folders (POSIX.1-1988), as PGlite's dumpDataDir writes them. Rejects if it
 * is cut off or damaged, and writes nothing then.
 */
export async function unpackTar(archive: Buffer, directory: string): Promise<void> {
  const root = resolve(directory);
  const { folders, files } = readEntries(archive, root);
  if (files.length === 0) throw new Error('the archive is empty');
  for (const folder of new Set([root, ...folders, ...files.map(({ target }) => dirname(target))]))
    await mkdir(folder, { recursive: true, mode: 0o700 });
  await inGroups(files, ({ target, content }) => writeFile(target, content, { mode: 0o600 }));
}

interface Entries {
  readonly folders: readonly string[];
  readonly files: readonly { readonly target: string; readonly content: Uint8Array }[];
}

function readEntries(bytes: Buffer, root: string): Entries {
  const folders: string[] = [];
  const files: Entries['files'][number][] = [];
  for (let at = 0; ;) {
    const header = bytes.subarray(at, at + blockSize);
    if (header.length < blockSize) throw new Error('the archive is cut off');
    if (header.every((byte) => byte === 0)) return { folders, files };
    const field = (from: number, length: number): string => {
      const text = header.subarray(from, from + length);
      const end = text.indexOf(0);
      return text.subarray(0, end < 0 ? length : end).toString('utf8');
    };
    let sum = 0;
    header.forEach((byte, index) => {
      sum += index >= 148 && index < 156 ? 0x20 : byte;
    });
    if (sum !== Number.parseInt(field(148, 8).trim(), 8)) throw new Error('the archive is damaged');
    const prefix = field(345, 155);
    const target = resolve(join(root, prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`));
    if (target !== root && !target.startsWith(root + sep)) throw new Error('the archive leads out of its folder');
    const size = Number.parseInt(field(124, 12).trim() || '0', 8);
    const type = field(156, 1);
    at += blockSize;
    if (type === '5') {
      folders.push(target);
    } else if (type === '' || type === '0') {
      if (at + size > bytes.length) throw new Error('the archive is cut off');
      files.push({ target, content: bytes.subarray(at, at + size) });
    }
    at += Math.ceil(size / blockSize) * blockSize;
  }
}
