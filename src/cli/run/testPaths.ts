import { stat } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { isTestFile, testFileSuffixes } from '../../model/tests/testFile.ts';
import { UsageError } from '../command.ts';

const endings = testFileSuffixes.map((suffix) => `*${suffix}`).join(' or ');

/**
 * Finds the test files that the arguments name: files, folders with everything below them, and patterns with `*`, `**`,
 * `?` and `{a,b}`. Returns absolute paths, sorted within an argument, without duplicates.
 */
export async function findTestFiles(args: readonly string[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const argument of args) found.push(...(await filesOf(argument, cwd)));
  return [...new Set(found)];
}

async function filesOf(argument: string, cwd: string): Promise<string[]> {
  const place = path.resolve(cwd, argument);
  const stats = await stat(place).catch(() => undefined);
  if (stats?.isFile() === true) {
    if (!isTestFile(place))
      throw new UsageError(`${argument} isn't a test file. The name of a test file ends with ${endings}.`);
    return [place];
  }
  if (stats?.isDirectory() === true) {
    const files = await filesUnder(place, '**');
    if (files.length === 0) throw new UsageError(`Couldn't find any ${endings} files in ${argument}.`);
    return files;
  }
  if (!/[*?{]/.test(argument)) throw new UsageError(`${argument} doesn't exist. Give a file, a folder or a pattern.`);
  const pattern = path.sep === '\\' ? argument.replaceAll('\\', '/') : argument;
  const literal = /^(?:[^*?{]*\/)?/.exec(pattern)?.[0] ?? '';
  const files = await filesUnder(path.resolve(cwd, literal), pattern.slice(literal.length));
  if (files.length === 0) throw new UsageError(`No ${endings} file matches ${argument}. Check the pattern.`);
  return files;
}

/** Returns test files that match a pattern there, without hidden folders and node_modules. */
async function filesUnder(folder: string, pattern: string): Promise<string[]> {
  const files = await glob(pattern.replaceAll(/[()]/g, '\\$&'), {
    cwd: folder,
    absolute: true,
    dot: true,
    expandDirectories: false,
    extglob: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', '**/.*/**'],
  });
  return files
    .filter(isTestFile)
    .map((file) => path.normalize(file))
    .sort();
}
