import assert from 'node:assert/strict';
import type { ScriptedTestFile } from '../../../../src/model/tests/testFile.ts';
import { failureContext, runOfFailure } from '../../../../src/editor/testing/explorer/failureContext.ts';
import { readFault } from '../../../../src/editor/folders/fileFault.ts';
import { rowKeys } from '../../../../src/editor/testing/running/rowKeys.ts';
import { rowLabels } from '../../../../src/editor/testing/running/rowLabels.ts';
import { RunHistory } from '../../../../src/editor/testing/runHistory.ts';
import { changeBetween } from '../../../../src/editor/folders/textChange.ts';
import { clockColumn } from '../../../../src/editor/testing/running/liveTranscript.ts';
import { english, uuid } from '../fakes.ts';
import { memento, results } from './fakeRuns.ts';

describe('the rows of a param test', () => {
  const test = (rows: Record<string, string>[]): Pick<ScriptedTestFile, 'test'> => ({
    test: {
      name: 'Cards',
      phoneNumber: '+12025550101',
      rows,
      steps: [
        { name: 'Card', action: { type: 'press', keys: '{card}#' }, secret: true, passThreshold: 0.8 },
        { name: 'City', action: { type: 'say', text: '{city}' }, passThreshold: 0.8 },
      ],
    },
  });

  it('show their values, except those of secret steps', () => {
    assert.deepEqual(
      rowLabels(
        test([
          { card: '4711', city: 'Berlin' },
          { card: '', city: 'Oslo' },
        ]),
      ),
      ['1 · card: •••, city: Berlin', '2 · card: •••, city: Oslo'],
    );
    assert.deepEqual(rowLabels(test([])), []);
  });

  it('have keys made from their content, which stay when others are inserted before them', () => {
    const [berlin, oslo] = rowKeys(
      test([
        { card: '4711', city: 'Berlin' },
        { card: '4712', city: 'Oslo' },
      ]),
    );
    assert.notEqual(berlin, oslo);
    assert.deepEqual(
      rowKeys(
        test([
          { card: '1', city: 'Rome' },
          { city: 'Berlin', card: '4711' },
          { card: '4712', city: 'Oslo' },
        ]),
      ).slice(1),
      [berlin, oslo],
    );
    assert.equal(
      rowKeys(test([{ card: '9999', city: 'Berlin' }]))[0],
      berlin,
      'the digits of a card must not be told by a key',
    );
    assert.equal(
      new Set(
        rowKeys(
          test([
            { card: '1', city: 'Oslo' },
            { card: '2', city: 'Oslo' },
          ]),
        ),
      ).size,
      2,
    );
  });

  it('have a maximum length', () => assert.ok((rowLabels(test([{ city: 'x'.repeat(300) }]))[0] ?? '').length < 90));
});

describe('the smallest change between two texts', () => {
  it('turns one into the other', () => {
    for (const [before, after] of [
      ['', 'a'],
      ['a', ''],
      ['abc', 'abc'],
      ['{\n  "a": 1\n}', '{\n  "id": "x",\n  "a": 1\n}'],
      ['aaa', 'aa'],
      ['aXa', 'aa'],
      ['ab', 'ba'],
    ] as const) {
      const { offset, length, content } = changeBetween(before, after);
      assert.equal(before.slice(0, offset) + content + before.slice(offset + length), after);
    }
    assert.deepEqual(changeBetween('one two', 'one big two'), { offset: 4, length: 0, content: 'big ' });
  });
});

