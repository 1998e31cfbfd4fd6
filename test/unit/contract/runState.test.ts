import assert from 'node:assert/strict';
import { loadState, looks, stateOf, stepState, testState } from '../../../src/contract/runState.ts';

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

describe('the state of a test run', () => {
  it('says nothing about the called side after a call by hand, unless the call failed', () => {
    assert.deepEqual(
      (['PASS', 'FAIL', undefined] as const).map((outcome) => testState({ outcome, guided: true })),
      ['byHand', 'FAIL', 'running'],
    );
    assert.equal(testState({ outcome: 'PASS' }), 'PASS');
  });
});

describe('the state of a step', () => {
  it('says notReached if the engine does, and stays undecided otherwise', () => {
    assert.equal(stepState({ outcome: 'INCONCLUSIVE', reason: 'Not reached.' }, undefined), 'notReached');
    const german = { reason: 'Nicht erreicht.', reasonParts: [['Not reached.']] };
    assert.equal(stepState({ outcome: 'INCONCLUSIVE', ...german }, undefined), 'notReached');
    assert.equal(
      stepState({ outcome: 'INCONCLUSIVE', reason: 'Not reached: the call ended.' }, 'cancel'),
      'notReached',
    );
    assert.equal(stepState({ outcome: 'INCONCLUSIVE', reason: 'Nothing was said.' }, undefined), 'INCONCLUSIVE');
    assert.equal(stepState({ outcome: 'ERROR' }, 'cancel'), 'cancelled');
  });
});

describe('the state of a load test', () => {
  it('becomes its verdict, unless it was cut short', () => {
    const stats = { callsPlaced: 1, callsAnswered: 1, setupSuccess: 1, outcomes: {}, callSeconds: 1 };
    const judged = { ...stats, verdict: { outcome: 'fail' as const, criteria: [] } };
    assert.equal(loadState({ status: 'completed', stats }), 'unjudged');
    assert.equal(loadState({ status: 'completed', stats: judged }), 'fail');
    assert.equal(loadState({ status: 'aborted', stats: judged }), 'fail');
    assert.equal(loadState({ status: 'aborted', stats: judged, endedBy: 'cancel' }), 'cancelled');
  });
});

describe('the signs of states', () => {
  it('distinguish a failure, an undecided run and a run that was cut short', () => {
    for (const [fail, undecided, cut] of [
      ['FAIL', 'INCONCLUSIVE', 'cancelled'],
      ['fail', 'inconclusive', 'interrupted'],
      ['failed', 'INCONCLUSIVE', 'notReached'],
    ] as const)
      assert.deepEqual([looks[fail].id, looks[undecided].id, looks[cut].id], ['error', 'question', 'circle-slash']);
    assert.deepEqual(looks.skipped, looks.notReached);
  });
});
