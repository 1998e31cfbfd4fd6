import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { fileLinks } from '../../../../../src/editor/files/navigation/fileLinks.ts';
import { outlineOf } from '../../../../../src/editor/files/navigation/outline.ts';
import type { OutlineEntry } from '../../../../../src/editor/files/navigation/outline.ts';
import {
  renamed,
  renameState,
  stateDefinition,
  stateReferences,
} from '../../../../../src/editor/files/navigation/stateNavigation.ts';
import { english } from '../../fakes.ts';
import { file } from '../fakeFiles.ts';

const text = `{
  "start": "main", // where it begins
  "hours": [{ "from": "18:00", "to": "08:00", "start": "bye" }],
  "faults": { "deadAirState": "bye" },
  "states": {
    "main": { "prompt": "Press 1.", "keys": { "1": "number", "9": "main" }, "speech": { "the end": "bye" }, "onTimeout": { "next": "bye" }, "onExhausted": "bye" },
    "number": { "prompt": { "wav": "number.wav", "text": "Your number?" }, "collect": { "max": 8, "next": "bye", "onReject": "main" } },
    "bye": { "prompt": "bye", "end": "hangup" },
  },
}`;
/** With the cursor at the nth occurrence of this text. */
const at = (wanted: string, nth = 1): ReturnType<typeof file> => {
  let offset = -1;
  for (let count = 0; count < nth; count += 1) offset = text.indexOf(wanted, offset + 1);
  return file('a.ivr.json', `${text.slice(0, offset + 2)}¦${text.slice(offset + 2)}`);
};

describe("a state's name", () => {
  it('leads from every occurrence to its definition', () => {
    const place = at('"bye"', 4);
    const found = stateDefinition(place, place.offset);
    assert.ok(found);
    assert.equal(place.text.slice(found.target.offset - 1, found.target.offset + 16), '"bye": { "prompt"');
    assert.equal(place.text.slice(found.origin.offset, found.origin.offset + found.origin.length), 'bye');
    assert.equal(stateDefinition(at('"where it'), 5), undefined);
  });

  it('has all its references, with and without its definition', () => {
    const place = at('"bye": {');
    assert.equal(stateReferences(place, place.offset, true).length, 7);
    assert.equal(stateReferences(place, place.offset, false).length, 6);
    assert.deepEqual(stateReferences(at('"Press 1."'), at('"Press 1."').offset, true), []);
  });

  it('changes its name everywhere and nowhere else', () => {
    const place = at('"bye"', 3);
    const after = applyEdits(place.text, renameState(place, place.offset, 'the.end', english));
    assert.equal(after, text.replaceAll('"bye"', '"the.end"').replace('"prompt": "the.end"', '"prompt": "bye"'));
    assert.deepEqual(renameState(place, place.offset, 'bye', english), []);
    assert.equal(renamed(place, place.offset, english).name, 'bye');
  });

  it("can't be renamed to an invalid or used name, or where no state is named", () => {
    const place = at('"bye"');
    assert.throws(() => renameState(place, place.offset, 'two words', english), /1 to 80 letters/);
    assert.throws(() => renameState(place, place.offset, 'main', english), /A state called "main" already exists/);
    assert.throws(() => renamed(at('"Press 1."'), at('"Press 1."').offset, english), /You can rename only states/);
  });
});

const lines = (entries: readonly OutlineEntry[], depth = 0): string[] =>
  entries.flatMap(({ name, detail, children }) => [
    `${'  '.repeat(depth)}${name} | ${detail}`,
    ...lines(children, depth + 1),
  ]);

describe('the outline', () => {
  it("shows a file's main parts", () => {
    assert.deepEqual(lines(outlineOf(file('a.ivr.json', text), english)), [
      'main | Press 1.',
      '  1 | → number',
      '  9 | → main',
      '  the end | → bye',
      'number | Your number?',
      'bye | bye',
    ]);
    assert.deepEqual(
      lines(
        outlineOf(
          file(
            'a.calltest.json',
            '{ "rows": [{}, {}], "steps": [{ "name": "Hi", "action": { "type": "press", "keys": "1#" } }, { "name": "" }, 7] }',
          ),
          english,
        ),
      ),
      ['1 Hi | press 1#', '2  | ', '3  | ', 'Rows | 2'],
    );
    assert.deepEqual(
      lines(outlineOf(file('a.mission.json', '{ "mission": "Ask\\nfor it", "acceptance": "It is said" }'), english)),
      ['mission | Ask for it', 'acceptance | It is said'],
    );
    assert.deepEqual(
      lines(
        outlineOf(
          file(
            'a.calltree.json',
            '{ "tree": { "transcript": "Hello", "children": [{ "digit": "1", "label": "cards" }] } }',
          ),
          english,
        ),
      ),
      ['Root | Hello', '  1 cards | '],
    );
  });
});

describe('paths', () => {
  it('become links', () => {
    const ivr = file('a.ivr.json', text);
    assert.deepEqual(
      fileLinks(ivr).map(({ path, offset, length }) => [path, ivr.text.slice(offset, offset + length)]),
      [['number.wav', 'number.wav']],
    );
    assert.deepEqual(
      fileLinks(file('a.calltest.json', '{ "ivr": "b.ivr.json", "rowsFile": "r.csv" }')).map(({ path }) => path),
      ['b.ivr.json', 'r.csv'],
    );
    assert.deepEqual(fileLinks(file('a.mission.json', '{ "ivr": "/etc/x.ivr.json" }')), []);
  });
});
