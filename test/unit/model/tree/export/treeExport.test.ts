import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TreeNode } from '../../../../../src/contract/tree.ts';
import { readCsv } from '../../../../../src/model/files/csv.ts';
import { flattenTree } from '../../../../../src/model/tree/treeBuild.ts';
import { csvOf } from '../../../../../src/model/tree/export/csv.ts';
import { graphvizOf } from '../../../../../src/model/tree/export/graphviz.ts';
import { mermaidOf } from '../../../../../src/model/tree/export/mermaid.ts';
import { sketches, treeOfSketch } from '../sketchedIvr.ts';

/** Labels that break a writer with poor quoting. */
const hostile = [
  '"',
  '"]',
  '|',
  ']:::x',
  '\\',
  '\\"',
  '\n',
  '\r\n  end\n',
  '\u2028',
  '#quot;',
  '-->',
  '%%{init: {}}%%',
  '%% no comment',
  '```',
  '<script>',
  '&lt;',
  ';',
  '{',
  '(',
  '🧑‍🚀',
  'é',
  'مرحبا',
  '1. one',
  '- one',
  '`md`',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  ',',
  '',
];
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.array(fc.constantFrom(...hostile, ' ', 'a')).map((parts) => parts.join('')),
  fc.string(),
  fc.string({ unit: 'binary' }),
);
const node: fc.Arbitrary<TreeNode> = fc.record(
  {
    digit: fc.constantFrom('1', '2', '*', '#'),
    label: text,
    transcript: text,
    status: fc.constantFrom('explored', 'failed', 'skipped'),
  },
  { requiredKeys: [] },
);
const trees: fc.Arbitrary<TreeNode> = fc.oneof(
  fc.tuple(node, fc.array(node, { maxLength: 4 })).map(([root, children]): TreeNode => ({
    ...root,
    stepId: 'root',
    children: children.map((child, index) => ({
      ...child,
      stepId: String(index),
      ...(index === 1 ? { linksTo: 'root', status: 'linked' as const } : {}),
    })),
  })),
  sketches(20).map((root) => treeOfSketch(root)),
);

