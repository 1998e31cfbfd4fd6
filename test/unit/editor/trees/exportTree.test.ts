import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { exportTree } from '../../../../src/editor/trees/exportTree.ts';
import type { TreePlace } from '../../../../src/editor/trees/treeSource.ts';
import type { ExportTreeParts } from '../../../../src/editor/trees/exportTree.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { FakeTreeFiles } from '../fakeTreeFiles.ts';
import { bankTree, inEnglish, fakeStore, job, mapped, run, uuid } from '../fakes.ts';

describe('the command dialtree.tree.export', () => {
  let files: FakeTreeFiles, opened: string[], drawn: string[], draw: ExportTreeParts['draw'];
  beforeEach(() => {
    files = new FakeTreeFiles({
      'file:///project/bank.calltree.json': JSON.stringify({
        name: 'Harbour Bank',
        tree: {
          stepId: 'root',
          transcript: 'Welcome. For cards, press 1.',
          children: [{ stepId: 'a', digit: '1', label: 'cards', end: 'busy' }],
        },
      }),
    });
    files.chosen = 'file:///project/out';
    [opened, drawn] = [[], []];
    draw = (source, format) => {
      drawn.push(`${source.uri ?? String(source.run?.runNumber)} ${format}`);
      return Promise.resolve(format === 'svg' ? '<svg/>' : new Uint8Array([137]));
    };
  });

  let active: TreePlace | undefined;
  const exportAs = async (value: unknown, ...answers: Answer[]): Promise<FakeDialogs> => {
    const dialogs = new FakeDialogs(...answers);
    await exportTree(value, {
      files,
      dialogs,
      ...inEnglish,
      active: () => active,
      draw: (...given) => draw(...given),
      open: (uri) => {
        opened.push(uri);
        return Promise.resolve();
      },
      store: fakeStore((runNumber) => mapped(job(1, { name: 'Harbour Bank' }), bankTree, [run()], runNumber)),
    });
    dialogs.done();
    return dialogs;
  };
  const file = { file: '/project/bank.calltree.json' };

  for (const [label, offered, pattern] of [
    ['Mermaid', 'harbour-bank.mmd', /^---\ntitle: "Harbour Bank"\n---\nflowchart LR\n/],
    ['Graphviz', 'harbour-bank.dot', /^digraph "Harbour Bank" \{/],
    ['CSV', 'harbour-bank.csv', /^path,depth,key[^\r]+\r\n,0,/],
  ] as const) {
    it(`writes ${label}, from a file and from a run`, async () => {
      const { shown } = await exportAs(file, { pick: label }, { press: 'Open' });
      assert.equal(files.offered, offered);
      assert.match(files.text('file:///project/out'), pattern);
      assert.deepEqual([shown.at(-1), opened], ['Exported Harbour Bank to out. [Open]', ['file:///project/out']]);
      await exportAs({ jobId: uuid(1), runNumber: 1 }, { pick: label }, { press: undefined });
      assert.match(files.text('file:///project/out'), /accounts/);
    });
  }

  it('exports pictures that the page draws, of the tree whose page the user is in without asking which', async () => {
    active = { jobId: uuid(1), runNumber: 2 };
    await exportAs(undefined, { pick: 'SVG' }, { press: undefined });
    assert.equal(files.text('file:///project/out'), '<svg/>');
    active = { uri: 'file:///project/bank.calltree.json' };
    await exportAs(undefined, { pick: 'SVG' }, { press: undefined });
    await exportAs({ jobId: uuid(1), runNumber: 3 }, { pick: 'PNG' }, { press: undefined });
    assert.deepEqual(files.contents.get('file:///project/out'), new Uint8Array([137]));
    assert.deepEqual(drawn, ['2 svg', 'file:///project/bank.calltree.json svg', '3 png']);
    active = undefined;
  });

  it('writes nothing if nothing was drawn, or the person cancels', async () => {
    draw = () => Promise.reject(new HumanError('The page did not draw the tree.'));
    await assert.rejects(exportAs(file, { pick: 'SVG' }), /did not draw/);
    await exportAs(file, { pick: undefined });
    files.chosen = undefined;
    await exportAs(file, { pick: 'CSV' });
    assert.deepEqual(files.names, ['bank.calltree.json']);
  });
});
