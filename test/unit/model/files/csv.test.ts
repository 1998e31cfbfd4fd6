import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCsv } from '../../../../src/model/files/csv.ts';
import { problemText } from '../../../../src/model/files/fileProblem.ts';
import { readRows } from '../../../../src/model/tests/rowsFile.ts';

const fields = (text: string): string[][] => {
  const csv = readCsv(text);
  assert.ok('records' in csv, JSON.stringify(csv));
  return csv.records.map((record) => record.map((field) => field.text));
};
const problems = (text: string): string[] => {
  const found = readRows(text, 'r.csv');
  return 'problems' in found ? found.problems.map(problemText) : [];
};

describe('comma-separated values', () => {
  it('reads quotes, commas and line ends in fields, and every kind of line end', () => {
    assert.deepEqual(fields('a,b\r\n"x, ""y""\r\nz",2\n3,\r4,5'), [
      ['a', 'b'],
      ['x, "y"\r\nz', '2'],
      ['3', ''],
      ['4', '5'],
    ]);
    assert.deepEqual(
      fields('\uFEFFa\n\n""\n\n'),
      [['a'], ['']],
      'a byte order mark and empty lines are nothing, an empty quoted field is one',
    );
    assert.deepEqual(fields(''), []);
  });

  it('takes the separator from the first line, or from a line that names it', () => {
    const read = [
      ['key', 'a,b;\t'],
      ['1', 'x'],
    ];
    for (const separator of [',', ';', '\t']) {
      const text = `key${separator}"a,b;\t"\r\n"1"${separator}x`;
      assert.deepEqual(fields(text), read);
      assert.deepEqual(fields(`\uFEFFsep=${separator}\r\n${text}`), read);
    }
    assert.deepEqual(fields('sep=|\na;b|c\n1|2'), [
      ['a;b', 'c'],
      ['1', '2'],
    ]);
    assert.deepEqual(fields('"sep=;"\na,b\n1;2'), [['a,b'], ['1', '2']]);
    assert.deepEqual(fields('\na\n1;2'), [['a'], ['1;2']], 'a file with one column contains no separator');
  });

  it('reads back everything that is written by the rules', () => {
    const written = (records: readonly (readonly string[])[]): string =>
      records.map((record) => record.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')).join('\r\n');
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        (records) => assert.deepEqual(fields(written(records)), records),
      ),
    );
  });

  it('reads a field of a megabyte', () =>
    assert.equal(fields(`a\n"${'x""'.repeat(300_000)}"`)[1]?.[0]?.length, 600_000));

  it('reads twelve megabytes of doubled quotes, closed or not', () => {
    const quotes = '""'.repeat(6_000_000);
    assert.equal(fields(`a\n"${quotes}"`)[1]?.[0]?.length, 6_000_000);
    assert.deepEqual(readCsv(`a\n"${quotes}`), {
      offset: 2,
      message: 'This field begins with a quote that is never closed. Add the closing quote.',
    });
  });

  it('names the position of a wrong quote', () => {
    assert.deepEqual(readCsv('a\n"x'), {
      offset: 2,
      message: 'This field begins with a quote that is never closed. Add the closing quote.',
    });
    assert.equal((readCsv('a,x"y') as { offset: number }).offset, 3);
    assert.equal((readCsv('"a"b') as { offset: number }).offset, 3);
  });
});

describe('the rows file of a test', () => {
  it('makes a row from every line under the column names', () =>
    assert.deepEqual(readRows('branch, city\n101,Boston\n"102","New York"\n', 'r.csv'), {
      rows: [
        { branch: '101', city: 'Boston' },
        { branch: '102', city: 'New York' },
      ],
      lines: [2, 3],
    }));

  it('knows the line of each row, after empty lines and lines within fields', () => {
    const found = readRows('\uFEFFa,b\r\n\r\n1,"x\r\ny"\r2,z\n\n3,w', 'r.csv');
    assert.deepEqual('lines' in found && found.lines, [3, 5, 7]);
  });

  it('reports errors line by line', () => {
    assert.deepEqual(problems('a,b\n1\n1,2\n1,2,3\n'), [
      'r.csv:2:1: This row has 1 field; there are 2 columns (a, b).',
      'r.csv:4:5: This row has 3 fields; there are 2 columns (a, b).',
    ]);
    assert.match(problems('a b,c,c\n1,2,3')[0] ?? '', /^r\.csv:1:1: "a b" can't be the name of a column/);
    assert.match(problems('a b,c,c\n1,2,3')[1] ?? '', /^r\.csv:1:7: Two columns have the name "c"/);
    assert.match(problems('')[0] ?? '', /The file is empty/);
    assert.match(problems('a,b\n')[0] ?? '', /^r\.csv:2:1: There are no rows/);
    assert.match(problems(`a\n${'x'.repeat(501)}`)[0] ?? '', /501 characters/);
    assert.match(
      problems(`a\n${'1\n'.repeat(1001)}`)[0] ?? '',
      /^r\.csv:1002:1: The file has 1001 rows, but a test can have up to 1000/,
    );
    assert.match(problems('a\n1\n"2')[0] ?? '', /^r\.csv:3:1: .*never closed/);
  });
});
