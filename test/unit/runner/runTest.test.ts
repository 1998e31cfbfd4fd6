import assert from 'node:assert/strict';
import { sleep } from '../../../src/base/clock.ts';
import { ConnectionError, errorOf, TimeoutError } from '../../../src/client/errors.ts';
import { follow, type OperationCaller } from '../../../src/client/follow.ts';
import type { RunResults } from '../../../src/contract/testRuns.ts';
import type { TestFile } from '../../../src/model/tests/testFile.ts';
import { launchOf, runTest, subjectOf, type RunnerParts, type TestToRun } from '../../../src/runner/runTest.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';

type Options = Parameters<typeof runTest>[2];

const phoneNumber = '+12025550101';
const id = '00000000-0000-4000-8000-000000000000';
const script: TestToRun = {
  id,
  phoneNumber,
  file: {
    kind: 'calltest',
    test: { name: 'Hours', ivr: 'x.ivr.json', steps: [{ name: 'dial', action: { type: 'dial' } }] },
  } as unknown as TestFile,
};
const mission: TestToRun = {
  id,
  phoneNumber,
  file: {
    kind: 'mission',
    test: { name: 'Ask', ivr: 'x.ivr.json', mission: 'Ask.', acceptance: 'Answered.' },
  } as unknown as TestFile,
};
const away = new ConnectionError('away', { preFlight: true });
const gone = errorOf(404, { message: 'gone' }, undefined);

/** A service whose runs end when the test says so, and a runner of its tests. */
class Rig {
  readonly clock = new ManualClock();
  readonly stop = new AbortController();
  /** What the service was asked, and what the listener was called with, in order. */
  readonly said: string[] = [];
  readonly warnings: string[] = [];
  readonly requests: { readonly name: string; readonly input: object }[] = [];
  runIds: readonly string[] = ['a', 'b'];
  /** How runs stand. Those that aren't listed are running. */
  readonly runs = new Map<string, 'running' | 'completed' | Error>();
  onLaunch: () => void = () => undefined;
  onRead: (runId: string) => void = () => undefined;
  onCancel: (runId: string) => void = () => undefined;

  resultsOf(runId: string): RunResults {
    const status = this.runs.get(runId) ?? 'running';
    if (status instanceof Error) throw status;
    return { id: runId, runType: runId === 'm' ? 'mission' : 'standard', status } as unknown as RunResults;
  }

  readonly call = async (name: string, input: object): Promise<unknown> => {
    this.requests.push({ name, input });
    await settle();
    const runId = 'runId' in input ? String(input.runId) : '';
    switch (name) {
      case 'runTest':
        this.onLaunch();
        return { items: this.runIds.map((one) => ({ id: one })) };
      case 'runMissionTest':
        this.onLaunch();
        return { id: 'm' };
      case 'getRunResults':
        this.onRead(runId);
        return this.resultsOf(runId);
      case 'getMissionTestRun':
        return { id: runId, verdict: 'pass' };
      default:
        this.said.push(`cancel ${runId}${'wholeLaunch' in input && input.wholeLaunch === true ? ' and others' : ''}`);
        this.onCancel(runId);
        return {};
    }
  };

  readonly parts: RunnerParts = {
    client: { call: this.call as unknown as OperationCaller['call'] },
    clock: this.clock,
    warn: (text) => this.warnings.push(text),
    follow: (followed, onRead, signal) =>
      follow(
        {
          listen: undefined,
          random: () => 0,
          wait: (milliseconds, during) => sleep(this.clock, milliseconds, during),
        },
        {
          ...followed,
          read: async (during) => {
            during.throwIfAborted();
            const resource = await followed.read(during);
            during.throwIfAborted();
            return resource;
          },
        },
        onRead,
        signal,
      ),
  };

  run(test: TestToRun = script, more: Partial<Options> = {}): Promise<void> {
    const place = (call: { readonly runId: string; readonly place: number; readonly repetition: number }) =>
      `${call.runId}/${String(call.place)}/${String(call.repetition)}`;
    return runTest(this.parts, test, {
      repeat: 1,
      signal: this.stop.signal,
      on: {
        launched: (runIds, repetition) => this.said.push(`launched ${runIds.join()} ${String(repetition)}`),
        began: (call) => this.said.push(`began ${place(call)}`),
        read: (call, { status }) => this.said.push(`read ${place(call)} ${status}`),
        ended: (call, { mission: judged }) =>
          this.said.push(`ended ${place(call)}${judged ? ` ${String(judged.verdict)}` : ''}`),
        lost: (call, error) => this.said.push(`lost ${place(call)} ${(error as Error).message}`),
      },
      ...more,
    });
  }

