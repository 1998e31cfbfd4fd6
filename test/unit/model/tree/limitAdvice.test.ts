import assert from 'node:assert/strict';
import { join, sentence } from '../../../../src/base/sentences.ts';
import { doubtsAfterAdvice, raiseMaxCalls, raiseMaxDepth } from '../../../../src/model/tree/limitAdvice.ts';

describe('the doubts of a run that ended at a limit', () => {
  for (const advice of [raiseMaxCalls, raiseMaxDepth])
    it(`follow the advice: ${String(advice).slice(0, 14)}`, () => {
      const doubts = sentence`Steps may be missing.`;
      assert.deepEqual(doubtsAfterAdvice(join(sentence`There is more.`, advice, doubts).parts), doubts.parts);
      assert.deepEqual(doubtsAfterAdvice(join(sentence`There is more.`, advice).parts), []);
    });

  it('has no doubts without advice', () =>
    assert.deepEqual(doubtsAfterAdvice(sentence`The time is up. Map again.`.parts), []));
});
