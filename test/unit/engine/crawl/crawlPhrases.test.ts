import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { scoreTree } from '../../../../src/model/tree/treeScore.ts';
import { mapIvr, truthOf } from '../../../support/crawlTree.ts';

describe('crawl: a spoken menu that is heard without a comma', () => {
  it('has both phrases, because the next prompt repeats only one', async () => {
    const ivr = ivrFileSchema.parse({
      name: 'Council',
      start: 'main',
      states: {
        main: {
          prompt: 'You can say council tax housing, or fines.',
          speech: { 'council tax': 'tax', housing: 'housing', fines: 'fines' },
        },
        tax: {
          prompt: 'Council tax. You can say make a payment, or discounts.',
          speech: { 'make a payment': 'pay', discounts: 'discounts' },
        },
        housing: { prompt: 'The housing office is closed. Goodbye.', end: 'hangup' },
        fines: { prompt: 'Fines are paid online. Goodbye.', end: 'hangup' },
        pay: { prompt: 'Please use our website to pay. Goodbye.', end: 'hangup' },
        discounts: { prompt: 'Students pay nothing. Goodbye.', end: 'hangup' },
      },
    });
    const { tree } = await mapIvr(ivr, { config: { maxCalls: 60 } });
    const { mistakes, ends } = scoreTree(truthOf(ivr), tree);
    assert.deepEqual({ mistakes, wrong: ends.wrong }, { mistakes: [], wrong: [] });
  });
});
