import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TreeChange } from '../../../../src/contract/treeDiff.ts';
import { readCsv } from '../../../../src/model/files/csv.ts';
import { dialtree, repositoryFile } from '../dialtree.ts';

const sample = repositoryFile('media/samples/bank.calltree.json');

describe('dialtree diff and tree', () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-trees-'));
    const text = await readFile(sample, 'utf8');
    await writeFile(file('now.calltree.json'), text.replace('"end": "voicemail"', '"end": "busy"'));
    await writeFile(file('broken.calltree.json'), '{ "name": "x",\n  "tree": { "end": "never" } }');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('exit with 0 if nothing changed', async () =>
    assert.deepEqual(await dialtree(['diff', sample, sample]), { code: 0, stdout: 'Nothing changed.\n', stderr: '' }));

  it('exit with 1 and print the changes', async () => {
    const { code, stdout } = await dialtree(['diff', sample, file('now.calltree.json')]);
    assert.equal(code, 1);
    assert.match(stdout, /^~ relinked {4}".+" at 3 > 1 now is busy\. Before: goes to voicemail\.\n1 relinked\n$/);
  });

  it('print them for a program', async () => {
    const { code, stdout } = await dialtree(['diff', sample, file('now.calltree.json'), '--json']);
    const { changes, counts } = JSON.parse(stdout) as { changes: TreeChange[]; counts: Record<string, number> };
    assert.deepEqual(
      [
        code,
        changes.map(({ kind, path: place, before: was, after: is }) => [kind, place, was, is]),
        counts['relinked'],
        counts['added'],
      ],
      [1, [['relinked', '3 > 1', 'voicemail', 'busy']], 1, 0],
    );
  });

  it("exit with 2 if a file can't be used, and name the place", async () => {
    for (const [args, message] of [
      [['diff', sample], /Give two files.*\nUsage: dialtree diff/],
      [['diff', sample, file('missing.calltree.json')], /Couldn't read .*missing\.calltree\.json.*--save/],
      [['diff', file('broken.calltree.json'), sample], /broken\.calltree\.json:2:20: tree\.end: This must be one of/],
      [['tree', sample, '--format', 'png'], /--format takes one of text, outline, mermaid, graphviz, csv/],
      [['tree'], /Give one file/],
      [['map', '+12025550101', '--save', 'tree.json'], /ends with \.calltree\.json/],
    ] as const) {
      const { code, stdout, stderr } = await dialtree(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, message);
    }
  });

  it('print a tree in each format', async () => {
    for (const [format, pattern] of [
      ['text', /^☎ {2}Welcome[^\n]+\n├─ 1 /],
      ['outline', /^says Welcome/],
      ['mermaid', /^---\ntitle: "Harbour Bank"\n---\nflowchart LR\n/],
      ['graphviz', /^digraph "Harbour Bank" \{\n/],
    ] as const) {
      const { code, stdout } = await dialtree(['tree', sample, '--format', format]);
      assert.equal(code, 0);
      assert.match(stdout, pattern);
      assert.ok(stdout.endsWith('\n') && !stdout.endsWith('\n\n'));
    }
    assert.equal(
      (await dialtree(['tree', sample])).stdout,
      (await dialtree(['tree', sample, '--format', 'text'])).stdout,
    );
    const rows = readCsv((await dialtree(['tree', sample, '--format', 'csv'])).stdout);
    assert.ok('records' in rows && rows.records.length === 15);
  });
});
