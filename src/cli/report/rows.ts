import { masked } from '../../model/secrets/secretMask.ts';
import type { ReportRun } from './report.ts';

interface ReportRow {
  /** Distinguishes the row from the others. Empty if the test has no rows. */
  readonly label: string;
  readonly runs: readonly ReportRun[];
}

/** Groups the runs of a param test by row. Rows that look alike, such as masked ones, are numbered from 1. */
export function reportRowsOf(runs: readonly ReportRun[]): ReportRow[] {
  const rows = new Map<
    string,
    { readonly values: string; readonly number: number | undefined; readonly runs: ReportRun[] }
  >();
  for (const run of runs) {
    const values = Object.entries(run.results.row ?? {})
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

/** Formats a row for a line of progress, when the other rows aren't known yet. */
export function rowText(row: Readonly<Record<string, string>>, index: number | undefined): string {
  const values = Object.values(row);
  return [
    ...values,
    ...(index !== undefined && values.some((value) => value.includes(masked)) ? [`row ${String(index + 1)}`] : []),
  ].join(', ');
}