  /** Runs to the end within this time of the clock. */
  async finish(limitMs: number, ...args: Parameters<Rig['run']>): Promise<void> {
    const work = this.run(...args);
    await this.clock.finish(work, limitMs);
    await work;
    for (let turns = 0; turns < 3; turns += 1) await settle();
  }

  count(name: string): number {
    return this.requests.filter((request) => request.name === name).length;
  }
}

describe('what a launch brings', () => {
  it('has the content of the file, with its id and number, and without its practice IVR', () => {
    assert.deepEqual(launchOf(script), {
      test: {
        name: 'Hours',
        steps: [{ name: 'dial', action: { type: 'dial' } }],
        id,
        phoneNumber,
        fromFile: true,
      },
    });
    assert.deepEqual(launchOf(mission), {
      mission: { name: 'Ask', mission: 'Ask.', acceptance: 'Answered.', id, phoneNumber, fromFile: true },
    });
  });

  it('plans the rows that run', () => {
    assert.deepEqual(subjectOf(script), launchOf(script));
    assert.deepEqual(subjectOf(mission), launchOf(mission));
    const rows = [{ name: 'Ann' }];
    assert.deepEqual(subjectOf({ ...script, rows }), { test: { ...launchOf(script).test, rows } });
  });
});

describe('running a test', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = new Rig();
  });

  it('launches it, and follows its runs one after the other', async () => {
    rig.onRead = (runId) => {
      if (rig.count('getRunResults') % 2 === 0) rig.runs.set(runId, 'completed');
    };
    const rows = [{ name: 'Ann' }, { name: 'Bob' }];
    await rig.finish(60_000, { ...script, rows }, { repeat: 2 });
    const once = (repetition: number, reads: readonly string[]): string[] => [
      `launched a,b ${String(repetition)}`,
      ...['a', 'b'].flatMap((runId, place) => [
        `began ${runId}/${String(place)}/${String(repetition)}`,
        ...reads.map((status) => `read ${runId}/${String(place)}/${String(repetition)} ${status}`),
        `ended ${runId}/${String(place)}/${String(repetition)}`,
      ]),
    ];
    assert.deepEqual(rig.said, [...once(1, ['running', 'completed']), ...once(2, ['completed'])]);
    assert.deepEqual(rig.requests[0], { name: 'runTest', input: { configId: id, test: launchOf(script).test, rows } });
    assert.equal(rig.clock.pending, 0);
  });

  it('launches a mission, and reads its verdict', async () => {
    rig.runs.set('m', 'completed');
    await rig.finish(1000, mission);
    assert.deepEqual(rig.said, ['launched m 1', 'began m/0/1', 'read m/0/1 completed', 'ended m/0/1 pass']);
    assert.deepEqual(rig.requests[0], {
      name: 'runMissionTest',
      input: { configId: id, test: launchOf(mission).mission },
    });
  });

  it('launches nothing if it is aborted before, or while the user is asked', async () => {
    const launching: Options['launching'] = (launch) => {
      rig.stop.abort();
      return launch();
    };
    await rig.finish(1000, script, { launching });
    await rig.finish(1000);
    assert.deepEqual(rig.requests, []);
  });

  it('launches nothing if the user declines, and no more if that was enough', async () => {
    await rig.finish(1000, script, { launching: () => Promise.resolve(undefined) });
    assert.deepEqual(rig.said, []);
    rig.runs.set('a', 'completed').set('b', 'completed');
    await rig.finish(1000, script, { repeat: 3, goesOn: () => false });
    assert.equal(rig.count('runTest'), 1);
  });

  it('rejects if the launch is refused', async () => {
    rig.onLaunch = () => {
      throw gone;
    };
    await assert.rejects(rig.run(), gone);
  });

  it('ends at once if the launch returns no runs, and follows as many as it returns', async () => {
    rig.runIds = [];
    await rig.finish(1000);
    assert.deepEqual(rig.said, ['launched  1']);
    rig.runIds = ['a', 'b', 'c'];
    for (const runId of rig.runIds) rig.runs.set(runId, 'completed');
    await rig.finish(1000, { ...script, rows: [{ name: 'Ann' }] });
    assert.equal(rig.said.filter((line) => line.startsWith('ended')).length, 3);
  });

  it('cancels the whole launch if it is aborted meanwhile, and reports what its runs became', async () => {
    rig.onCancel = () => rig.runs.set('a', 'completed').set('b', 'completed');
    rig.onRead = (runId) => {
      if (runId === 'a') rig.stop.abort();
    };
    await rig.finish(1000, script, { repeat: 2 });
    assert.deepEqual(
      rig.said.filter((line) => !line.startsWith('read')),
      ['launched a,b 1', 'began a/0/1', 'cancel a and others', 'ended a/0/1', 'began b/1/1', 'ended b/1/1'],
    );
    assert.equal(rig.clock.pending, 0);
  });

  it('cancels what it has just launched if it is aborted during the launch', async () => {
    rig.runIds = ['a'];
    rig.onLaunch = () => rig.stop.abort();
    rig.onCancel = (runId) => rig.runs.set(runId, 'completed');
    await rig.finish(1000);
    assert.deepEqual(
      rig.said.filter((line) => !line.startsWith('read')),
      ['launched a 1', 'began a/0/1', 'cancel a and others', 'ended a/0/1'],
    );
  });

  it('cancels the rest if it is aborted between two runs', async () => {
    rig.runs.set('a', 'completed');
    rig.onCancel = () => rig.runs.set('b', 'completed');
    await rig.finish(1000, script, {
      on: {
        ended: ({ runId }) => {
          rig.said.push(`ended ${runId}`);
          if (runId === 'a') rig.stop.abort();
        },
        lost: ({ runId }) => rig.said.push(`lost ${runId}`),
      },
    });
    assert.deepEqual(rig.said, ['ended a', 'cancel b and others', 'ended b']);
  });

  it('gives up ten seconds after it hung up, if no results come', async () => {
    rig.onRead = () => rig.stop.abort();
    await rig.finish(10_100);
    assert.deepEqual(
      rig.said.filter((line) => line.startsWith('lost')),
      ['lost a/0/1 This operation was aborted', 'lost b/1/1 This operation was aborted'],
    );
    assert.ok(rig.clock.now() >= 10_000);
    assert.equal(rig.count('cancelTestRun'), 1);
  });

  it('cancels again for two minutes while that is refused for now, and warns then', async () => {
    for (const refusal of [
      away,
      new TimeoutError('late'),
      errorOf(429, {}, undefined, true),
      errorOf(503, {}, undefined),
    ]) {
      rig = new Rig();
      rig.runIds = ['a'];
      rig.onRead = () => rig.stop.abort();
      rig.onCancel = () => {
        throw refusal;
      };
      // The command waits ten seconds for results, and ten more for the answer to its cancelling.
      await rig.finish(20_100);
      assert.equal(rig.warnings.length, 0);
      await rig.clock.run(() => rig.warnings.length > 0, 130_000, 100);
      assert.equal(rig.count('cancelTestRun'), 26);
      assert.ok(rig.clock.now() >= 125_000 && rig.clock.now() < 130_000);
      assert.deepEqual(rig.warnings, [`A run was not cancelled: ${refusal.message}`]);
      assert.equal(rig.clock.pending, 0);
    }
  });

  it('warns at once if cancelling is refused for good, and not if the run is gone', async () => {
    for (const [refusal, warnings] of [
      [errorOf(403, { message: 'no' }, undefined), ['A run was not cancelled: no']],
      [errorOf(500, { message: 'broken' }, undefined), ['A run was not cancelled: broken']],
      [gone, []],
    ] as const) {
      rig = new Rig();
      rig.runIds = ['a'];
      rig.onRead = () => rig.stop.abort();
      rig.onCancel = () => {
        rig.runs.set('a', 'completed');
        throw refusal;
      };
      await rig.finish(10_100);
      assert.deepEqual([rig.count('cancelTestRun'), rig.warnings], [1, warnings]);
    }
  });

  it('cancels a run that it cannot read, such as one that was deleted, and continues with the others', async () => {
    rig.runs.set('a', gone).set('b', 'completed');
    await rig.finish(1000);
    assert.deepEqual(
      rig.said.filter((line) => !line.startsWith('read')),
      ['launched a,b 1', 'began a/0/1', 'cancel a', 'lost a/0/1 gone', 'began b/1/1', 'ended b/1/1'].toSorted(
        (one, other) => rig.said.indexOf(one) - rig.said.indexOf(other),
      ),
    );
  });

  it('cancels the rest if the service is away for long', async () => {
    for (const error of [away, new TimeoutError('late'), errorOf(503, { message: 'stopping' }, undefined)]) {
      rig = new Rig();
      rig.runIds = ['a', 'b', 'c'];
      rig.runs.set('a', 'completed').set('b', error);
      await rig.finish(40_000);
      assert.deepEqual(
        rig.said.filter((line) => line.startsWith('lost')),
        [`lost b/1/1 ${error.message}`, `lost c/2/1 ${error.message}`],
      );
      assert.ok(rig.said.includes('cancel b and others'));
      assert.ok(!rig.said.includes('began c/2/1'));
    }
  });

  it('reports a run as lost once if the listener throws', async () => {
    rig.runIds = ['a'];
    await rig.finish(1000, script, {
      on: {
        began: () => {
          throw new Error('broken');
        },
        ended: () => rig.said.push('ended'),
        lost: ({ runId }, error) => rig.said.push(`lost ${runId} ${(error as Error).message}`),
      },
    });
    assert.deepEqual(rig.said.toSorted(), ['cancel a', 'lost a broken']);
  });
});
