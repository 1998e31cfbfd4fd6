import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { IvrFile } from '../../src/contract/ivrFile.ts';
import type { TreeChange } from '../../src/contract/treeDiff.ts';
import { calltreeOf, calltreeText } from '../../src/model/tree/calltree.ts';
import { parseIvr } from '../../src/practice/ivrSource.ts';
import { crawlTree } from '../support/crawlTree.ts';
import { VirtualCalls } from '../support/virtualCalls.ts';
import { dialtree } from '../unit/cli/dialtree.ts';

const ivr = (office: string, edit: Partial<IvrFile['states']> = {}): unknown => ({
  name: 'Corner Shop',
  number: '+12025550142',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the corner shop. For opening hours, press 1. To order flowers, press 2.',
      keys: { 1: 'hours', 2: 'flowers' },
    },
    hours: { prompt: office, end: 'hangup' },
    flowers: { prompt: 'All of our florists are busy. Please stay on the line.', end: 'hold-music' },
    ...edit,
  },
});

/**
 * Compares three trees that were mapped with synthesised and recognised prompts: reports what changed in the IVR, and
 * nothing else.
 */
describe('dialtree diff of mapped trees', function () {
  let folder: string, calls: VirtualCalls;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-diff-'));
    calls = await VirtualCalls.open('tree-diff');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(await calls.close(), []);
  });

  async function map(name: string, content: unknown): Promise<string> {
    const file = 'shop.ivr.json';
    const source = { ivr: parseIvr(JSON.stringify(content), file), file, recordings: new Map<string, Int16Array>() };
    const { tree } = await calls.to(source, (call) =>
      crawlTree({
        ...call,
        signal: new AbortController().signal,
        config: { mappingMode: 'hybrid', maxDepth: 8, maxCalls: 100, concurrency: 4 },
      }),
    );
    const saved = path.join(folder, `${name}.calltree.json`);
    const job = { name: 'Corner Shop', phoneNumber: '+12025550142' };
    await writeFile(saved, calltreeText(calltreeOf(job, undefined, tree.tree ?? assert.fail('Nothing was mapped.'))));
    return saved;
  }

  it('finds changes only if the IVR changed', async () => {
    const office = 'We are open from nine to five, Monday through Friday. Goodbye.';
    const base = await map('base', ivr(office));
    const again = await dialtree(['diff', base, await map('again', ivr(office))]);
    assert.deepEqual([again.code, again.stdout], [0, 'Nothing changed.\n']);
    const now = await map(
      'now',
      ivr('We are open from nine to seven, Monday through Friday. Goodbye.', {
        flowers: { prompt: 'Please leave your name and number after the tone.', end: 'voicemail' },
      }),
    );
    const { code, stdout } = await dialtree(['diff', base, now, '--json']);
    const { changes } = JSON.parse(stdout) as { changes: TreeChange[] };
    assert.equal(code, 1);
    assert.deepEqual(
      changes.map(({ kind, path: place }) => `${kind} ${place ?? ''}`),
      ['reworded 1', 'reworded 2', 'relinked 2'],
    );
  });
});
