import { linesSchema } from '../../src/contract/lines.ts';
import { defaultCaller } from '../../src/contract/profiles.ts';
import type { ActiveCall, ActiveCallEvent, Dialer, DialOptions } from '../../src/engine/call/activeCall.ts';
import { silentLog } from '../../src/service/basics/log.ts';
import { LineBook } from '../../src/service/lines/lineBook.ts';
import type { DialerParts } from '../../src/service/runs/dialerFor.ts';
import type { Permit } from '../../src/service/runs/permission.ts';
import type { Store } from '../../src/service/store/store.ts';
import { ManualClock } from './manualClock.ts';
import { practiceAt } from './practicePlaces.ts';

/** A call that ends when `end` is called. */
function fakeCall(): { readonly call: ActiveCall; end(): void } {
  const listeners: ((event: ActiveCallEvent) => void)[] = [];
  const call = {
    ended: undefined as ActiveCall['ended'],
    durationSeconds: 7,
    listen(listener: (event: ActiveCallEvent) => void) {
      listeners.push(listener);
      return () => undefined;
    },
  };
  return {
    call: call as unknown as ActiveCall,
    end() {
      const end = (call.ended = { by: 'local', kind: 'hangup', reason: 'hung up' });
      for (const listener of listeners) listener({ type: 'ended', atMs: 7000, end });
    },
  };
}

/** Implements the ports of `dialerFor`, over a line that carries one call, and notes what passes them in `passed`. */
export function fakeDoors() {
  const passed: string[] = [];
  const options: (DialOptions | undefined)[] = [];
  const calls: ReturnType<typeof fakeCall>[] = [];
  const clock = new ManualClock();
  const active: DialerParts['active'] = new Set();
  const lines = new LineBook({
    routes: {},
    lines: linesSchema.parse({
      main: { kind: 'pbx', host: 'pbx.example.com', callerId: '600', user: 'acme', concurrentCalls: 1 },
    }),
    passwords: { main: 'pw' },
    practices: practiceAt(),
    clock,
  });
  const note = (door: string): void => {
    passed.push(`${door}, ${String(lines.states()[0]?.callsNow)} on the line, ${String(active.size)} active`);
  };
  const dialer = (name: string): Dialer => ({
    dial: (target, _signal, as) => {
      note(`${name} ${target}`);
      options.push(as);
      const made = fakeCall();
      calls.push(made);
      return Promise.resolve(made.call);
    },
  });
  const store = {
    write: () => {
      note('record');
      return Promise.resolve();
    },
    writeUnguarded: () => {
      note('end');
      return Promise.resolve();
    },
    sync: () => Promise.resolve(),
  } as unknown as Store;
  const parts: DialerParts = {
    store,
    lines,
    active,
    clock,
    now: () => new Date(0),
    log: silentLog,
    dialer: {
      use: (work) =>
        work({
          dialer: dialer('dial'),
          receive: () =>
            Promise.resolve({
              address: 'sip:probe@127.0.0.1:5060',
              dialer: dialer('answer'),
              close: () => {
                passed.push('close');
                return Promise.resolve();
              },
            }),
        }),
    },
  };
  const permit = {
    uri: 'sip:1@pbx.example.com',
    lab: false,
    line: 'main',
    forbiddenKeys: '9*',
    caller: { ...defaultCaller, voice: 'slt', patienceSeconds: 4 },
  } as unknown as Permit;
  return { parts, permit, passed, options, calls, active, clock };
}
