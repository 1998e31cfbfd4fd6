import assert from 'node:assert/strict';
import { LastRuns } from '../../../../../src/editor/files/lenses/lastRuns.ts';
import { lensesOf } from '../../../../../src/editor/files/lenses/lenses.ts';
import type { LensState } from '../../../../../src/editor/files/lenses/lenses.ts';
import { createFormats } from '../../../../../src/editor/basics/formats.ts';
import { RunHistory } from '../../../../../src/editor/testing/runHistory.ts';
import { memento, results, testRun } from '../../testing/fakeRuns.ts';
import { english, FakeClient, uuid } from '../../fakes.ts';
import { file } from '../fakeFiles.ts';

const state = (values: Partial<LensState> = {}): LensState => ({
  path: '/w/a.json',
  last: undefined,
  playedAt: undefined,
  now: Date.UTC(2026, 0, 1, 12, 10, 30),
  formats: createFormats('en'),
  ...values,
});
const titles = (name: string, text: string, values: Partial<LensState> = {}): string[] =>
  lensesOf(file(name, text), state(values), english).map(({ title }) => title);

describe('the code lenses above a file', () => {
  let history: RunHistory, kept: ReturnType<typeof memento>;
  const item = 'file:///w/a.calltest.json';
  const end = (row: string | undefined, number: number, outcome: 'PASS' | 'FAIL', rows: string[] = []): void => {
    history.end(
      { test: item, row },
      { results: results(number, { outcome, callSeconds: 23.4 }), mission: undefined },
      rows,
    );
  };
  const runs = (client = new FakeClient(), isReady = true): LastRuns =>
    new LastRuns({ history, client, isReady: () => isReady });

  beforeEach(() => {
    kept = memento();
    history = new RunHistory(kept as ConstructorParameters<typeof RunHistory>[0]);
  });

  it('run it, and are absent if nothing may be run', () => {
    assert.deepEqual(
      lensesOf(file('a.calltest.json', '{}'), state(), english).map(({ command, argument }) => [command, argument]),
      [['dialtree.test.run', { file: '/w/a.json' }]],
    );
    assert.deepEqual(titles('a.mission.json', '{}'), ['$(play) Run']);
    for (const name of ['a.calltest.json', 'a.mission.json', 'a.ivr.json', 'a.calltree.json'])
      assert.deepEqual(titles(name, '{ "tree": {} }', { path: undefined }), [], name);
    assert.deepEqual(titles('a.calltest.json', ''), []);
  });

  it('show the last result, in the next window too', () => {
    end(undefined, 5, 'PASS');
    history = new RunHistory(kept as ConstructorParameters<typeof RunHistory>[0]);
    const parsed = file('a.calltest.json', '{ "steps": [] }');
    const last = runs().of(parsed);
    assert.deepEqual(
      lensesOf(parsed, state({ last }), english).map(({ title, argument }) => [title, argument]),
      [
        ['$(play) Run', { file: '/w/a.json' }],
        ['$(pass) passed 5 min. ago · 23 s', undefined],
        ['Open Report', { runId: uuid(5) }],
      ],
    );
  });

  it('summarise a table of rows, by the rows of its last run', () => {
    end('gone', 3, 'FAIL', ['gone', 'first', 'second']);
    end('second', 2, 'FAIL', ['first', 'second']);
    end('first', 1, 'PASS', ['first', 'second']);
    const parsed = file('a.calltest.json', '{ "rows": [{ "a": "1" }, { "a": "2" }] }');
    const last = runs().of(parsed);
    assert.deepEqual([last?.runId, last?.runs, last?.passed, last?.seconds], [uuid(2), 2, 1, 46.8]);
    assert.deepEqual(titles('a.calltest.json', parsed.text, { last })[1], '$(error) 1 of 2 passed 8 min. ago · 47 s');
  });

  it('show the result of a test whose file was renamed', () => {
    history.end({ test: uuid(9) }, { results: results(5), mission: undefined });
    assert.equal(runs().of(file('renamed.calltest.json', `{ "id": "${uuid(9)}" }`))?.runId, uuid(5));
    assert.equal(runs().of(file('renamed.calltest.json', '{}')), undefined);
  });

  it('start and map a practice IVR, and stop a running one', () => {
    assert.deepEqual(titles('a.ivr.json', '{}'), ['$(play) Start', '$(type-hierarchy-sub) Map']);
    assert.deepEqual(titles('a.ivr.json', '{}', { playedAt: 'sip:bank@127.0.0.1:5070' }), [
      '$(debug-stop) Stop',
      '$(type-hierarchy-sub) Map',
    ]);
  });

  it('compare a mapped tree, and show its tested parts', () => {
    assert.deepEqual(titles('a.calltree.json', '{ "tree": {} }'), [
      '$(diff) Compare with a Run…',
      '$(checklist) Coverage…',
    ]);
    assert.deepEqual(titles('a.calltree.json', '{}'), []);
  });

  it('start nothing only to show earlier results', async () => {
    end(undefined, 5, 'PASS');
    const parsed = file('a.calltest.json', '{}');
    const client = new FakeClient({ getRunResults: ({ runId }) => ({ ...testRun(5), id: runId, steps: [] }) });
    assert.deepEqual(await runs(client, false).told(parsed), []);
    assert.equal(client.calls.length, 0);
    const shared = runs(client);
    assert.equal((await shared.told(parsed))[0]?.results.id, uuid(5));
    await shared.told(parsed);
    assert.equal(client.count('getRunResults'), 1, 'what is known is not asked again');
    // Results of this window are known from then on.
    end(undefined, 6, 'FAIL');
    assert.equal((await shared.told(parsed))[0]?.results.id, uuid(6));
    assert.equal(client.calls.length, 1);
    shared.dispose();
  });

  it('show nothing for a deleted run', async () => {
    end(undefined, 5, 'PASS');
    assert.deepEqual(await runs(new FakeClient()).told(file('a.calltest.json', '{}')), []);
  });
});
