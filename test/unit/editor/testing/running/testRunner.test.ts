import assert from 'node:assert/strict';
import { RateLimitError, ServerError } from '../../../../../src/client/errors.ts';
import { HumanError } from '../../../../../src/contract/errors.ts';
import type { LoadStats, LoadTest, LoadVerdict } from '../../../../../src/contract/loadTests.ts';
import type { LoadSize } from '../../../../../src/editor/testing/running/runUnderLoad.ts';
import type { OperationInput } from '../../../../../src/contract/operations.ts';
import type { MissionTestRun, RunResults } from '../../../../../src/contract/testRuns.ts';
import type { Failure } from '../../../../../src/editor/testing/failures.ts';
import { WorkspaceFeed } from '../../../../../src/editor/store/workspaceFeed.ts';
import { rowKeys } from '../../../../../src/editor/testing/running/rowKeys.ts';
import { TestRunner } from '../../../../../src/editor/testing/running/testRunner.ts';
import type { TestReporter } from '../../../../../src/editor/testing/running/testReporter.ts';
import type { WantedTest } from '../../../../../src/editor/testing/running/testRunner.ts';
import type { TestSource } from '../../../../../src/editor/folders/testSource.ts';
import { readTestFile } from '../../../../../src/model/tests/testFile.ts';
import { english, FakeClient, FakeClock, recordingLogger, settle, uuid } from '../../fakes.ts';
import { loadTest, results, step, testRun } from '../fakeRuns.ts';

/** What a person sees of the items, one line each time. */
class Shown implements TestReporter<string> {
  readonly lines: string[] = [];
  readonly failures = new Map<string, readonly Failure[]>();
  started(item: string): void {
    this.lines.push(`${item} started`);
  }
  launched(item: string, runId: string): void {
    this.lines.push(`${item} is run ${String(Number(runId.slice(-4)))}`);
  }
  output(item: string, text: string): void {
    for (const line of text.split('\r\n').slice(0, -1)) this.lines.push(`${item}| ${line.trim()}`);
  }
  passed(item: string, ms: number): void {
    this.lines.push(`${item} passed ${String(ms)}`);
  }
  failed(item: string, failures: readonly Failure[], ms: number): void {
    this.failures.set(item, failures);
    this.lines.push(`${item} failed ${String(ms)}`);
  }
  errored(item: string, failures: readonly Failure[]): void {
    this.failures.set(item, failures);
    this.lines.push(`${item} errored`);
  }
  undecided(item: string, failures: readonly Failure[]): void {
    this.failures.set(item, failures);
    this.lines.push(`${item} undecided`);
  }
  skipped(item: string): void {
    this.lines.push(`${item} skipped`);
  }
  get ends(): string[] {
    return this.lines.filter((line) => /^\w+ (passed|failed|errored|undecided|skipped)/.test(line));
  }
}

