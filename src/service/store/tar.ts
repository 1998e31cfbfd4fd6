import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const blockSize = 512;

/** Unpacks a gzipped ustar archive of plain files and folders (POSIX.1-1988), as PGlite's dumpDataDir writes them. Rejects when it is cut off or damaged. */
export async function unpackTarGz(archive: Uint8Array, directory: string): Promise<void> {
  const bytes = await promisify(gunzip)(archive);
  const root = resolve(directory);
  await mkdir(root, { recursive: true, mode: 0o700 });
  let files = 0;
  for (let at = 0; ; ) {
    const header = bytes.subarray(at, at + blockSize);
    if (header.length < blockSize) throw new Error('the archive is cut off');
    if (header.every((byte) => byte === 0)) break;
    const field = (from: number, length: number): string => {
      const text = header.subarray(from, from + length);
      const end = text.indexOf(0);
      return text.subarray(0, end < 0 ? length : end).toString('utf8');
    };
    let sum = 0;
    header.forEach((byte, index) => { sum += index >= 148 && index < 156 ? 0x20 : byte; });
    if (sum !== Number.parseInt(field(148, 8).trim(), 8)) throw new Error('the archive is damaged');
    const prefix = field(345, 155);
    const target = resolve(join(root, prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`));
    if (target !== root && !target.startsWith(root + sep)) throw new Error('the archive leads out of its folder');
    const size = Number.parseInt(field(124, 12).trim() || '0', 8);
    const type = field(156, 1);
    at += blockSize;
    if (type === '5') {
      await mkdir(target, { recursive: true, mode: 0o700 });
    } else if (type === '' || type === '0') {
      if (at + size > bytes.length) throw new Error('the archive is cut off');
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(target, bytes.subarray(at, at + size), { mode: 0o600 });
      files += 1;
    }
    at += Math.ceil(size / blockSize) * blockSize;
  }
  if (files === 0) throw new Error('the archive is empty');
}
