import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../../..');

/** Returns the files that each file imports, including types, by paths relative to the repository. */
function importsOf(folders: readonly string[]): Map<string, readonly string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(folder, file)),
  );
  return new Map(
    files.map((file) => [
      file,
      ts
        .preProcessFile(readFileSync(path.join(root, file), 'utf8'), true, true)
        .importedFiles.map(({ fileName }) => path.join(path.dirname(file), fileName))
        .filter((imported) => existsSync(path.join(root, imported))),
    ]),
  );
}

/** Returns the first import cycle as a list of its files, or undefined if there is none. */
function cycleIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const imported of imports.get(file) ?? []) {
      const cycle = visit(imported, [...way, file]);
      if (cycle) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

describe('the imports of the sources', () => {
  it('have no cycles, not even of types', () => {
    const imports = importsOf(['src', 'webview']);
    assert.ok(imports.size > 500);
    assert.equal(cycleIn(imports)?.join(' → '), undefined);
  });

  it('reveal cycles of any length', () => {
    const chain: readonly (readonly [string, readonly string[]])[] = [
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ];
    assert.deepEqual(cycleIn(new Map(chain)), ['b', 'd', 'b']);
    assert.equal(cycleIn(new Map(chain.slice(0, 3))), undefined);
  });
});