const script = (members: object = {}): string =>
  JSON.stringify(
    {
      id: uuid(1),
      name: 'Balance',
      phoneNumber: 'sip:bank@127.0.0.1:5070',
      steps: [
        { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Welcome' },
        { name: 'Accounts', action: { type: 'press', keys: '1' } },
      ],
      ...members,
    },
    undefined,
    2,
  );

describe('TestRunner', () => {
  let client: FakeClient,
    clock: FakeClock,
    runner: TestRunner,
    shown: Shown,
    texts: Map<string, string>,
    launches: unknown[],
    players: Set<object>;
  /** Results by run; an event announces a change. */
  let runs: Map<string, RunResults>;
  let stop: AbortController, consent: boolean;

  const source = (file: string): TestSource => ({
    file,
    path: file,
    read: () => {
      const text = texts.get(file);
      return text === undefined ? Promise.reject(new Error('no file')) : Promise.resolve(text);
    },
    write: (text) => {
      texts.set(file, text);
      return Promise.resolve();
    },
    readBeside: (path) => {
      const text = texts.get(path);
      return text === undefined
        ? Promise.reject(new Error(`There is no ${path}.`))
        : Promise.resolve({ text, file: path });
    },
  });
  const wanted = (file: string, rows: Readonly<Record<string, string>> = {}): WantedTest<string> => ({
    source: source(file),
    item: file.split('.')[0]!,
    rows: new Map(Object.entries(rows)),
  });
  /** The items of the rows that a file has now, by their keys. */
  const itemsOf = async (file: string, ...items: (string | undefined)[]): Promise<Record<string, string>> => {
    const read = await readTestFile(texts.get(file)!, file, source(file).readBeside);
    assert.ok('kind' in read && read.kind === 'calltest');
    return Object.fromEntries(
      rowKeys(read).flatMap((key, at) => {
        const item = items[at];
        return item === undefined ? [] : [[key, item]];
      }),
    );
  };
  const run = (tests: WantedTest<string>[], repeat = 1): Promise<void> =>
    runner.run(tests, shown, { signal: stop.signal, repeat });
  const change = async (values: RunResults): Promise<void> => {
    runs.set(values.id, values);
    await client.announce({ type: 'test.changed', runId: values.id });
  };
  /** Runs the tests until their runs end like this. */
  const runTo = async (tests: WantedTest<string>[], ...ends: readonly RunResults[]): Promise<void> => {
    const running = run(tests);
    await settle();
    for (const end of ends) await change(end);
    await running;
  };
  let lastRun: number;
  let plan: string | undefined;
  /** The content that the launches brought. */
  let brought: OperationInput<'runTest'>['test'][];

  beforeEach(() => {
    clock = new FakeClock();
    launches = [];
    players = new Set();
    brought = [];
    runs = new Map();
    stop = new AbortController();
    shown = new Shown();
    consent = true;
    lastRun = 100;
    plan = undefined;
    texts = new Map([['a.calltest.json', script()]]);
    client = new FakeClient({
      runTest: ({ configId, test, rows }) => {
        launches.push({ configId, ...(rows && { rows }) });
        brought.push(test);
        const made = Array.from({ length: rows?.length ?? 1 }, () => {
          lastRun += 1;
          return testRun(lastRun, { status: 'running' });
        });
        for (const one of made) runs.set(one.id, { ...one, steps: [] });
        return { items: made };
      },
      getRunResults: ({ runId }) => runs.get(runId)!,
      cancelTestRun: ({ runId, wholeLaunch = false }) => {
        for (const { id, status } of [...runs.values()]) {
          if (status === 'completed' || (id !== runId && !wholeLaunch)) continue;
          runs.set(
            id,
            results(Number(id.slice(-4)), { outcome: 'ERROR', endedBy: 'cancel', reason: 'The run was cancelled.' }),
          );
          client.emit({ type: 'test.changed', runId: id });
        }
        return runs.get(runId)!;
      },
    });
    const log = recordingLogger();
    const feed = new WorkspaceFeed({ client, clock, log });
    runner = new TestRunner({
      client,
      feed,
      clock,
      log,
      l10n: english,
      play: (file, ivr, tests) => {
        players.add(tests);
        return Promise.resolve(`sip:${ivr}-${file}@127.0.0.1`);
      },
      letGo: (tests) => {
        players.delete(tests);
      },
      planWords: (subject, times) =>
        Promise.resolve(plan === undefined ? undefined : `${plan} ${String(times)} × ${JSON.stringify(subject)}`),
      withConsent: async (_target, work) => (consent ? work() : undefined),
      startLoad: async (wanted) => (consent ? (await client.call('runLoadTest', wanted)).id : undefined),
    });
  });

  it('launches the content of the file, follows the run by its events, and shows what is said as it comes', async () => {
    const running = run([wanted('a.calltest.json')]);
    await settle();
    assert.deepEqual(launches, [{ configId: uuid(1) }]);
    assert.deepEqual(brought, [{ ...(JSON.parse(script()) as object), steps: brought[0]?.steps, fromFile: true }]);
    await change(
      results(101, { status: 'running', transcript: [{ speaker: 'them', text: 'Welcome\u001B[2J', startMs: 1200 }] }),
    );
    await change(
      results(101, {
        transcript: [
          { speaker: 'them', text: 'Welcome', startMs: 1200 },
          { speaker: 'us', text: '1', startMs: 3000 },
        ],
        steps: [step('Greeting', { similarity: 1, endMs: 2000 }), step('Accounts', { endMs: 4000 })],
        hangUp: { by: 'us', atMs: 5000, sentence: 'The test hung up.' },
        callSeconds: 5,
      }),
    );
    await running;
    assert.deepEqual(
      shown.lines.map((line) => line.replaceAll('\u001B[32m', '').replaceAll('\u001B[0m', '')),
      [
        'a started',
        'a is run 101',
        'a| 0:01.2  ← Welcome [2J',
        'a| ✔ 1 Greeting 100% match',
        'a| 0:03.0  → 1',
        'a| ✔ 2 Accounts',
        'a| 0:05.0  The test hung up.',
        'a| passed',
        'a passed 5000',
      ],
    );
    assert.equal(client.streams, 0);
  });

  it('reports a failure at the line of its step, with the expected and the actual words', async () => {
    await runTo(
      [wanted('a.calltest.json')],
      results(101, {
        outcome: 'FAIL',
        steps: [
          step('Greeting', {
            outcome: 'FAIL',
            reason: 'Another text was heard.',
            similarity: 0.25,
            expectedTranscript: 'Welcome',
            transcript: 'Good bye',
          }),
          step('Accounts', { outcome: 'INCONCLUSIVE', reason: 'Not reached.' }),
        ],
      }),
    );
    assert.deepEqual(shown.failures.get('a'), [
      {
        message: 'Step 1, “Greeting”: 25% match. Another text was heard.',
        at: { line: 6, column: 5 },
        compare: { expected: 'Welcome', heard: 'Good bye', step: 0 },
        runId: uuid(101),
      },
    ]);
  });

  it('reports at its line, without an error, what a busy machine left undecided, but not the unreached steps after it', async () => {
    const running = run([wanted('a.calltest.json')]);
    await settle();
    const reason = 'Wrong menu. That may be our own doing: this machine was too busy.';
    await change(
      results(101, {
        outcome: 'INCONCLUSIVE',
        reason: `Step “Greeting”: ${reason}`,
        steps: [
          step('Greeting', { outcome: 'INCONCLUSIVE', startMs: 0, reason }),
          step('Accounts', { outcome: 'INCONCLUSIVE', reason: 'Not reached.' }),
        ],
      }),
    );
    await running;
    assert.deepEqual(shown.ends, ['a undecided']);
    assert.deepEqual(shown.failures.get('a'), [
      {
        message: `Step 1, “Greeting”: ${reason}`,
        at: { line: 6, column: 5 },
        runId: uuid(101),
      },
    ]);
  });

  it('runs a file without an ID under one that its place gives, and leaves the file as it is', async () => {
    const text = script({ id: undefined });
    texts.set('a.calltest.json', text);
    texts.set('b.calltest.json', text);
    for (const [file, number] of [
      ['a', 101],
      ['a', 102],
      ['b', 103],
    ] as const)
      await runTo([wanted(`${file}.calltest.json`)], results(number));
    const [first, second, other] = launches as { readonly configId: string }[];
    assert.match(first?.configId ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(first, second);
    assert.notDeepEqual(first, other);
    assert.equal(texts.get('a.calltest.json'), text);
  });

  it('shows the plan before its first call', async () => {
    plan = 'Up to 1 call.';
    const running = run([wanted('a.calltest.json')], 2);
    for (const number of [101, 102]) {
      await settle();
      await change(results(number));
    }
    await running;
    assert.deepEqual(shown.lines.slice(0, 3), [
      `a| Up to 1 call. 2 × ${JSON.stringify({ test: brought[0] })}`,
      'a started',
      'a is run 101',
    ]);
    assert.equal(shown.lines.filter((line) => line.includes('Up to')).length, 1);
  });

  it("reports a file's error at its place, without calling", async () => {
    texts.set('a.calltest.json', script({ steps: [], nmae: 1 }));
    await run([wanted('a.calltest.json'), wanted('gone.calltest.json')]);
    assert.deepEqual(launches, []);
    assert.deepEqual(shown.ends.sort(), ['a errored', 'gone errored']);
    assert.ok((shown.failures.get('a') ?? []).every(({ at }) => (at?.line ?? 0) > 1));
  });

  it('runs rows as children, and only the requested ones', async () => {
    texts.set('a.calltest.json', script({ rows: [{ key: '1' }, { key: '2' }, { key: '3' }] }));
    const running = run([wanted('a.calltest.json', await itemsOf('a.calltest.json', 'first', undefined, 'third'))]);
    await settle();
    assert.deepEqual(launches, [{ configId: uuid(1), rows: [{ key: '1' }, { key: '3' }] }]);
    await change(results(101, { runType: 'param' }));
    await change(results(102, { runType: 'param', outcome: 'FAIL', reason: 'Wrong menu.' }));
    await running;
    assert.deepEqual(shown.ends, ['first passed 30000', 'third failed 30000']);
  });

  it('skips a row that the file no longer has', async () => {
    texts.set('a.calltest.json', script({ rows: [{ key: '1' }] }));
    await runTo(
      [wanted('a.calltest.json', { ...(await itemsOf('a.calltest.json', 'first')), gone: 'second' })],
      results(101),
    );
    assert.deepEqual(shown.ends, ['first passed 30000', 'second skipped']);
  });

  it('runs the right row after another was inserted before it', async () => {
    texts.set('a.calltest.json', script({ rows: [{ key: '1' }, { key: '2' }] }));
    const rows = await itemsOf('a.calltest.json', undefined, 'second');
    texts.set('a.calltest.json', script({ rows: [{ key: '9' }, { key: '1' }, { key: '2' }] }));
    const running = run([wanted('a.calltest.json', rows)]);
    await settle();
    assert.deepEqual(launches, [{ configId: uuid(1), rows: [{ key: '2' }] }]);
    await change(results(101, { runType: 'param' }));
    await running;
    assert.deepEqual(shown.ends, ['second passed 30000']);
  });

  it("doesn't call if none of the rows exists any more", async () => {
    texts.set('a.calltest.json', script());
    await run([wanted('a.calltest.json', { gone: 'first' })]);
    assert.deepEqual([launches, shown.ends], [[], ['first skipped']]);
  });

  it('reports the error of an unreadable file', async () => {
    await run([
      {
        ...wanted('a.calltest.json'),
        source: {
          ...source('a.calltest.json'),
          read: () => Promise.reject(new HumanError("a.calltest.json isn't encoded in UTF-8. Save it in UTF-8.")),
        },
      },
    ]);
    assert.deepEqual(shown.failures.get('a'), [
      { message: "a.calltest.json isn't encoded in UTF-8. Save it in UTF-8." },
    ]);
  });

  it("starts a file's practice IVR and calls it, and lets it go after the last test", async () => {
    texts.set('a.calltest.json', script({ phoneNumber: undefined, ivr: 'bank.ivr.json' }));
    texts.set('b.calltest.json', script({ phoneNumber: undefined, ivr: 'bank.ivr.json', id: uuid(2) }));
    const running = run([wanted('a.calltest.json'), wanted('b.calltest.json')]);
    await settle();
    assert.equal(brought[0]?.phoneNumber, 'sip:bank.ivr.json-a.calltest.json@127.0.0.1');
    await change(results(101));
    assert.equal(players.size, 1);
    await change(results(102));
    await running;
    assert.equal(players.size, 0);
  });

  it("runs a mission, and shows the judge's reasons at its acceptance criteria", async () => {
    texts.set(
      'a.mission.json',
      JSON.stringify(
        {
          id: uuid(2),
          name: 'Find the balance',
          phoneNumber: 'sip:bank@127.0.0.1:5070',
          mission: 'Ask for it.',
          acceptance: 'It is told.',
        },
        undefined,
        2,
      ),
    );
    const verdict: MissionTestRun = {
      id: uuid(101),
      configId: uuid(2),
      phoneNumber: 'sip:bank@127.0.0.1:5070',
      status: 'completed',
      verdict: 'fail',
      judgeReasoning: 'No balance was told.',
      transcript: [],
      startedAt: '2026-01-01T00:00:00Z',
    };
    client.answers.runMissionTest = () => {
      runs.set(uuid(101), results(101, { status: 'running' }));
      return { ...verdict, status: 'running' };
    };
    client.answers.getMissionTestRun = () => verdict;
    await runTo([wanted('a.mission.json')], results(101, { runType: 'mission', outcome: 'FAIL' }));
    assert.deepEqual(shown.ends, ['a failed 30000']);
    assert.deepEqual(shown.failures.get('a'), [
      { message: 'No balance was told.', at: { line: 6, column: 17 }, runId: uuid(101) },
    ]);
  });

  it('repeats, and passes only if every run does', async () => {
    const running = run([wanted('a.calltest.json')], 3);
    for (const number of [101, 102, 103]) {
      await settle();
      await change(results(number, number === 102 ? { outcome: 'FAIL', reason: 'Wrong menu.' } : {}));
    }
    await running;
    assert.equal(launches.length, 3);
    assert.deepEqual(shown.ends, ['a failed 90000']);
    assert.deepEqual(
      shown.failures.get('a')?.map(({ message, runId }) => [message, runId]),
      [['Run 2 of 3. Wrong menu.', uuid(102)]],
    );
  });

  it('skips a test whose run is cancelled elsewhere or interrupted, and says so in its output', async () => {
    const cut = (endedBy: 'cancel' | 'stop'): RunResults =>
      results(101, { outcome: 'ERROR', endedBy, reason: 'Cut short.', steps: [] });
    await runTo([wanted('a.calltest.json')], cut('cancel'));
    assert.deepEqual(shown.ends, ['a skipped']);
    assert.match(shown.lines.join('\n'), /cancelled: Cut short\./);
    shown = new Shown();
    lastRun = 100;
    await runTo([wanted('a.calltest.json')], cut('stop'));
    assert.deepEqual(shown.ends, ['a skipped']);
    assert.match(shown.lines.join('\n'), /interrupted: Cut short\./);
  });

  it('hangs up when stopped, and blames the called side for nothing', async () => {
    texts.set('b.calltest.json', script({ id: uuid(3) }));
    const running = run([wanted('a.calltest.json'), wanted('b.calltest.json')]);
    await settle();
    stop.abort();
    await running;
    assert.deepEqual(
      client.calls
        .filter(({ name }) => name === 'cancelTestRun')
        .map(({ input }) => input)
        .sort(),
      [
        { runId: uuid(101), wholeLaunch: true },
        { runId: uuid(102), wholeLaunch: true },
      ],
    );
    assert.deepEqual(shown.ends.sort(), ['a skipped', 'b skipped']);
    assert.equal(runner.going.size, 0);
  });

  it('launches nothing after it was stopped, whatever each test was waiting for', async () => {
    for (const [at, test] of ['b', 'c', 'd', 'e'].entries())
      texts.set(`${test}.calltest.json`, script({ id: uuid(3 + at) }));
    const launch = client.answers.runTest!;
    client.answers.runTest = (input) => {
      if (launches.length > 0) throw new RateLimitError('No line.', { body: { code: 'concurrency_ceiling' } });
      return launch(input);
    };
    const running = run(['a', 'b', 'c', 'd', 'e'].map((test) => wanted(`${test}.calltest.json`)));
    await settle();
    const before = client.calls.filter(({ name }) => name === 'runTest').length;
    client.answers.runTest = launch;
    stop.abort();
    await clock.pass(60_000);
    await running;
    assert.deepEqual([client.calls.filter(({ name }) => name === 'runTest').length, launches.length], [before, 1]);
    assert.equal(shown.ends.length, 5);
  });

  it("reports the run that it can't follow, and continues with the others", async () => {
    texts.set('a.calltest.json', script({ rows: [{ key: '1' }, { key: '2' }, { key: '3' }, { key: '4' }] }));
    client.answers.getRunResults = ({ runId }) => {
      if (runId === uuid(102)) throw new ServerError('Internal error.', { status: 500 });
      return runs.get(runId)!;
    };
    const rows = await itemsOf('a.calltest.json', 'first', 'second', 'third');
    await runTo(
      [wanted('a.calltest.json', rows)],
      results(101),
      results(103, { outcome: 'FAIL', reason: 'Wrong menu.' }),
    );
    assert.deepEqual(shown.ends, ['first passed 30000', 'second errored', 'third failed 30000']);
    assert.deepEqual(shown.failures.get('second'), [{ message: 'Internal error.' }]);
    assert.equal(runner.going.size, 0);
  });

  it('waits for a free line if its own runs hold all of them', async () => {
    const launch = client.answers.runTest!;
    let refusals = 2;
    client.answers.runTest = (input) => {
      if (launches.length > 0 && refusals > 0) {
        refusals -= 1;
        throw new RateLimitError('Too many runs.', { status: 429, body: { code: 'concurrency_ceiling' } });
      }
      return launch(input);
    };
    texts.set('b.calltest.json', script({ id: uuid(3) }));
    const running = run([wanted('a.calltest.json'), wanted('b.calltest.json')]);
    await settle();
    assert.equal(launches.length, 1);
    await clock.pass(5_000);
    await clock.pass(5_000);
    assert.equal(launches.length, 2);
    await change(results(101));
    await change(results(102));
    await running;
    assert.deepEqual(shown.ends.sort(), ['a passed 30000', 'b passed 30000']);
  });

  it("skips if consent is declined, and reports the service's refusals", async () => {
    consent = false;
    await run([wanted('a.calltest.json')]);
    assert.deepEqual(shown.ends, ['a skipped']);
    consent = true;
    client.answers.runTest = () => {
      throw new RateLimitError('Too many runs.', { status: 429, body: { code: 'concurrency_ceiling' } });
    };
    await run([wanted('a.calltest.json')]);
    assert.deepEqual(shown.failures.get('a'), [{ message: 'Too many runs.' }]);
  });

  describe('under load', () => {
    const size = {
      ...{ concurrency: 5, rampSeconds: 1, holdSeconds: 60, criteria: { minPassed: 0.9 } },
      stages: [{ concurrency: 2, rampSeconds: 1, holdSeconds: 60 }],
    };
    const counts = { passed: 5, failed: 0, inconclusive: 0, errors: 0 };
    let load: LoadTest, started: unknown[];
    const runLoad = (tests: WantedTest<string>[], load: LoadSize = size): Promise<void> =>
      runner.run(tests, shown, { signal: stop.signal, repeat: 1, load });
    const end = async (values: Partial<LoadTest>): Promise<void> => {
      load = loadTest(7, { completedAt: '2026-01-01T12:01:10.000Z', ...values });
      await client.announce({ type: 'load.changed', loadTestId: load.id });
    };
    const runLoadTo = async (tests: WantedTest<string>[], values: Partial<LoadTest>): Promise<void> => {
      const running = runLoad(tests);
      await settle();
      await end(values);
      await running;
    };
    const statsWith = (verdict: LoadVerdict): LoadStats => ({
      callsPlaced: 5,
      callsAnswered: 5,
      setupSuccess: 1,
      outcomes: { answered: 5 },
      callSeconds: 100,
      tested: {
        ...counts,
        unfinished: 0,
        steps: [
          { name: 'Greeting', ...counts, notReached: 0 },
          { name: 'Accounts', ...counts, passed: 3, failed: 2, notReached: 0 },
        ],
        failures: [],
        referenceSeconds: 20,
      },
      verdict,
    });

    beforeEach(() => {
      started = [];
      load = loadTest(7, { status: 'running', progress: { placed: 5, answered: 4, active: 4, failed: 0 } });
      client.answers = {
        ...client.answers,
        runLoadTest: (input) => {
          started.push(input);
          return load;
        },
        getLoadTest: () => load,
        cancelLoadTest: () => {
          load = loadTest(7, { status: 'aborted', reason: 'Cancelled.' });
          return load;
        },
      };
    });

    it('takes the shape that the user chose, and passes by its verdict', async () => {
      const read = await readTestFile(script(), 'a.calltest.json', source('a.calltest.json').readBeside);
      assert.ok('kind' in read);
      const chosen = { ...size, callsPerSecond: 5 };
      const running = runLoad([wanted('a.calltest.json')], chosen);
      await settle();
      assert.deepEqual(started, [{ test: { ...read.test, fromFile: true }, ...chosen }]);
      await end({ stats: statsWith({ outcome: 'pass', criteria: [] }) });
      await running;
      assert.deepEqual(shown.lines, ['a started', 'a| 5 placed, 4 answered, 4 active, 0 failed', 'a passed 70000']);
    });

    it('fails with the broken criterion and the steps that did not pass', async () => {
      await runLoadTo([wanted('a.calltest.json')], {
        stats: statsWith({ outcome: 'fail', reason: 'The share of passed calls is 60 %.', criteria: [] }),
      });
      assert.deepEqual(shown.ends, ['a failed 70000']);
      assert.deepEqual(
        shown.failures.get('a')?.map(({ message, at }) => [message, at?.line]),
        [
          ['The share of passed calls is 60 %.', 3],
          ["Step 2, “Accounts”: 2 calls didn't pass.", 13],
        ],
      );
    });

    it('errs if it has no result', async () => {
      await runLoadTo([wanted('a.calltest.json')], {
        status: 'failed',
        reason: "The reference call didn't pass the test.",
      });
      assert.deepEqual(shown.ends, ['a errored']);
      assert.equal(shown.failures.get('a')?.[0]?.message, "The reference call didn't pass the test.");
    });

    it('cancels its calls if the user stops it', async () => {
      const running = runLoad([wanted('a.calltest.json')]);
      await settle();
      stop.abort();
      await running;
      assert.deepEqual(shown.ends, ['a skipped']);
      assert.equal(load.status, 'aborted');
    });

    it('skips a test that is cancelled elsewhere', async () => {
      await runLoadTo([wanted('a.calltest.json')], { status: 'aborted', endedBy: 'cancel', reason: 'Cancelled.' });
      assert.deepEqual(shown.ends, ['a skipped']);
    });

    it('skips the test if the user declines', async () => {
      consent = false;
      await runLoad([wanted('a.calltest.json')]);
      assert.deepEqual([shown.ends, started], [['a skipped'], []]);
    });

    it('carries out missions, whose steps have no place in their file', async () => {
      const mission = {
        id: uuid(2),
        name: 'Balance',
        phoneNumber: 'sip:bank@127.0.0.1:5070',
        mission: 'A',
        acceptance: 'B',
      };
      texts.set('b.mission.json', JSON.stringify(mission));
      const running = runLoad([wanted('b.mission.json')]);
      await settle();
      assert.deepEqual(started, [{ mission: { ...mission, fromFile: true }, callsPerSecond: 50, ...size }]);
      await end({ stats: statsWith({ outcome: 'fail', reason: 'The share of passed calls is 60 %.', criteria: [] }) });
      await running;
      assert.deepEqual(shown.ends, ['b failed 70000']);
      assert.equal(shown.failures.get('b')?.[1]?.message, "Step 2, “Accounts”: 2 calls didn't pass.");
    });
  });
});
