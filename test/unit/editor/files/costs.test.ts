import assert from 'node:assert/strict';
import { suggest } from '../../../../src/editor/files/assistance/completions.ts';
import { hoverAt } from '../../../../src/editor/files/assistance/hovers.ts';
import { checkFile } from '../../../../src/editor/files/findings/findings.ts';
import { fileLinks } from '../../../../src/editor/files/navigation/fileLinks.ts';
import { outlineOf } from '../../../../src/editor/files/navigation/outline.ts';
import { stateReferences } from '../../../../src/editor/files/navigation/stateNavigation.ts';
import { kindOf, parseFile } from '../../../../src/editor/folders/parsedFile.ts';
import { english } from '../fakes.ts';
import { folder } from './fakeFiles.ts';

/** About as many characters as each file has. */
const size = 36_000;
/** Checks of a plain file of this size take some milliseconds. Work for each pair of things takes hundreds of times as long. */
const mostTimes = 15;

/** Fills `size` characters with what `one` writes for 0, 1, 2, …. */
function many(one: (index: number) => string, separator = ',', chars = size): string {
  const written: string[] = [];
  for (let length = 0; length < chars; length += written.at(-1)!.length + separator.length)
    written.push(one(written.length));
  return written.join(separator);
}

/** Values that fill a file, for any place of it. */
const fillings: Readonly<Record<string, string>> = {
  'many names': `{${many((index) => `"n${String(index)}":"m"`)}}`,
  'one name many times': `{${many(() => '"a":"b"')}}`,
  'many keys': `{"keys":{${many((index) => `"${String(index)}":"s"`)}}}`,
  'many phrases': `{"prompt":"1","speech":{${many((index) => `"p${String(index)}":"main"`)}}}`,
  'many strings': `[${many((index) => `"{c${String(index)}}"`)}]`,
  'many objects': `[${many(() => '{}')}]`,
  'many states': `{${many((index) => `"s${String(index)}":{"prompt":"1","next":"main","keys":{"1":"x"}}`)}}`,
  'many steps': `[${many((index) => `{"name":"s","action":{"type":"say","text":"{d${String(index)}}"}}`)}]`,
  'many linked steps': `[${many((index) => `{"stepId":"s${String(index)}","linksTo":"t${String(index)}"}`)}]`,
  'many columns': `[{${many((index) => `"c${String(index)}":"1"`)}}]`,
  'many rows': `[${many(() => '{"a":"1"}')}]`,
  'deep lists': `${'['.repeat(2000)}${']'.repeat(2000)}`,
  'deep steps': `${'{"children":['.repeat(500)}${']}'.repeat(500)}`,
  'a long line': `"${'ab '.repeat(size / 3)}"`,
  'names in a line': `"${many((index) => `{c${String(index)}}`, '')}"`,
  'escaped names in a line': `"${many((index) => String.raw`\u007bc${String(index)}}`, '')}"`,
  braces: `"${'{a'.repeat(size / 2)}"`,
  quotes: `"${String.raw`\"`.repeat(size / 2)}"`,
  digits: `"${'1 '.repeat(size / 2)}"`,
};

const step = (action: string, more = ''): string => `{"name":"a","action":${action}${more}}`;
const test = (members: string): string => `{"name":"A","phoneNumber":"+12025550101",${members}}`;
const main = (state: string, more = ''): string => `{"name":"A","start":"main","states":{"main":${state}${more}}}`;

/** Files with a place for a filling. */
const files: Readonly<Record<string, readonly ((filling: string) => string)[]>> = {
  'a.calltest.json': [
    (it) => it,
    (it) => test(`"rows":${it},"steps":[${step('{"type":"say","text":"{a}"}')}]`),
    (it) => test(`"steps":${it}`),
    (it) => test(`"rows":[{"a":"1"}],"steps":[${step('{"type":"say","text":"a"}', `,"expectedTranscript":${it}`)}]`),
    (it) => test(`"rows":${fillings['many columns']!},"steps":${it}`),
    (it) => test(`"steps":[${step(it)}],"tags":${it}`),
    (it) => test(`"rowsFile":${it},"steps":[${step('{"type":"dial"}')}]`),
  ],
  'a.mission.json': [(it) => it, (it) => test(`"mission":${it},"acceptance":${it}`), (it) => test(`"x":${it}`)],
  'a.ivr.json': [
    (it) => it,
    (it) => `{"name":"A","start":"main","states":${it}}`,
    (it) => main(it),
    (it) => main(`{"prompt":${it},"end":"hangup"}`),
    (it) => main(`{"prompt":"1","keys":${it}}`),
    (it) => main(`{"prompt":"1","keys":{"1":"main"},"speech":${it},"onKey":${it}}`),
    (it) => main(`{"prompt":"1","branches":${it},"collect":{"max":4,"accept":${it},"next":"main"}}`),
    (it) =>
      main(
        `{"prompt":{"wav":${it}}}`,
        many((index) => `,"s${String(index)}":{"prompt":{"wav":"w${String(index)}.wav"},"next":"main"}`, ''),
      ),
  ],
  'a.calltree.json': [(it) => it, (it) => test(`"tree":${it}`), (it) => test(`"tree":{"stepId":"r","children":${it}}`)],
};

const sheets: Readonly<Record<string, string>> = {
  'fields.csv': `${many((index) => `c${String(index)}`, ',', size / 2)}\n${many(() => '1', '\n', size / 2)}`,
  'columns.csv': many(() => 'a'),
  'long.csv': `a\n${many(() => '1'.repeat(600), '\n')}`,
  'rows.csv': `a,b\n${many(() => '1,2', '\n')}`,
  'quoted.csv': `a\n${many(() => '"1"', '\n')}`,
  'quotes.csv': `a\n"${'""'.repeat(size / 2)}"`,
  'lines.csv': '\n'.repeat(size),
};
const around = folder({
  ...sheets,
  ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`v${String(index)}.wav`, ''])),
});

/** Runs what the editor runs for an open file, with the cursor at a share of the text. */
async function open(name: string, text: string, cursor: number): Promise<void> {
  const file = parseFile(kindOf(name)!, `file:///w/${name}`, text);
  const offset = Math.floor(cursor * text.length);
  const findings = await checkFile(file, around, english);
  assert.ok(findings.reduce((sum, { message }) => sum + message.length, 0) < 4 * size, 'the messages repeat the file');
  await suggest(file, offset, { ...around, language: 'en', template: () => Promise.resolve('') }, english);
  await hoverAt(file, offset, { routes: {}, lastRuns: () => Promise.resolve([]) }, english);
  stateReferences(file, offset, true);
  fileLinks(file);
  outlineOf(file, english);
}

