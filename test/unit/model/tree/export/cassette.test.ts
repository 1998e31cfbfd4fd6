import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CalltreeNode } from '../../../../../src/contract/calltreeFile.ts';
import { findGraphProblems } from '../../../../../src/contract/ivrGraph.ts';
import { ivrFileSchema } from '../../../../../src/contract/ivrFile.ts';
import type { IvrFile } from '../../../../../src/contract/ivrFile.ts';
import type { TreeResponse } from '../../../../../src/contract/tree.ts';
import { cassetteOf } from '../../../../../src/model/tree/export/cassette.ts';
import { treeText } from '../../../../../src/model/tree/treeLines.ts';
import { parseIvr } from '../../../../../src/practice/ivrSource.ts';
import { mapIvr } from '../../../../support/crawlTree.ts';
import { generateIvr } from '../../../../support/generateIvr.ts';

const valid = (tree: CalltreeNode, options: Partial<Parameters<typeof cassetteOf>[1]> = {}): IvrFile => {
  const ivr = ivrFileSchema.parse(cassetteOf(tree, { name: 'Bank', ...options }));
  assert.deepEqual(findGraphProblems(ivr), []);
  return ivr;
};

const root: CalltreeNode = {
  stepId: 'root',
  status: 'explored',
  transcript: 'Welcome. For accounts, press 1. For more, press 5.',
  options: [
    { key: '1', label: 'accounts' },
    { key: '5', label: 'more' },
  ],
  children: [
    {
      stepId: 'accounts',
      digit: '1',
      label: 'accounts',
      status: 'explored',
      transcript: 'Accounts. For your balance, press star.',
      children: [
        {
          stepId: 'balance',
          digit: '*',
          status: 'linked',
          linksTo: 'root',
          transcript: 'Your balance is two dollars.',
        },
        { stepId: 'again', digit: '9', status: 'linked', linksTo: 'accounts', transcript: '' },
        {
          stepId: 'whole',
          digit: '8',
          status: 'linked',
          linksTo: 'root',
          transcript: 'One moment. Welcome. For accounts, press one. For more, press five.',
        },
        {
          stepId: 'number',
          digit: '2',
          status: 'explored',
          end: 'input',
          transcript: 'Please enter your PIN.',
          inputRequired: { type: 'pin', formatHint: '4 digits', terminator: '#' },
        },
        { stepId: 'pay', digit: '3', status: 'skipped', reason: 'It may pay.' },
      ],
    },
    { stepId: 'agent', digit: '0', hidden: true, status: 'explored', end: 'transfer-ringback', transcript: '' },
    {
      stepId: 'voice',
      spokenResponse: 'Lost Card',
      label: 'lost card',
      status: 'explored',
      end: 'voicemail',
      transcript: 'Please leave a message.',
    },
  ],
};