describe('RunHistory', () => {
  const first = { test: 'a', row: 'one' },
    second = { test: 'a', row: 'two' };
  let kept: ConstructorParameters<typeof RunHistory>[0], history: RunHistory;
  const end = (
    place: { test: string; row?: string },
    number: number,
    values: Parameters<typeof results>[1] = {},
    rows: string[] = [],
  ): void => {
    history.end(place, { results: results(number, values), mission: undefined }, rows);
  };
  beforeEach(() => {
    kept = memento() as typeof kept;
    history = new RunHistory(kept);
  });

  it('finds the runs of a test in the next window, for a limited time', () => {
    history.add({ test: 'old' }, 'x');
    for (let test = 1; test <= 600; test += 1) history.add({ test: `test ${String(test)}` }, 'x');
    history.add({ test: 'b' }, 'run 1');
    history.add({ test: 'b' }, 'run 2');
    const next = new RunHistory(kept);
    assert.deepEqual(
      ['old', 'test 600', 'b'].map((test) => next.runOf({ test })),
      [undefined, 'x', 'run 2'],
    );
  });

  it('keeps all rows of a long table', () => {
    for (let row = 0; row < 1000; row += 1) history.add({ test: 'a', row: `row ${String(row)}` }, String(row));
    assert.deepEqual([history.runOf({ test: 'a', row: 'row 0' }), history.runOf({ test: 'a' })], ['0', '999']);
  });

  it('opens the failed row before one that passed', () => {
    end(first, 1, {}, ['one', 'two']);
    end(second, 2, { outcome: 'FAIL' }, ['one', 'two']);
    assert.deepEqual([history.runOf({ test: 'a' }), history.runOf(first)], [uuid(2), uuid(1)]);
    end(second, 3, {}, ['one', 'two']);
    assert.equal(history.runOf({ test: 'a' }), uuid(3));
    history.add(first, 'that goes on');
    assert.equal(history.runOf({ test: 'a' }), 'that goes on');
  });

  it('names the rows whose newest run did not pass, and no other test', () => {
    end(first, 1, { outcome: 'INCONCLUSIVE' }, ['one', 'two']);
    end(second, 2, {}, ['one', 'two']);
    end({ test: 'b' }, 3, { outcome: 'FAIL' });
    assert.deepEqual(
      ['a', 'b', 'c'].map((test) => history.failedRows(test)),
      [['one'], [''], []],
    );
    history.add(first, 'that goes on');
    assert.deepEqual(history.failedRows('a'), [], 'no result yet');
  });

  it('forgets rows that the table no longer has when it is run', () => {
    end(first, 1, { outcome: 'FAIL' }, ['one', 'two']);
    end(second, 2, {}, ['two']);
    assert.deepEqual(
      history.endsOf('a').map(({ runId }) => runId),
      [uuid(2)],
    );
  });

  it("keeps the newest run's result, and nothing of one that ended without one", () => {
    let told = 0;
    history.onDidEnd(() => (told += 1));
    end({ test: 'a' }, 1, { callSeconds: 12 });
    end({ test: 'a' }, 2, { outcome: 'FAIL' });
    end({ test: 'a' }, 3, { status: 'running' });
    assert.deepEqual(new RunHistory(kept).endsOf('a'), [
      { runId: uuid(2), outcome: 'FAIL', endedAt: Date.UTC(2026, 0, 1, 12, 2, 30), seconds: 0 },
    ]);
    assert.equal(told, 2);
  });

  it('starts empty if the stored state has another shape', () => {
    void kept.update('dialtree.testRuns', { a: ['run 1'] });
    assert.equal(new RunHistory(kept).runOf({ test: 'a' }), undefined);
  });
});

describe('a message in the Test Explorer', () => {
  it('names its run in the value that the menus match', () => {
    assert.match(failureContext(uuid(1)), /^dialtree\.failure/);
    assert.deepEqual(
      [failureContext(uuid(1)), failureContext(uuid(1), 2), 'dialtree.failure', 'other', undefined].map(runOfFailure),
      [{ runId: uuid(1) }, { runId: uuid(1), step: 2 }, undefined, undefined, undefined],
    );
  });
});

describe('an error of a file', () => {
  for (const [code, told] of [
    ['FileNotFound', "The file a.calltest.json doesn't exist. Restore the file, or correct the reference."],
    ['FileIsADirectory', 'a.calltest.json is a folder or a device. Use a file instead.'],
    ['NoPermissions', "Couldn't read a.calltest.json: permission denied. Change the file permissions, then try again."],
    [
      'Unavailable',
      "Couldn't read a.calltest.json: The share is away. Check that the disk or server is available, then try again.",
    ],
  ] as const) {
    it(`has words for a person: ${code}`, () =>
      assert.equal(
        readFault(Object.assign(new Error('The share is away'), { code }), 'a.calltest.json', english).message,
        told,
      ));
  }
});

describe('times in the transcript', () => {
  it('have one width', () =>
    assert.deepEqual([0, 950, 59_960, 600_000, undefined].map(clockColumn), [
      ' 0:00.0',
      ' 0:01.0',
      ' 1:00.0',
      '10:00.0',
      '       ',
    ]));
});