/** Returns the processor time of a file in ms. Compilation and garbage collection can lengthen one measurement. */
async function costOf(name: string, text: string, cursor: number, enough = 0): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least > enough; attempt += 1) {
    const before = process.threadCpuUsage();
    await open(name, text, cursor);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe('what an open file costs', () => {
  let plain: number;

  before(async () => {
    const text = main(
      '{"prompt":"Press 1","keys":{"1":"s0"}}',
      many(
        (index) =>
          `,"s${String(index)}":{"prompt":"Press 1 for s${String(index)}","keys":{"1":"s${String(index + 1)}"}}`,
        '',
      ),
    );
    plain = Math.max(4, await costOf('a.ivr.json', text, 0.5));
  });

  const cheap = async (name: string, text: string, cursor: number, what: string): Promise<void> => {
    const times = (await costOf(name, text, cursor, mostTimes * plain)) / plain;
    assert.ok(times < mostTimes, `${what} costs ${times.toFixed(0)} times as much as a plain file`);
  };

  for (const [name, shapes] of Object.entries(files))
    it(`grows only with its characters: ${name}`, async () => {
      for (const [index, shape] of shapes.entries())
        for (const [what, filling] of Object.entries(fillings))
          await cheap(name, shape(filling), 0.5, `${what} at place ${String(index)}`);
    });

  for (const sheet of Object.keys(sheets))
    it(`grows only with the characters of its rows: ${sheet}`, () =>
      cheap(
        'a.calltest.json',
        test(`"rowsFile":${JSON.stringify(sheet)},"steps":[${step('{"type":"say","text":"{x}"}')}]`),
        0.5,
        sheet,
      ));
});
