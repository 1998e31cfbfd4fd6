export interface CsvField { readonly text: string; readonly offset: number }

export interface CsvFault { readonly offset: number; readonly message: string }

/**
 * Comma-separated values (RFC 4180): records of fields with the offset each begins at. Lines end with CRLF, LF or CR; quoted fields may hold commas,
 * line ends and doubled quotes. Empty lines are passed over. A fault where a quote is left open, or stands where none may.
 */
export function readCsv(text: string): { readonly records: readonly (readonly CsvField[])[] } | CsvFault {
  const records: CsvField[][] = [];
  let record: CsvField[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  // Sticky: a field and what ends it.
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;
  for (;;) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (!match) return fault(text, at);
    const [all, quoted, plain = '', end] = match;
    record.push({ text: quoted?.replaceAll('""', '"') ?? plain, offset: at });
    at += all.length;
    if (end === ',') continue;
    if (record.length > 1 || quoted !== undefined || plain !== '') records.push(record);
    record = [];
    if (end === '') return { records };
  }
}

function fault(text: string, at: number): CsvFault {
  if (text[at] !== '"') return { offset: text.indexOf('"', at), message: 'A quote stands within a field that does not begin with one. Put the whole field in quotes and double the quotes in it.' };
  const closed = /"[^"]*(?:""[^"]*)*"/y;
  closed.lastIndex = at;
  return closed.test(text)
    ? { offset: closed.lastIndex, message: 'After the closing quote of a field a comma or the end of the line must follow. Double a quote that belongs to the field.' }
    : { offset: at, message: 'The quote that begins this field is never closed.' };
}
