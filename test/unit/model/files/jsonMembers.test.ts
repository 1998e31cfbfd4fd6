import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, parseTree } from 'jsonc-parser';
import type { Edit, Node, ParseError } from 'jsonc-parser';
import { insertMember, removeMember, skipTrivia } from '../../../../src/model/files/jsonMembers.ts';

const options = { allowTrailingComma: true };

function read(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, options);
  assert.deepEqual(errors, [], text);
  assert.ok(root);
  return root;
}
const values = (text: string): [string, unknown][] =>
  (read(text).children ?? []).map(({ children }) => [String(children?.[0]?.value), children?.[1]?.value]);
const comments = (text: string): string[] => text.match(/\/\/[^\r\n]*|\/\*.*?\*\//g) ?? [];
const changed = (text: string, edits: (root: Node) => Edit[]): string => applyEdits(text, edits(read(text)));

/** An object as people write it: one member per line or not, comments, trailing commas, tabs, any line endings. */
const written = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 }),
    eol: fc.constantFrom('\n', '\r\n'),
    indent: fc.constantFrom('  ', '\t', '    '),
    own: fc.boolean(),
    trailing: fc.boolean(),
    behind: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    above: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  })
  .map(({ names, eol, indent, own, trailing, behind, above }) => {
    const members = names.map((name, index) => {
      const comma = index < names.length - 1 || trailing ? ',' : '';
      if (!own) return ` "${name}": ${String(index)}${comma}${behind[index] ? ` /* behind ${name} */` : ''}`;
      return `${above[index] ? `${eol}${indent}// above ${name}` : ''}${eol}${indent}"${name}": ${String(index)}${comma}${behind[index] ? ` // behind ${name}` : ''}`;
    });
    return `{${members.join('')}${own ? eol : ' '}}${eol}`;
  });

describe('a new JSON member', () => {
  it('goes to its position, with every comment and other character unchanged', () =>
    fc.assert(
      fc.property(written, fc.nat(6), (text, place) => {
        const before = values(text);
        const at = place === 6 ? ('first' as const) : place;
        const after = changed(text, (root) =>
          insertMember(text, root, 'new', '9', at === 'first' ? at : root.children?.[at]),
        );
        const index =
          at === 'first'
            ? 0
            : Math.min(at === undefined || at >= before.length ? before.length : at + 1, before.length);
        assert.deepEqual(values(after), before.toSpliced(index, 0, ['new', 9]));
        assert.deepEqual(comments(after), comments(text));
        assert.equal(after.replaceAll(/"new": 9|[\s,]/g, ''), text.replaceAll(/[\s,]/g, ''));
        // Consistent line endings are kept.
        assert.equal(/(?<!\r)\n/.test(after), /(?<!\r)\n/.test(text));
      }),
    ));

  it('takes the format of its neighbours', () => {
    const insert = (text: string): string => changed(text, (root) => insertMember(text, root, 'n', '9'));
    assert.equal(insert('{}'), '{ "n": 9 }');
    assert.equal(
      insert('{\r\n\t"a": 1, // x\r\n\t"b": 2 // y\r\n}'),
      '{\r\n\t"a": 1, // x\r\n\t"b": 2, // y\r\n\t"n": 9\r\n}',
    );
    assert.equal(insert('{\n    "a": 1,\n}'), '{\n    "a": 1,\n    "n": 9,\n}');
    assert.equal(insert('{ "a": 1 }'), '{ "a": 1, "n": 9 }');
    assert.equal(insert('{\n // only\n}'), '{\n // only\n  "n": 9\n}');
    const nested = '{\n\t"states": {}\n}';
    assert.equal(
      applyEdits(
        nested,
        insertMember(nested, read(nested).children![0]!.children![1]!, 'n', (indent) => `[\n${indent}]`),
      ),
      '{\n\t"states": {\n\t\t"n": [\n\t\t]\n\t}\n}',
    );
  });
});

describe('a JSON member', () => {
  it('disappears with its line, and nothing else', () =>
    fc.assert(
      fc.property(written, fc.nat(4), (text, place) => {
        const before = values(text);
        fc.pre(place < before.length);
        const after = changed(text, (root) => removeMember(text, root.children![place]!));
        assert.deepEqual(values(after), before.toSpliced(place, 1));
        const name = before[place]![0];
        assert.deepEqual(
          comments(after).filter((comment) => !comment.includes(`behind ${name}`)),
          comments(text).filter((comment) => !comment.includes(`behind ${name}`)),
        );
      }),
    ));
});

describe('the last JSON member', () => {
  const without = (text: string): string => changed(text, (root) => removeMember(text, root.children!.at(-1)!));

  it('leaves the line of the comment before it', () => {
    assert.equal(without('{ "a": 1, // one\n  // two\n  "b": 2 }'), '{ "a": 1 // one\n  // two\n }');
    assert.equal(without('{ "a": 1, /* two */ "b": 2 }'), '{ "a": 1 /* two */ }');
  });
});

describe('white space and comments', () => {
  it("end at the next token, or at a comment that isn't closed", () => {
    assert.equal(skipTrivia(' // a\n /* b */\t,', 0), 15);
    assert.equal(skipTrivia('/* open', 0), 0);
    assert.equal(skipTrivia('', 0), 0);
    assert.equal(skipTrivia(`${'/'.repeat(100_000)}\n,`, 0), 100_001);
  });
});
