import assert from 'node:assert/strict';
import { doubtsAfterAdvice, raiseMaxCalls, raiseMaxDepth } from '../../../../src/model/tree/limitAdvice.ts';

describe('the reason of a run that reached a limit', () => {
  for (const advice of [raiseMaxCalls, raiseMaxDepth])
    it(`has its doubts after “${advice.slice(0, 14)}…”`, () => {
      assert.equal(doubtsAfterAdvice(`There is more. ${advice} Steps may be missing.`), 'Steps may be missing.');
      assert.equal(doubtsAfterAdvice(`There is more. ${advice}`), undefined);
    });

  it('has no doubts without advice', () => assert.equal(doubtsAfterAdvice('The time is up. Map again.'), undefined));
});
