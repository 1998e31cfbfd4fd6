import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { scoreTree } from '../../../../src/model/tree/treeScore.ts';
import { mapIvr, truthOf } from '../../../support/crawlTree.ts';

const bill = 'To pay your bill, press 1. For the due date, press 2. To return to the previous menu, press 9.';

/** Two branches with a menu about the bill, which says the same in both. `backs`: where its key 9 leads. */
const withBills = (backs: readonly [string, string]) =>
  ivrFileSchema.parse({
    name: 'Bills',
    start: 'main',
    states: {
      main: { prompt: 'For your mobile phone, press 1. For home internet, press 2.', keys: { 1: 'mobile', 2: 'home' } },
      mobile: {
        prompt: 'This is about mobile phones. For your bill, press 1. For roaming, press 2.',
        keys: { 1: 'mobileBill', 2: 'roaming' },
      },
      home: {
        prompt: 'This is about home internet. For your bill, press 1. For the speed, press 2.',
        keys: { 1: backs[0] === backs[1] ? 'mobileBill' : 'homeBill', 2: 'speed' },
      },
      mobileBill: { prompt: bill, keys: { 1: 'pay', 2: 'due', 9: backs[0] } },
      ...(backs[0] !== backs[1] && { homeBill: { prompt: bill, keys: { 1: 'pay', 2: 'due', 9: backs[1] } } }),
      pay: { prompt: 'Please enter your card number, then press pound.', end: 'hangup' },
      due: { prompt: 'It is due on the first of the month. Goodbye.', end: 'hangup' },
      roaming: { prompt: 'Roaming is included everywhere. Goodbye.', end: 'hangup' },
      speed: { prompt: 'Your line has fifty megabits. Goodbye.', end: 'hangup' },
    },
  });

async function map(backs: readonly [string, string]) {
  const ivr = withBills(backs);
  const { tree } = await mapIvr(ivr, { config: { maxCalls: 60 } });
  return scoreTree(truthOf(ivr), tree);
}

describe('crawl: menus with the same words', () => {
  it('stay apart if their keys for the previous menu lead to different ones', async () => {
    const { falseMerges, mistakes } = await map(['mobile', 'home']);
    assert.deepEqual({ falseMerges, mistakes }, { falseMerges: [], mistakes: [] });
  });

  it('become one menu if that key leads to the same one', async () => {
    const { falseMerges, missedLinks, mistakes } = await map(['mobile', 'mobile']);
    assert.deepEqual({ falseMerges, missedLinks, mistakes }, { falseMerges: [], missedLinks: [], mistakes: [] });
  });
});
