export interface CsvField {
  readonly text: string;
  readonly offset: number;
}

interface CsvFault {
  readonly offset: number;
  readonly message: string;
}

/**
 * Parses comma-separated values (RFC 4180): records of fields, with the offset of each. Lines end with CRLF, LF or CR.
 * Quoted fields can contain separators, line ends and doubled quotes. Empty lines are skipped. Reports an open quote, or
 * a quote where none is allowed. Spreadsheets also write semicolons and tabs: the first of them outside quotes in the
 * first line is the separator, unless a line such as `sep=;` before it names one.
 */
export function readCsv(text: string): { readonly records: readonly (readonly CsvField[])[] } | CsvFault {
  const records: CsvField[][] = [];
  let record: CsvField[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const named = /(?:"sep=([,;\t|])"|sep=([,;\t|]))(?:\r\n|\r|\n)/iy;
  named.lastIndex = at;
  const [line = '', quoted, bare] = named.exec(text) ?? [];
  at += line.length;
  let separators = quoted ?? bare ?? ',;\t';
  let [unquoted, ending] = patternsOf(separators);
  for (;;) {
    const isQuoted = text[at] === '"';
    const behind = isQuoted ? behindQuotes(text, at) : (endOf(unquoted, text, at) ?? at);
    if (behind === undefined)
      return { offset: at, message: 'This field begins with a quote that is never closed. Add the closing quote.' };
    const next = endOf(ending, text, behind);
    if (next === undefined) return fault(behind, isQuoted);
    const end = text.slice(behind, next);
    const value = isQuoted ? text.slice(at + 1, behind - 1).replaceAll('""', '"') : text.slice(at, behind);
    record.push({ text: value, offset: at });
    at = next;
    const isSeparated = end !== '' && separators.includes(end);
    const isFull = record.length > 1 || isQuoted || value !== '';
    if (separators.length > 1 && (isSeparated || isFull)) {
      separators = isSeparated ? end : ',';
      [unquoted, ending] = patternsOf(separators);
    }
    if (isSeparated) continue;
    if (isFull) records.push(record);
    record = [];
    if (end === '') return { records };
  }
}

/** Sticky patterns: unquoted text, and the end of a field. */
const patternsOf = (separators: string): [RegExp, RegExp] => [
  new RegExp(`[^"${separators}\\r\\n]*`, 'y'),
  new RegExp(`[${separators}]|\\r\\n|\\r|\\n|$`, 'y'),
];

/** Returns where the field with its opening quote at `at` is closed, or undefined if it isn't. */
function behindQuotes(text: string, at: number): number | undefined {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 2))
    if (text[quote + 1] !== '"') return quote + 1;
  return undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const fault = (offset: number, isQuoted: boolean): CsvFault => ({
  offset,
  message: isQuoted
    ? 'The closing quote of a field must be followed by a separator or the end of the line. Double quotes that belong to the field.'
    : "This field contains a quote but doesn't begin with one. Put the whole field in quotes and double the quotes in it.",
});
