import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isTestFile, testFileSuffixes } from '../model/testFile.ts';
import { UsageError } from './command.ts';

const endings = testFileSuffixes.map((suffix) => `*${suffix}`).join(' or ');

/** The test files that the arguments name: files, folders with all below them, and patterns with `*`, `**`, `?` and `{a,b}`. Absolute paths, sorted within an argument, none twice. */
export async function findTestFiles(args: readonly string[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const argument of args) found.push(...(await filesOf(argument, cwd)));
  return [...new Set(found)];
}

async function filesOf(argument: string, cwd: string): Promise<string[]> {
  const place = path.resolve(cwd, argument);
  const stats = await stat(place).catch(() => undefined);
  if (stats?.isFile() === true) {
    if (!isTestFile(place)) throw new UsageError(`${argument} is no test file: the name of one ends with ${endings}.`);
    return [place];
  }
  if (stats?.isDirectory() === true) {
    const files = await walk(place);
    if (files.length === 0) throw new UsageError(`There is no ${endings} in ${argument}.`);
    return files;
  }
  if (!/[*?{]/.test(argument)) throw new UsageError(`There is no file or folder ${argument}.`);
  const parts = argument.split(path.sep === '\\' ? /[/\\]/ : '/');
  const literal = parts.findIndex((part) => /[*?{]/.test(part));
  const base = path.resolve(cwd, parts.slice(0, literal).join('/') || (argument.startsWith('/') ? '/' : '.'));
  const pattern = globPattern(parts.slice(literal).join('/'));
  const files = (await walk(base)).filter((file) => pattern.test(path.relative(base, file).replaceAll(path.sep, '/')));
  if (files.length === 0) throw new UsageError(`No ${endings} fits ${argument}.`);
  return files;
}

/** Test files of a folder and those below it, without hidden folders and node_modules. */
async function walk(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const place = path.join(folder, entry.name);
        if (entry.isDirectory())
          return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : await walk(place);
        return isTestFile(entry.name) ? [place] : [];
      }),
  );
  return files.flat();
}

/** `**` stands for any folders, `*` and `?` for what holds no slash, `{a,b}` for one of them. */
export function globPattern(glob: string): RegExp {
  let depth = 0;
  const source = glob.replaceAll(/\*\*\/?|[*?{},]|[^*?{},]+/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part === '{') {
      depth += 1;
      return '(?:';
    }
    if (part === '}' && depth > 0) {
      depth -= 1;
      return ')';
    }
    if (part === ',' && depth > 0) return '|';
    return part.replaceAll(/[\\^$.+()[\]|{}/-]/g, '\\$&');
  });
  return new RegExp(`^${source}${')'.repeat(depth)}$`);
}
