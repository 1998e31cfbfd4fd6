import assert from 'node:assert/strict';
import { lineSchema } from '../../../../src/contract/lines.ts';
import { LineRegistrations } from '../../../../src/service/lines/lineRegistrations.ts';
import type { RegisterOptions, RegistrationState, SipAgent } from '../../../../src/telephony/call.ts';
import { ManualClock, settle } from '../../../support/manualClock.ts';

const line = lineSchema.parse({ kind: 'pbx', host: 'pbx.example.com', transport: 'tcp', user: '600', register: true });
const account = { line: 'desk', from: 'sip:600@pbx.example.com', credentials: { user: '600', password: 'secret' } };

describe('the registrations of lines', () => {
  let clock: ManualClock, registrations: LineRegistrations;
  let opened: RegisterOptions[];
  let become: (state: RegistrationState) => void;
  const { signal } = new AbortController();
  const ready = (): Promise<void> => registrations.ready('desk', line, account, signal);

  beforeEach(() => {
    clock = new ManualClock();
    opened = [];
    const register: SipAgent['register'] = (_name, options, onChange) => {
      opened.push(options);
      let state: RegistrationState = { state: 'registering' };
      become = (next) => {
        state = next;
        onChange?.(next);
      };
      return {
        get state() {
          return state;
        },
        close: () => assert.fail('closed by its agent'),
      };
    };
    registrations = new LineRegistrations(() => Promise.resolve({ register }), clock);
  });
  const registered = (): RegistrationState => ({
    state: 'registered',
    since: clock.now(),
    until: clock.now() + 60_000,
  });

  it('begin with the first call, which waits, and serve all calls', async () => {
    assert.equal(registrations.stateOf('desk'), undefined);
    let calls = 0;
    const both = [ready().then(() => calls++), ready().then(() => calls++)];
    await settle();
    assert.deepEqual([calls, opened.length], [0, 1]);
    const { line: _line, ...rest } = account;
    assert.deepEqual(opened[0], { ...rest, registrar: 'sip:pbx.example.com;transport=tcp', user: '600' });
    become(registered());
    await Promise.all(both);
    await ready();
    assert.deepEqual([opened.length, registrations.stateOf('desk')?.state], [1, 'registered']);
  });

  it('say what to do if the registrar refuses, and ask it again only after a while', async () => {
    const refused = {
      code: 'line_unregistered',
      message: /^The line desk isn't registered\. The called side rejects the user or password\. Check the user/,
    };
    const first = assert.rejects(ready(), refused);
    await settle();
    become({ state: 'failed', failure: 'wrongLogin', status: 401 });
    await first;
    await assert.rejects(ready(), refused);
    assert.equal(opened.length, 1, 'a registrar blocks who tries too often');
    clock.advance(60_000);
    const again = ready();
    await settle();
    assert.equal(opened.length, 2);
    become(registered());
    await again;
  });

  it('continue to carry calls while the last binding holds', async () => {
    const first = ready();
    await settle();
    become(registered());
    await first;
    become({ ...registered(), state: 'failed', failure: 'timeout', retryAt: clock.now() + 90_000 });
    await ready();
    clock.advance(60_000);
    await assert.rejects(ready(), { message: /isn't registered\. No answer from pbx\.example\.com/ });
    assert.equal(opened.length, 1, 'the registration itself tries again');
  });

  it('keep no call waiting for a silent registrar, or after it was cancelled', async () => {
    const cancelled = new AbortController();
    const given = assert.rejects(registrations.ready('desk', line, account, cancelled.signal), { message: 'enough' });
    const silent = assert.rejects(ready(), { message: /No answer from pbx\.example\.com/ });
    cancelled.abort(new Error('enough'));
    await given;
    await clock.finish(silent, 5100);
  });
});
