import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
/** A ceiling further above the code than this no longer holds it. */
const mostSpare = 1000;

/** Each kind of code with its ceiling, from the table in docs/contributing.md. */
const ceilings = [
  ...readFileSync(path.join(root, 'docs/contributing.md'), 'utf8').matchAll(
    /^\| `(\w+)` \| ([^|]+) \| ([\d,]+) lines \|$/gm,
  ),
].map(([, folder = '', kinds = '', lines = '']) => ({
  folder,
  extensions: kinds.split(',').map((kind) => kind.trim().replaceAll('`', '')),
  most: Number(lines.replaceAll(',', '')),
}));

function linesIn(folder: string, extensions: readonly string[]): number {
  const isCode = (file: string): boolean =>
    extensions.includes(path.extname(file)) && !/(?:^|[\\/])(?:node_modules|\.artifacts)[\\/]/.test(file);
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isCode)
    .reduce((sum, file) => sum + readFileSync(path.join(root, folder, file), 'utf8').split('\n').length - 1, 0);
}

describe('the size of the code', () => {
  it('has a ceiling for each folder', () =>
    assert.deepEqual(
      ceilings.map(({ folder }) => folder),
      ['src', 'webview', 'test'],
    ));

  for (const { folder, extensions, most } of ceilings)
    it(`stays below the ceiling of ${folder}, and not far below`, () => {
      const lines = linesIn(folder, extensions);
      assert.ok(lines <= most, `${String(lines)} lines, at most ${String(most)}. Take something away first.`);
      assert.ok(lines > most - mostSpare, `${String(lines)} lines. Lower the ceiling in docs/contributing.md.`);
    });
});