describe("a tree's export", () => {
  it('to Mermaid follows the flowchart grammar, with any labels', () =>
    fc.assert(
      fc.property(trees, text, (tree, name) => {
        const [open, title, close, head, ...rest] = mermaidOf(tree, name).split('\n');
        assert.deepEqual([open, close, head], ['---', '---', 'flowchart LR']);
        assert.equal(typeof JSON.parse(title?.slice('title: '.length) ?? ''), 'string');
        assert.deepEqual(rest.slice(-2), ['  classDef untried stroke-dasharray: 4 4', '']);
        // Within quotes: of ASCII punctuation only , - . and character codes.
        const quoted = /"(?:[^!-+/:-@[-`{-~\p{Cc}\u2028\u2029]|#\d+;|<br\/>)*"/u.source;
        const box = new RegExp(`^  (n\\d+)(?:\\[${quoted}\\](?::::untried)?|\\(\\[${quoted}\\]\\))$`, 'u');
        const arrow = new RegExp(`^  (n\\d+) (?:-->|-\\.->)\\|${quoted}\\| (n\\d+)$`, 'u');
        const lines = rest.slice(0, -2);
        const ids = lines.flatMap((line) => box.exec(line)?.[1] ?? []);
        const ends = lines.flatMap((line) => arrow.exec(line)?.slice(1) ?? []);
        for (const line of lines) assert.ok(box.test(line) || arrow.test(line), line);
        assert.equal(new Set(ids).size, ids.length);
        assert.deepEqual(
          ends.filter((id) => !ids.includes(id)),
          [],
        );
        assert.equal(ends.length / 2, flattenTree(tree).length - 1);
      }),
      { numRuns: 300 },
    ));

  it('to Graphviz is a digraph of the DOT grammar, and its labels can be parsed back', () => {
    fc.assert(
      fc.property(trees, text, (tree, name) => {
        const tokens = dotTokens(graphvizOf(tree, name));
        assert.deepEqual([tokens[0], tokens[2], tokens.at(-1)], ['digraph', '{', '}']);
        const statements = tokens.slice(3, -1).join(' ').split(' ; ');
        const attributes = String.raw`\[ \w+ = \S+(?: , \w+ = \S+)* \]`;
        for (const statement of statements.filter((one) => one !== ''))
          assert.match(
            statement.replace(/ ;$/, ''),
            new RegExp(`^(?:rankdir = LR|node ${attributes}|n\\d+ ${attributes}|n\\d+ -> n\\d+ ${attributes})$`),
          );
        assert.equal(statements.filter((one) => one.includes('->')).length, flattenTree(tree).length - 1);
      }),
      { numRuns: 300 },
    );
    const quoted = graphvizOf({ label: 'x', transcript: 'Say "yes" \\N & go\nnow' }, 'a');
    assert.match(quoted, /label="Say \\"yes\\" \\\\N &amp; go now"/);
  });

  it('to CSV can be parsed back field by field, without formulas', () =>
    fc.assert(
      fc.property(trees, (tree) => {
        const read = readCsv(csvOf(tree));
        assert.ok('records' in read);
        const [head, ...rows] = read.records.map((record) => record.map((field) => field.text));
        const nodes = flattenTree(tree);
        assert.equal(rows.length, nodes.length);
        const column = (name: string): string[] => rows.map((row) => row[head?.indexOf(name) ?? -1] ?? '');
        for (const [index, says] of column('says').entries()) {
          const said = nodes[index]?.transcript ?? '';
          assert.equal(says, /^\s*[=+\-@]/.test(said) || /^[\t\r]/.test(said) ? `'${said}` : said);
        }
        for (const row of rows) for (const field of row) assert.doesNotMatch(field, /^\s*[=+\-@]/);
      }),
      { numRuns: 300 },
    ));

  it('draws a link as an arrow to its menu', () => {
    const tree: TreeNode = {
      stepId: 'r',
      transcript: 'Menu.',
      children: [
        { stepId: 'a', digit: '*', label: 'back', linksTo: 'r', status: 'linked' },
        { stepId: 'b', digit: '0', label: 'agent', end: 'human', transcript: 'Hello?' },
      ],
    };
    assert.equal(
      mermaidOf(tree, 'IVR'),
      [
        '---',
        'title: "IVR"',
        '---',
        'flowchart LR',
        '  n0["Menu."]',
        '  n2(["Hello#63;<br/>#91;human#93;"])',
        '  n0 -.->|"#42; back"| n0',
        '  n0 -->|"0 agent"| n2',
        '  classDef untried stroke-dasharray: 4 4',
        '',
      ].join('\n'),
    );
    assert.deepEqual(
      csvOf(tree)
        .split('\r\n')
        .map((line) => line.split(',').slice(0, 9).join(',')),
      [
        'path,depth,key,phrase,label,status,says,ends,leadsTo',
        ',0,,,,,Menu.,,',
        '*,1,*,,back,linked,,,root',
        '0,1,0,,agent,,Hello?,human,',
        '',
      ],
    );
  });
});

/** Returns the tokens of DOT: signs, names, and quoted strings without spaces. Throws on anything else. */
function dotTokens(dot: string): string[] {
  const tokens: string[] = [];
  const token = /\s+|->|[{}[\];,=]|\w+|"(?:[^"\\\n]|\\["\\n])*"/uy;
  while (token.lastIndex < dot.length) {
    const at = token.lastIndex;
    const found = token.exec(dot)?.[0];
    if (found === undefined) throw new Error(`no token at ${dot.slice(at, at + 40)}`);
    if (found.trim() !== '' || found.startsWith('"')) tokens.push(found.startsWith('"') ? '"…"' : found);
  }
  return tokens;
}
