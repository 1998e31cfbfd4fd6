import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { CrashNotice } from '../../../../src/editor/host/crashNotice.ts';
import type { UnderWay } from '../../../../src/editor/host/crashNotice.ts';
import type { EmbeddedState } from '../../../../src/editor/host/embeddedService.ts';
import { Emitter } from '../../../../src/editor/basics/emitter.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import { english, FakeClock, settle } from '../fakes.ts';

describe('a crash of the service', () => {
  let changed: Emitter<EmbeddedState>,
    clock: FakeClock,
    underWay: UnderWay,
    dialogs: FakeDialogs,
    ran: string[],
    notice: CrashNotice;
  const ready: EmbeddedState = { kind: 'ready', address: { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'dt_k' } };
  const crashLoop: EmbeddedState = {
    kind: 'failed',
    error: new HumanError('The service stopped unexpectedly several times within a minute.', { code: 'crash_loop' }),
  };
  const nothing: UnderWay = { mappings: [], tests: [] };
  const start = (...answers: (string | undefined)[]): void => {
    dialogs = new FakeDialogs(...answers.map((press) => ({ press })));
    notice = new CrashNotice({
      embedded: { onDidChange: changed.listen },
      underWay: () => underWay,
      dialogs,
      run: (id) => ran.push(id),
      clock,
      l10n: english,
    });
  };
  const states = async (...kinds: EmbeddedState[]): Promise<void> => {
    for (const state of kinds) changed.fire(state);
    await settle();
  };
  beforeEach(() => {
    [changed, clock, underWay, ran] = [new Emitter(), new FakeClock(), nothing, []];
  });
  afterEach(() => notice.dispose());

  it('shows one notice when the service has recovered, with the way to the log', async () => {
    start('Show Log');
    await states(ready, { kind: 'crashed' });
    assert.deepEqual(dialogs.shown, []);
    await states({ kind: 'starting' }, ready);
    assert.deepEqual(dialogs.shown, [
      'The service stopped unexpectedly. Dialtree restarted it. [Show Log] [Report Issue…]',
    ]);
    assert.deepEqual(ran, ['dialtree.service.showLog']);
  });

  it('names the runs that it cut off, as they were at that moment', async () => {
    underWay = { mappings: ['Harbour Bank'], tests: ['Balance', 'Load: Clinic'] };
    start(undefined);
    await states({ kind: 'crashed' });
    underWay = nothing;
    await states({ kind: 'starting' }, ready);
    assert.deepEqual(dialogs.shown, [
      'The service stopped unexpectedly. Dialtree restarted it. Mappings interrupted and resumed: Harbour Bank. Interrupted tests that you need to run again: Balance, Load: Clinic. [Show Log] [Report Issue…]',
    ]);
  });

  it('names a few of many runs', async () => {
    underWay = { mappings: [], tests: Array.from({ length: 12 }, (_one, index) => `T${String(index)}`) };
    start(undefined);
    await states({ kind: 'crashed' }, ready);
    assert.match(dialogs.shown[0] ?? '', /T0, T1, T2, T3, T4 and 7 more\./);
  });

  it('without recovery leads to a restart', async () => {
    underWay = { mappings: ['Harbour Bank'], tests: [] };
    start('Restart Service');
    await states(
      { kind: 'crashed' },
      { kind: 'starting' },
      {
        kind: 'failed',
        error: new HumanError("The service didn't start. The disk is full.", { code: 'start_failed' }),
      },
    );
    assert.deepEqual(dialogs.shown, [
      "The service didn't start. The disk is full. Mappings interrupted until the service runs again: Harbour Bank. [Restart Service] [Show Log]",
    ]);
    assert.deepEqual(ran, ['dialtree.service.restart']);
  });

  it('in a series reports the first and the last, and nothing between', async () => {
    start(undefined, undefined, undefined);
    await states({ kind: 'crashed' }, ready);
    clock.advance(10_000);
    await states({ kind: 'crashed' }, ready, { kind: 'crashed' }, ready, crashLoop);
    assert.equal(dialogs.shown.length, 2);
    assert.match(dialogs.shown[1] ?? '', /several times within a minute\. \[Restart Service\] \[Show Log\]/);
    clock.advance(60_000);
    await states({ kind: 'stopped' }, { kind: 'starting' }, ready, { kind: 'crashed' }, ready);
    assert.equal(dialogs.shown.length, 3);
  });

  it('shows no notice of a failed start, which its requester sees, nor of a requested end', async () => {
    start();
    await states({ kind: 'starting' }, { kind: 'failed', error: new HumanError('No.', { code: 'start_failed' }) });
    await states({ kind: 'crashed' }, { kind: 'stopped' }, { kind: 'starting' }, ready);
    assert.deepEqual(dialogs.shown, []);
  });
});
