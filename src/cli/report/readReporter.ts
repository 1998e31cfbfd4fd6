import { UsageError } from '../command.ts';

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
