import assert from 'node:assert/strict';
import { ServiceRestart, type ServiceRestartParts, StartSettings } from '../../../../src/editor/host/serviceRestart.ts';
import { english, FakeClient, FakeClock } from '../fakes.ts';

describe("the service's restart after a change of settings", () => {
  let clock: FakeClock,
    client: FakeClient,
    restarts: number,
    asked: string[],
    answers: (() => unknown)[],
    isFocused: boolean,
    agrees: boolean,
    calling: number,
    state: 'ready' | 'stopped',
    mode: 'embedded' | 'remote',
    current: StartSettings,
    settings: string,
    restart: ServiceRestart;

  beforeEach(() => {
    [restarts, asked, isFocused, agrees, calling, state, mode] = [0, [], true, false, 0, 'ready', 'embedded'];
    answers = [];
    clock = new FakeClock();
    settings = 'before';
    current = new StartSettings(() => Promise.resolve(settings));
    client = new FakeClient({
      getWorkspaceUsage: () => ({ runsInFlight: calling }) as never,
      listLoadTests: () => ({ items: [] }),
    });
    const connection: ServiceRestartParts['connection'] = {
      get mode() {
        return mode;
      },
      call: (name, input) => client.call(name, input),
      restart: () => {
        restarts += 1;
        return Promise.resolve();
      },
    };
    restart = new ServiceRestart({
      connection,
      clock,
      l10n: english,
      isFocused: () => isFocused,
      isCurrent: () => current.isCurrent(),
      report: (error) => {
        throw error;
      },
      embedded: {
        get state() {
          return state === 'ready'
            ? ({ kind: 'ready', address: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: '' } } as const)
            : ({ kind: 'stopped' } as const);
        },
        start: () => Promise.reject(new Error('not to be started')),
      },
      dialogs: {
        tell: async (message, ...actions) => {
          asked.push(message);
          answers.push(() => actions[0]?.run());
          if (agrees) await actions[0]?.run();
        },
        confirm: (message) => {
          asked.push(message);
          return Promise.resolve(agrees);
        },
      },
    });
  });
  afterEach(() => restart.dispose());

  const change = async (): Promise<void> => {
    restart.soon();
    restart.soon();
    await clock.pass(200);
  };

  it('happens at once when the user requests it, but asks first if runs are in progress', async () => {
    await restart.onRequest();
    assert.deepEqual([restarts, asked], [1, []]);
    calling = 1;
    await restart.onRequest();
    assert.deepEqual([restarts, asked], [1, ['Restart the service?']]);
    agrees = true;
    await restart.onRequest();
    assert.equal(restarts, 2);
    [calling, mode] = [2, 'remote'];
    await restart.onRequest();
    assert.deepEqual([restarts, asked.length], [3, 2], 'the runs of a remote service continue');
  });

  it('happens once for settings that change together, and only from the window in which they change', async () => {
    await change();
    assert.equal(restarts, 1);
    isFocused = false;
    await change();
    assert.equal(restarts, 1);
  });

  it("doesn't happen if no service of this installation runs", async () => {
    state = 'stopped';
    await change();
    mode = 'remote';
    state = 'ready';
    await change();
    assert.equal(restarts, 0);
  });

  it('asks before it ends running work', async () => {
    calling = 2;
    await change();
    assert.deepEqual([restarts, asked.length], [0, 1]);
    agrees = true;
    await change();
    assert.equal(restarts, 1);
  });

  it('waits for the end of the runs in progress, and asks once per change', async () => {
    calling = 1;
    assert.equal(await restart.now(), false);
    isFocused = false;
    await clock.pass(60_000);
    assert.deepEqual([restarts, asked.length], [0, 1]);
    isFocused = true;
    await change();
    assert.equal(asked.length, 2, 'another change');
    calling = 0;
    await clock.pass(3_000);
    assert.equal(restarts, 1);
    await clock.pass(60_000);
    assert.equal(restarts, 1);
  });

  it('waits no longer after a restart by hand or the end of the service', async () => {
    calling = 1;
    await change();
    await current.note();
    calling = 0;
    await clock.pass(60_000);
    assert.equal(restarts, 0);
    settings = 'after';
    calling = 1;
    await change();
    state = 'stopped';
    await clock.pass(60_000);
    [state, calling] = ['ready', 0];
    await clock.pass(60_000);
    assert.equal(restarts, 0);
  });

  it("doesn't end later runs if the user agrees when the change has long been applied", async () => {
    calling = 1;
    await change();
    calling = 0;
    await clock.pass(3_000);
    assert.equal(restarts, 1);
    await answers[0]?.();
    assert.equal(restarts, 1);
  });

  it("doesn't happen if a start in between has applied the change", async () => {
    await current.note();
    await change();
    assert.equal(restarts, 0);
    assert.equal(await restart.now(), true);
    settings = 'after';
    await change();
    assert.equal(restarts, 1);
  });

  it('reports to callers that wait for it whether the change is applied', async () => {
    isFocused = false;
    assert.equal(await restart.now(), true);
    calling = 1;
    assert.equal(await restart.now(), false);
    assert.equal(restarts, 1);
  });
});
