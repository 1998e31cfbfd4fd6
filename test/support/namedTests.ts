import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A row of a document that names a test; the file is relative to `test`. */
export interface NamedTest {
  readonly what: string;
  readonly file: string;
  readonly title: string;
}

/** Returns the sections of a Markdown text by title. */
export const sectionsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(/^##+ /m).map((section) => [section.split('\n')[0] ?? '', section]));

/** Returns the cells of a section's tables, without headers. */
export const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .filter((cells, index, all) => !/^-+$/.test(cells[0] ?? '') && !/^-+$/.test(all[index + 1]?.[0] ?? ''));

/** Fails if a file or one of its named tests doesn't exist. */
export async function assertTestsExist(named: readonly NamedTest[]): Promise<void> {
  const titles = new Map<string, string[]>();
  for (const { what, file, title } of named) {
    const found =
      titles.get(file) ??
      titlesIn(
        await readFile(join(import.meta.dirname, '..', file), 'utf8').catch(() =>
          assert.fail(`There is no file test/${file}.`),
        ),
      );
    titles.set(file, found);
    assert.ok(
      found.some((pattern) => new RegExp(`^${pattern}$`).test(title)),
      `${what}: test/${file} has no test “${title}”.`,
    );
  }
}

const escape = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** Returns the titles of a file's tests, without tags, as patterns: placeholders match anything. */
function titlesIn(source: string): string[] {
  const literals = [...source.matchAll(/\bit\(\s*(?:(['"])((?:(?!\1)[^\\]|\\.)*)\1|`((?:[^`\\]|\\.)*)`)/g)];
  return literals
    .map(([, , plain, template = '']) =>
      plain === undefined
        ? template
            .split(/\$\{[^}]+\}/)
            .map((part) => escape(part))
            .join('.+')
        : escape(plain.replaceAll(/\\(.)/g, '$1')),
    )
    .map((pattern) => pattern.replace(/(?: @\w+)+$/, ''));
}
