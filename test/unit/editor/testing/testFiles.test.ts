import assert from 'node:assert/strict';
import type { ScriptedTestFile } from '../../../../src/model/testFile.ts';
import { rowLabels } from '../../../../src/editor/testing/rowLabels.ts';
import { RunHistory } from '../../../../src/editor/testing/runHistory.ts';
import { changeBetween } from '../../../../src/editor/testing/textChange.ts';
import { clockTime } from '../../../../src/editor/testing/liveTranscript.ts';
import { uuid } from '../fakes.ts';
import { memento, results } from './fakeRuns.ts';

describe('the rows of a param test', () => {
  const test = (rows: Record<string, string>[]): Pick<ScriptedTestFile, 'test'> => ({ test: {
    name: 'Cards', phoneNumber: '+12025550101', rows,
    steps: [{ name: 'Card', action: { type: 'press', keys: '{card}#' }, secret: true, passThreshold: 0.8 }, { name: 'City', action: { type: 'say', text: '{city}' }, passThreshold: 0.8 }],
  } });

  it('are listed by their values, without those of secret steps', () => {
    assert.deepEqual(rowLabels(test([{ card: '4711', city: 'Berlin' }, { card: '', city: 'Oslo' }])), ['1 · card: •••, city: Berlin', '2 · card: •••, city: Oslo']);
    assert.deepEqual(rowLabels(test([])), []);
  });

  it('are cut where they are long', () => {
    assert.ok((rowLabels(test([{ city: 'x'.repeat(300) }]))[0] ?? '').length < 90);
  });
});

describe('the least change between two texts', () => {
  it('makes one of the other', () => {
    for (const [before, after] of [['', 'a'], ['a', ''], ['abc', 'abc'], ['{\n  "a": 1\n}', '{\n  "id": "x",\n  "a": 1\n}'], ['aaa', 'aa'], ['aXa', 'aa'], ['ab', 'ba']] as const) {
      const { offset, length, content } = changeBetween(before, after);
      assert.equal(before.slice(0, offset) + content + before.slice(offset + length), after);
    }
    assert.deepEqual(changeBetween('one two', 'one big two'), { offset: 4, length: 0, content: 'big ' });
  });
});

describe('RunHistory', () => {
  it('finds the runs of a test in the next window, newest first and not for ever', () => {
    const kept = memento() as ConstructorParameters<typeof RunHistory>[0];
    const history = new RunHistory(kept);
    for (let run = 1; run <= 25; run += 1) history.add('a', `run ${String(run)}`);
    for (let test = 1; test <= 600; test += 1) history.add(`test ${String(test)}`, 'x');
    assert.deepEqual(new RunHistory(kept).of('a'), []);
    history.add('b', 'run 1');
    history.add('b', 'run 2');
    assert.deepEqual(new RunHistory(kept).of('b'), ['run 2', 'run 1']);
    assert.equal(history.of('test 600').length, 1);
  });

  it('keeps how the newest run ended, and nothing of one that ended without a word', () => {
    const kept = memento() as ConstructorParameters<typeof RunHistory>[0];
    const history = new RunHistory(kept);
    let told = 0;
    history.onDidEnd(() => { told += 1; });
    history.end('a', { results: results(1, { callSeconds: 12 }), mission: undefined });
    history.end('a', { results: results(2, { outcome: 'FAIL' }), mission: undefined });
    history.end('a', { results: results(3, { status: 'running' }), mission: undefined });
    assert.deepEqual(new RunHistory(kept).endOf('a'), { runId: uuid(2), outcome: 'FAIL', endedAt: Date.UTC(2026, 0, 1, 12, 2, 30), seconds: 0 });
    assert.equal(told, 2);
    const damaged = memento() as ConstructorParameters<typeof RunHistory>[0];
    void damaged.update('dialtree.testEnds', { a: { runId: 7 } });
    assert.equal(new RunHistory(damaged).endOf('a'), undefined);
  });
});

describe('times in the transcript', () => {
  it('stand below each other', () => {
    assert.deepEqual([0, 950, 59_960, 600_000, undefined].map(clockTime), [' 0:00.0', ' 0:01.0', ' 1:00.0', '10:00.0', '       ']);
  });
});
