import path from 'node:path';
import { UsageError } from '../command.ts';

interface WantedReport<Name> {
  readonly name: Name;
  /** Absent for standard output. */
  readonly file?: string;
}

/** Reads each `KIND` or `KIND=FILE`. `output` is the file of the report that names none. */
export function readReporters<Name extends string>(
  given: readonly string[],
  names: readonly Name[],
  isDryRun: boolean,
  output: string | undefined,
): readonly WantedReport<Name>[] {
  const wanted = given.map((one): WantedReport<Name> => {
    const [kind = '', ...rest] = one.split('=');
    const file = rest.length > 0 ? rest.join('=') : output;
    if (file === '') throw new UsageError(`--reporter ${one} names no file.`);
    return { name: readReporter(kind, names, isDryRun), ...(file !== undefined && { file }) };
  });
  if (output !== undefined && given.every((one) => one.includes('=')))
    throw new UsageError('--output is the file of a --reporter without a FILE, but each has one. Omit --output.');
  const files = wanted.map(({ file }) => file && path.resolve(file));
  if (new Set(files).size < files.length)
    throw new UsageError('Two reports have the same destination. Give each its own file: --reporter junit=FILE.');
  if (wanted.some(({ name, file }) => name === 'github' && file !== undefined))
    throw new UsageError('--reporter github writes to the log of the job, so it takes no file.');
  return wanted;
}

/**
 * Returns the reporter that `--reporter` names. A plan (`--dry-run`) isn't a report, so only spec and json can print
 * it.
 */
export function readReporter<Name extends string>(given: string, names: readonly Name[], isDryRun: boolean): Name {
  const reporter = names.find((name) => name === given);
  if (reporter === undefined) throw new UsageError(`--reporter takes one of ${names.join(', ')}.`);
  if (isDryRun && reporter !== 'spec' && reporter !== 'json')
    throw new UsageError(
      `--dry-run prints a plan, not a report. Use it with --reporter spec or json, not ${reporter}.`,
    );
  return reporter;
}
