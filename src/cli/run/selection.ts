import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { count } from '../../base/count.ts';
import { parsedJson } from '../../base/parsedJson.ts';
import { UsageError } from '../command.ts';
import { summarise } from '../report/cases.ts';
import type { Report } from '../report/report.ts';
import { readInputFile } from '../terminal/inputFile.ts';
import { note } from '../terminal/output.ts';
import type { LoadedTest } from './testFiles.ts';

interface Choice {
  readonly grep: string | undefined;
  /** A part of the tests: from 1 to `of`. */
  readonly shard: { readonly part: number; readonly of: number } | undefined;
  /** The ids of the tests that didn't pass in the last run. */
  readonly failed: ReadonlySet<string> | undefined;
}

export function readShard(given: string | undefined): Choice['shard'] {
  if (given === undefined) return undefined;
  const [, part = 0, of = 0] = /^(\d{1,4})\/(\d{1,4})$/.exec(given)?.map(Number) ?? [];
  if (part < 1 || part > of) throw new UsageError('--shard takes I/N, such as 1/4, where I is from 1 to N.');
  return { part, of };
}

/**
 * Chooses by name, then by the last run, then by shard. All machines sort by the same paths, so the shards cover each
 * test once. `nothing` says why no test is left, if the choice is valid.
 */
export function chooseTests(
  all: readonly LoadedTest[],
  { grep = '', shard, failed }: Choice,
): { readonly chosen: readonly LoadedTest[]; readonly nothing?: string } {
  const part = grep.toLowerCase();
  const named = all.filter(
    ({ source }) => source.test.name.toLowerCase().includes(part) || source.file.toLowerCase().includes(part),
  );
  if (named.length === 0)
    throw new UsageError(`No test has a name or file path that contains "${grep}". Check --grep.`);
  if (failed?.size === 0) return { chosen: [], nothing: 'Every test passed in the last run.' };
  const ids = new Set(all.map(({ id }) => id));
  const moved = [...(failed ?? [])].filter((id) => !ids.has(id)).length;
  if (moved > 0) note(`${count(moved, 'test')} of the last run that didn't pass can't be found in these files.`);
  const again = failed ? named.filter(({ id }) => failed.has(id)) : named;
  if (again.length === 0)
    throw new UsageError('None of these tests failed in the last run. Name its files, or omit --last-failed.');
  if (!shard) return { chosen: again };
  const { part: at, of } = shard;
  const sorted = again.toSorted((one, other) => (one.source.file < other.source.file ? -1 : 1));
  const chosen = sorted.filter((_, index) => index % of === at - 1);
  if (chosen.length > 0) return { chosen };
  return { chosen, nothing: `Shard ${at} of ${of} has no tests, because there are only ${sorted.length}.` };
}

const folderName = '.dialtree';
const fileName = 'last-run.json';
const lastRunSchema = z.object({ version: z.literal(1), failed: z.array(z.string()) });

export async function readLastFailed(cwd: string): Promise<ReadonlySet<string>> {
  const text = await readInputFile(path.join(cwd, folderName, fileName));
  const read = lastRunSchema.safeParse(typeof text === 'string' ? parsedJson(text) : undefined);
  if (!read.success)
    throw new UsageError(
      `--last-failed needs the results of an earlier run, but ${folderName}/${fileName} is missing or invalid in this folder. Run the tests without --last-failed first.`,
    );
  return new Set(read.data.failed);
}

/**
 * Keeps which tests didn't pass. Git ignores the folder, and only its owner can read it, as a data folder needs. Never
 * rejects. It replaces links, which a repository can contain, and writes through none.
 */
export async function keepLastRun(cwd: string, report: Report): Promise<void> {
  const { cases, missing } = summarise(report);
  const failed = new Set([...cases.filter(({ fails }) => fails), ...missing].flatMap(({ id }) => id ?? []));
  try {
    const folder = path.join(cwd, folderName);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await lstat(folder)).isSymbolicLink()) throw new Error(`${folderName} is a link`);
    const lastRun = `${JSON.stringify({ version: 1, failed: [...failed] })}\n`;
    for (const [name, text] of Object.entries({ '.gitignore': '*\n', [fileName]: lastRun })) {
      await rm(path.join(folder, name), { force: true });
      await writeFile(path.join(folder, name), text, { flag: 'wx' });
    }
  } catch (error) {
    note(`Couldn't keep the results for --last-failed (${String(error)}).`);
  }
}
