import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stateOf } from '../../../src/contract/runState.ts';

describe('the state of a run', () => {
  it('becomes cancelled or interrupted if that is why it broke down', () => {
    for (const state of ['failed', 'aborted', 'ERROR'])
      assert.deepEqual(
        ([undefined, 'cancel', 'stop', 'crash', 'budget'] as const).map((endedBy) => stateOf(state, endedBy)),
        [state, 'cancelled', 'interrupted', 'interrupted', state],
      );
  });

  it('stays the end that a run reached by itself, even if it was cancelled in the same moment', () => {
    for (const state of ['running', 'completed', 'limited', 'PASS', 'FAIL', 'INCONCLUSIVE'])
      for (const endedBy of ['cancel', 'stop', 'crash'] as const) assert.equal(stateOf(state, endedBy), state);
  });
});
