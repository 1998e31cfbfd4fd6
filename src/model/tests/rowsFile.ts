import { limits } from '../../contract/limits.ts';
import { readCsv, type CsvField } from '../files/csv.ts';
import { firstProblems, placesIn, type FileProblem } from '../files/fileProblem.ts';

export type TestRow = Readonly<Record<string, string>>;

const longestValue = 500;
/** A message names this many columns. */
const maxNamed = 8;

/**
 * Reads the rows of a param test from CSV with column names in its first line, and the line of each, from 1. `file` is
 * its name in the problems.
 */
export function readRows(
  text: string,
  file: string,
):
  | { readonly rows: readonly TestRow[]; readonly lines: readonly number[] }
  | { readonly problems: readonly FileProblem[] } {
  const place = placesIn(text);
  const at = (
    { offset, text: field = '' }: { readonly offset: number; readonly text?: string },
    message: string,
  ): FileProblem => ({ file, ...place(offset), length: Math.max(1, field.length), message });
  const csv = readCsv(text);
  if ('message' in csv) return { problems: [at(csv, csv.message)] };
  const [header, ...records] = csv.records;
  if (!header)
    return {
      problems: [
        at(
          { offset: 0 },
          'The file is empty. Write the column names in the first line, and a row in each further line.',
        ),
      ],
    };
  const columns = header.map((column) => ({ ...column, text: column.text.trim() }));
  const names = columns.slice(0, maxNamed + 1).map(({ text: name }, index) => (index < maxNamed ? name : '…'));
  const problems = [...columnProblems(columns, at)];
  if (records.length === 0)
    problems.push(at({ offset: text.length }, 'There are no rows after the column names. Add at least one.'));
  if (records.length > limits.rows.max)
    problems.push(
      at(
        records[limits.rows.max]?.[0] ?? { offset: 0 },
        `The file has ${String(records.length)} rows, but a test can have up to ${String(limits.rows.max)}. Remove some.`,
      ),
    );
  for (const record of records) {
    const [first] = record;
    if (first && record.length !== columns.length) {
      problems.push(
        at(
          record[columns.length] ?? first,
          `This row has ${String(record.length)} ${record.length === 1 ? 'field' : 'fields'}; there are ${String(columns.length)} columns (${names.join(', ')}).`,
        ),
      );
    }
    problems.push(
      ...record
        .filter((field) => field.text.length > longestValue)
        .map((field) =>
          at(
            field,
            `This value has ${String(field.text.length)} characters, but up to ${String(longestValue)} are allowed. Shorten it.`,
          ),
        ),
    );
  }
  return problems.length > 0
    ? { problems: firstProblems(problems) }
    : {
        lines: linesOf(records, text),
        rows: records.map((record) =>
          Object.fromEntries(columns.map(({ text: name }, index) => [name, record[index]?.text ?? ''])),
        ),
      };
}

function* columnProblems(
  columns: readonly CsvField[],
  at: (field: CsvField, message: string) => FileProblem,
): Generator<FileProblem> {
  const seen = new Set<string>();
  for (const column of columns) {
    if (!/^\w{1,40}$/.test(column.text))
      yield at(column, `"${column.text}" can't be the name of a column. Use 1 to 40 letters, digits and underscores.`);
    else if (seen.has(column.text)) yield at(column, `Two columns have the name "${column.text}". Rename one.`);
    seen.add(column.text);
  }
}

function linesOf(records: readonly (readonly CsvField[])[], text: string): number[] {
  let [line, from] = [1, 0];
  return records.map(([first]) => {
    const offset = first?.offset ?? from;
    line += text.slice(from, offset).match(/\r\n|\r|\n/g)?.length ?? 0;
    from = offset;
    return line;
  });
}
