import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { calltreeOf, calltreeText, readCalltree } from '../../../../src/model/tree/calltree.ts';
import { problemText } from '../../../../src/model/files/fileProblem.ts';
import { flattenTree } from '../../../../src/model/tree/treeBuild.ts';
import { diffTrees } from '../../../../src/model/tree/diff/treeDiff.ts';
import { sketches, treeOfSketch } from './sketchedIvr.ts';

const job = { name: 'Harbour Bank', phoneNumber: '+12025550101' };
const run = { status: 'completed', completedAt: '2026-03-01T10:00:00.000Z' } as const;

describe("a tree's file", () => {
  it('names the number and the time of mapping, without addresses of recordings', () => {
    const tree: TreeNode = {
      stepId: 'a1',
      depth: 0,
      path: '',
      transcript: 'Menu.',
      audioUrl: 'http://127.0.0.1/x',
      children: [
        { digit: '9', stepId: 'b2', status: 'linked', linksTo: 'a1', audioUrl: 'http://127.0.0.1/y', children: [] },
      ],
    };
    assert.equal(
      calltreeText(calltreeOf(job, run, tree)),
      `${JSON.stringify(
        {
          name: 'Harbour Bank',
          phoneNumber: '+12025550101',
          mappedAt: '2026-03-01T10:00:00.000Z',
          status: 'completed',
          tree: {
            stepId: 'root',
            depth: 0,
            path: '',
            transcript: 'Menu.',
            children: [{ stepId: '9', digit: '9', status: 'linked', linksTo: 'root' }],
          },
        },
        null,
        2,
      )}\n`,
    );
  });

  it('parses to the same tree, and is the same text for any IDs of the run', () =>
    fc.assert(
      fc.property(sketches(), (root) => {
        const tree = treeOfSketch(root);
        const text = calltreeText(calltreeOf(job, run, tree));
        const read = readCalltree(text, 'a.calltree.json');
        assert.ok('value' in read);
        assert.deepEqual(diffTrees(tree, read.value.tree).changes, []);
        assert.equal(
          calltreeText(calltreeOf(job, run, JSON.parse(JSON.stringify(tree).replaceAll('"id-', '"0-')) as TreeNode)),
          text,
        );
        const links = flattenTree(read.value.tree).flatMap(({ linksTo }) => linksTo ?? []);
        assert.deepEqual(
          links.filter((id) => id !== 'root'),
          [],
        );
      }),
      { numRuns: 40 },
    ));

  it('gives every step a unique ID, even if keys repeat', () => {
    const twice: TreeNode = {
      children: [{ digit: '1' }, { digit: '1' }, { spokenResponse: 'root' }, {}, { children: [{ digit: '1' }] }],
    };
    const ids = flattenTree(calltreeOf(job, undefined, twice).tree).map(({ stepId }) => stepId);
    assert.equal(new Set(ids).size, ids.length, ids.join());
  });

  it('distinguishes a phrase that looks like a path from a path', () => {
    const tree: TreeNode = {
      children: [
        { digit: '1', children: [{ digit: '2', stepId: 'there' }] },
        { spokenResponse: '1 > 2', stepId: 'phrase' },
        { spokenResponse: '"1', children: [{ spokenResponse: '2"' }] },
        { spokenResponse: '"1 > 2"' },
        { digit: '3', linksTo: 'phrase' },
        { digit: '4', linksTo: 'there' },
      ],
    };
    const steps = flattenTree(calltreeOf(job, undefined, tree).tree);
    assert.deepEqual(
      steps.map(({ stepId }) => stepId),
      ['root', '1', '1 > 2', '"1 > 2"', '"\\"1"', '"\\"1" > 2"', '"\\"1 > 2\\""', '3', '4'],
    );
    assert.deepEqual(
      steps.flatMap(({ linksTo }) => linksTo ?? []),
      ['"1 > 2"', '1 > 2'],
    );
    assert.deepEqual(diffTrees(tree, calltreeOf(job, undefined, tree).tree).changes, []);
  });

  it('reports each error at its place', () => {
    const problems = (text: string): string[] => {
      const read = readCalltree(text, 'a.calltree.json');
      return 'problems' in read ? read.problems.map(problemText) : [];
    };
    assert.deepEqual(
      problems(
        '{\n  "name": "x",\n  "tree": { "children": [\n    { "digit": "1", "statsu": "explored" },\n    { "end": "never" } ] }\n}',
      ),
      [
        'a.calltree.json:4:21: tree.children.1: The member "statsu" isn\'t allowed here. Did you mean "status"?',
        'a.calltree.json:5:14: tree.children.2.end: This must be one of "hangup", "transfer-ringback", "human", "hold-music", "voicemail", "busy", "fax", "dead-air", "input".',
      ],
    );
    assert.deepEqual(problems('{ "name": "x" }'), ['a.calltree.json:1:1: tree: "tree" is missing.']);
    assert.deepEqual(problems(`{"name":"x","tree":${'{"children":['.repeat(5000)}{}${']}'.repeat(5000)}}`), [
      'a.calltree.json:1:1: Lists and objects are nested too deeply. Use fewer levels.',
    ]);
  });

  for (const sample of ['bank', 'clinic', 'utility']) {
    it(`${sample} of the samples matches what a run saves`, async () => {
      const text = await readFile(
        new URL(`../../../../media/samples/${sample}.calltree.json`, import.meta.url),
        'utf8',
      );
      const read = readCalltree(text, sample);
      assert.ok('value' in read);
      const { $schema, tree, name, phoneNumber = '', mappedAt, status = 'failed' } = read.value;
      assert.equal(
        calltreeText({ $schema, ...calltreeOf({ name, phoneNumber }, { status, completedAt: mappedAt }, tree) }),
        text,
      );
    });
  }
});
