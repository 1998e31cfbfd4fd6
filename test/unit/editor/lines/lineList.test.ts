import assert from 'node:assert/strict';
import { linesSchema } from '../../../../src/contract/lines.ts';
import type { LineState, Lines } from '../../../../src/contract/lines.ts';
import { Emitter } from '../../../../src/editor/basics/emitter.ts';
import type { ServiceState } from '../../../../src/editor/host/connection.ts';
import { LineList } from '../../../../src/editor/lines/lineList.ts';
import { LineBook } from '../../../../src/service/lines/lineBook.ts';
import { practiceAt } from '../../../support/practicePlaces.ts';
import { FakeClient, FakeClock, recordingLogger, settle } from '../fakes.ts';

const told = (values: Partial<LineState> = {}): LineState => ({
  name: 'lab',
  kind: 'pbx',
  address: '10.0.0.5',
  numbers: [],
  login: 'set',
  callsNow: 0,
  ...values,
});

describe('the list of lines', () => {
  let client: FakeClient,
    clock: FakeClock,
    list: LineList,
    lines: Lines,
    passwords: Map<string, string>,
    items: LineState[];
  let mode: 'embedded' | 'remote', state: ServiceState;
  let stateChanged: Emitter<ServiceState>, replaced: Emitter<undefined>, somethingChanged: Emitter<undefined>;

  beforeEach(() => {
    items = [];
    client = new FakeClient({ listLines: () => ({ items }) });
    clock = new FakeClock();
    lines = linesSchema.parse({
      lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann' },
      desk: { kind: 'pbx', host: '10.0.0.6' },
    });
    passwords = new Map();
    [mode, state] = ['embedded', { kind: 'idle' }];
    [stateChanged, replaced, somethingChanged] = [new Emitter(), new Emitter(), new Emitter()];
    list = new LineList({
      connection: {
        call: (name, input) => client.call(name, input),
        get state() {
          return state;
        },
        get mode() {
          return mode;
        },
        onDidChangeState: stateChanged.listen,
        onDidReplace: replaced.listen,
      },
      lines: () => lines,
      wrongLines: () => [{ name: 'x', problem: 'y' }],
      practice: { onLine: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
      passwords: { read: (name) => Promise.resolve(passwords.get(name)) },
      onDidChange: somethingChanged.listen,
      clock,
      log: recordingLogger(),
    });
  });
  afterEach(() => list.dispose());

  it('shows the lines of the settings without starting the service', async () => {
    list.follow(true);
    await settle();
    assert.equal(client.calls.length, 0);
    assert.deepEqual(
      list.lines.map(({ name, state: shown, isOwn }) => [name, shown.address, shown.login, isOwn]),
      [
        ['lab', '10.0.0.5', 'missing', true],
        ['desk', '10.0.0.6', 'none', true],
      ],
    );
    assert.deepEqual(list.wrongLines, [{ name: 'x', problem: 'y' }]);
    passwords.set('lab', 'pw');
    await list.refresh();
    assert.equal(list.lines[0]?.state.login, 'set');
  });

  it("adds the running service's information on unchanged lines", async () => {
    items = [
      told({ callsNow: 2, lastCheck: { at: '2026-03-01T12:00:00.000Z', state: 'ok', message: 'There.' } }),
      told({ name: 'gone' }),
    ];
    list.follow(true);
    state = { kind: 'ready' };
    stateChanged.fire(state);
    await settle();
    assert.deepEqual(
      list.lines.map(({ name, state: shown }) => [name, shown.callsNow, shown.lastCheck?.state]),
      [
        ['lab', 2, 'ok'],
        ['desk', 0, undefined],
      ],
    );
    lines = linesSchema.parse({ lab: { kind: 'pbx', host: '10.0.0.7' } });
    assert.deepEqual(
      list.lines.map(({ state: shown }) => [shown.callsNow, shown.lastCheck]),
      [[0, undefined]],
    );
  });

  it('marks lines that the running service does not use yet, and only these', async () => {
    const waiting = (): string[] => list.lines.flatMap(({ name, waits }) => (waits ? [name] : []));
    passwords.set('lab', 'pw');
    items = [told({ callsNow: 1 })];
    list.follow(true);
    await settle();
    assert.deepEqual(waiting(), [], 'no service runs');
    state = { kind: 'ready' };
    assert.deepEqual(waiting(), [], 'before the service has answered');
    stateChanged.fire(state);
    await settle();
    assert.deepEqual(waiting(), ['desk'], 'an added line');
    for (const change of [{ host: '10.0.0.9' }, { numbers: ['+1*'] }, { callerId: '600' }, { transport: 'tcp' }]) {
      lines = linesSchema.parse({ lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann', ...change } });
      assert.deepEqual(waiting(), ['lab'], JSON.stringify(change));
    }
    replaced.fire(undefined);
    assert.deepEqual(waiting(), [], 'of a service that was replaced');
    lines = linesSchema.parse({ lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann' } });
    await list.refresh();
    assert.deepEqual(waiting(), []);
    passwords.delete('lab');
    await list.refresh();
    assert.deepEqual(waiting(), ['lab'], 'another password');
    mode = 'remote';
    assert.deepEqual(waiting(), []);
  });

  it('marks no line that the service was started with, whatever its settings', async () => {
    lines = linesSchema.parse({
      main: {
        kind: 'trunk',
        host: 'trunk.example.com:5061',
        transport: 'tls',
        user: 'acme',
        numbers: ['+1*', '+49*'],
        callerId: '+12025550100',
        callerIds: ['+12025550102'],
        callsPerSecond: 2,
        concurrentCalls: 10,
        costPerMinute: 0.02,
      },
      lab: { kind: 'pbx', host: '10.0.0.5:5080', user: 'dialtree' },
      desk: { kind: 'pbx', host: '127.0.0.1:5099', transport: 'udp', costPerMinute: 0 },
      support: { kind: 'uri', uri: 'sip:support@ivr.example.com' },
    });
    passwords.set('main', 'pw');
    items = new LineBook({ lines, passwords: { main: 'pw' }, routes: {}, practices: practiceAt(), clock }).states();
    state = { kind: 'ready' };
    await list.refresh();
    assert.deepEqual(
      list.lines.map(({ name, waits }) => [name, waits]),
      Object.keys(lines).map((name) => [name, false]),
    );
  });

  it('shows the lines of a remote service, read-only', async () => {
    mode = 'remote';
    items = [told({ name: 'theirs' })];
    list.follow(true);
    await settle();
    assert.deepEqual(
      list.lines.map(({ name, isOwn }) => [name, isOwn]),
      [['theirs', false]],
    );
    assert.deepEqual([list.wrongLines, list.isForeign], [[], true]);
    mode = 'embedded';
    items = [];
    replaced.fire(undefined);
    await settle();
    assert.deepEqual(
      list.lines.map(({ name }) => name),
      ['lab', 'desk'],
    );
  });

  it('refreshes only during calls and while visible', async () => {
    state = { kind: 'ready' };
    items = [told({ callsNow: 1 })];
    list.follow(true);
    await settle();
    await clock.pass(2000);
    assert.equal(client.count('listLines'), 2);
    items = [told()];
    somethingChanged.fire(undefined);
    await settle();
    assert.deepEqual([client.count('listLines'), clock.pending], [3, 0]);
    list.follow(false);
    somethingChanged.fire(undefined);
    await settle();
    assert.equal(client.count('listLines'), 3);
  });

  it("shows that a line is being checked, even if that fails, and keeps its state if the service doesn't answer", async () => {
    state = { kind: 'ready' };
    items = [told({ callsNow: 0, lastCheck: { at: '2026-03-01T12:00:00.000Z', state: 'ok', message: 'There.' } })];
    await list.refresh();
    client.answers = {};
    const busy: boolean[] = [];
    const listening = list.onDidChange(() => busy.push(list.lines[0]?.isBusy === true));
    await assert.rejects(list.whileBusy('lab', () => Promise.reject(new Error('no'))));
    listening.dispose();
    assert.deepEqual(busy, [true, false]);
    assert.equal(list.lines[0]?.state.lastCheck?.state, 'ok');
  });
});
