import { masked } from '../../model/secrets/secretMask.ts';
import type { ReportRun } from './report.ts';

/** A row of a param test, with its repeated runs. */
export interface Row {
  /** Tells it from the other rows; empty where the test has no rows. */
  readonly label: string;
  readonly runs: readonly ReportRun[];
}

/**
 * A param test has a case a row; repeated runs of one row stay together. Rows that read alike, as masked ones do, are
 * told apart by their number, from 1.
 */
export function rowsOf(runs: readonly ReportRun[]): Row[] {
  const rows = new Map<
    string,
    { readonly values: string; readonly number: number | undefined; readonly runs: ReportRun[] }
  >();
  for (const run of runs) {
    const row = 'row' in run.results ? run.results.row : undefined;
    const values = Object.entries(row ?? {})
      .map(([column, value]) => `${column}=${value}`)
      .join(', ');
    const key = run.row === undefined ? values : String(run.row);
    const group = rows.get(key);
    if (group) group.runs.push(run);
    else rows.set(key, { values, number: run.row === undefined ? undefined : run.row + 1, runs: [run] });
  }
  const all = [...rows.values()];
  return all.map(({ values, number, runs: own }) => {
    const isAlone = values !== '' && all.filter((other) => other.values === values).length === 1;
    return {
      label: [values, ...(isAlone || number === undefined ? [] : [`row ${number}`])]
        .filter((part) => part !== '')
        .join(', '),
      runs: own,
    };
  });
}

/** A row in one line of progress, while it is not known how the others read. */
export function rowText(row: Readonly<Record<string, string>>, index: number | undefined): string {
  const values = Object.values(row);
  return [
    ...values,
    ...(index !== undefined && values.some((value) => value.includes(masked)) ? [`row ${String(index + 1)}`] : []),
  ].join(', ');
}