describe('model: a practice IVR from a mapped tree', () => {
  it('has one state per step, named by its path; links, ends, data and unexplored steps have theirs', () => {
    const { states, start } = valid(root, {
      number: '+12025550101',
      recordingOf: ({ stepId }, state) => (stepId === 'accounts' ? `bank.prompts/${state}.wav` : undefined),
    });
    assert.equal(start, 'main');
    assert.deepEqual(states, {
      main: {
        prompt: root.transcript,
        keys: { 0: '0', 1: '1', 5: 'not-explored' },
        speech: { 'Lost Card': 'lost-card' },
      },
      1: {
        prompt: { wav: 'bank.prompts/1.wav', text: 'Accounts. For your balance, press star.' },
        keys: { '*': '1.star', 9: '1', 8: '1.8', 2: '1.2', 3: 'not-explored' },
      },
      '1.star': { prompt: 'Your balance is two dollars.', next: 'main', pauseMs: 500 },
      '1.8': { prompt: 'One moment.', next: 'main', pauseMs: 500 },
      '1.2': { prompt: 'Please enter your PIN.', collect: { min: 4, max: 4, terminator: '#', next: 'not-explored' } },
      0: { prompt: '', end: 'transfer-ringback' },
      'lost-card': { prompt: 'Please leave a message.', end: 'voicemail', greeting: false },
      'not-explored': {
        prompt: 'What lies behind this was not explored when this IVR was recorded. Goodbye.',
        end: 'hangup',
      },
    });
  });

  it('stays valid even if nothing ends, nothing was explored, or a link leads nowhere', () => {
    const loop: CalltreeNode = {
      stepId: 'root',
      status: 'explored',
      transcript: 'Press 1.',
      children: [{ stepId: 'a', digit: '1', status: 'linked', linksTo: 'root', transcript: '' }],
    };
    assert.deepEqual(valid(loop).states['main'], { prompt: 'Press 1.', keys: { 1: 'main' }, onExhausted: 'over' });
    assert.equal(valid({ status: 'failed' }).start, 'not-explored');
    assert.deepEqual(
      valid({
        status: 'explored',
        transcript: 'Press 1.',
        children: [{ digit: '1', status: 'linked', linksTo: 'gone' }],
      }).states['main']?.keys,
      { 1: 'not-explored' },
    );
    assert.deepEqual(
      valid({
        transcript: 'Press 1.',
        children: [
          { digit: '1', status: 'linked' },
          { digit: '2', end: 'hangup' },
        ],
      }).states['main']?.keys,
      { 1: 'not-explored', 2: '2' },
    );
    assert.equal(
      valid({ transcript: '', children: [{ digit: '1', end: 'hangup', transcript: '' }] }).states['main']?.prompt,
      'Nothing was heard here when this IVR was recorded.',
    );
    const twice: CalltreeNode = {
      transcript: 'Press 1.',
      children: [
        { stepId: 'a', digit: '1', end: 'hangup', transcript: 'One.' },
        { stepId: 'a', digit: '2', end: 'hangup', transcript: 'Two.' },
        { digit: '3', status: 'linked', linksTo: 'a' },
      ],
    };
    assert.equal(valid(twice).states['main']?.keys?.['3'], '1');
    const round = {
      ...loop,
      children: [
        { stepId: 'a', digit: '1', status: 'linked' as const, linksTo: 'b' },
        { stepId: 'b', digit: '2', status: 'linked' as const, linksTo: 'a' },
      ],
    };
    assert.deepEqual(valid(round).states['main']?.keys, { 1: 'not-explored', 2: 'not-explored' });
    assert.deepEqual(valid({ status: 'explored', transcript: 'Hello.' }).states['main'], {
      prompt: 'Hello.',
      end: 'dead-air',
    });
  });

  it('gives phrases with the same spelling separate states', () => {
    const said = (phrase: string): CalltreeNode => ({
      spokenResponse: phrase,
      status: 'explored',
      transcript: phrase,
      end: 'hangup',
    });
    const { states } = valid({
      status: 'explored',
      transcript: 'Say it.',
      children: [said('Über uns'), said('ber uns'), said('main'), said('over')],
    });
    assert.deepEqual(Object.keys(states).sort(), ['ber-uns', 'ber-uns_2', 'main', 'main_2', 'over_2']);
  });

  /** Hidden keys are tried while other calls are active, so a long wait for dead air would let chance decide on them. */
  const map = async (ivr: IvrFile): Promise<TreeResponse> =>
    (await mapIvr(ivr, { config: { maxCalls: 1000 }, patienceMs: 5000 })).tree;
  /** Returns the tree as drawn, without the order in which siblings were found. */
  const drawn = (tree: TreeResponse): string => {
    const sorted = (node: CalltreeNode): CalltreeNode => ({
      ...node,
      children: (node.children ?? [])
        .map(sorted)
        .sort((one, other) =>
          (one.digit ?? one.spokenResponse ?? '') < (other.digit ?? other.spokenResponse ?? '') ? -1 : 1,
        ),
    });
    return treeText({ ...tree, tree: tree.tree ? sorted(tree.tree) : null }, { width: 200 });
  };

  for (const sample of ['bank', 'clinic', 'utility']) {
    it(`yields the same tree again: ${sample}`, async () => {
      const file = path.resolve(import.meta.dirname, `../../../../../media/samples/${sample}.ivr.json`);
      const first = await map(parseIvr(await readFile(file, 'utf8'), file));
      assert.ok(first.tree);
      assert.equal(drawn(await map(valid(first.tree))), drawn(first));
    });
  }

  for (let seed = 1; seed <= 20; seed += 1) {
    it(`yields the same tree again: shape ${String(seed)}`, async () => {
      const first = await map(generateIvr(seed, {}));
      assert.ok(first.tree);
      assert.equal(drawn(await map(valid(first.tree))), drawn(first));
    });
  }
});
