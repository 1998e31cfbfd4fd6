import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { scoreTree } from '../../../../src/model/tree/treeScore.ts';
import { crawlTree, truthOf } from '../../../support/crawlTree.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const config = { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 60, concurrency: 4 } as const;

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
    const clock = new VirtualClock();
    const dialer = simulatedDialer({ ivr, clock });
    const { tree } = await clock.run(
      crawlTree({ target: 'sip:x', clock, dialer, signal: new AbortController().signal, config }),
    );
    const { mistakes, ends } = scoreTree(truthOf(ivr), tree);
    assert.deepEqual({ mistakes, wrong: ends.wrong }, { mistakes: [], wrong: [] });
  });
});
