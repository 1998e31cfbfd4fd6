import assert from 'node:assert/strict';
import { LineBook } from '../../../../src/service/lines/lineBook.ts';
import { dialerFor } from '../../../../src/service/runs/dialerFor.ts';
import { permitInbound } from '../../../../src/service/runs/permission.ts';
import { practiceEnded } from '../../../../src/service/runs/stopReason.ts';
import { fakeDoors } from '../../../support/doors.ts';
import { settle } from '../../../support/manualClock.ts';
import { practiceAt } from '../../../support/practicePlaces.ts';

const run = { runId: 'run', slotOf: 'launch', attempt: 1 };
const { signal } = new AbortController();

describe('dialerFor', () => {
  it('leads each call through the permission, its line, its record and the count, in this order', async () => {
    const { parts, permit, passed, options, calls, active } = fakeDoors();
    await dialerFor(parts, run, permit, async ({ dialer, target }) => {
      await assert.rejects(dialer.dial('sip:2@pbx.example.com', signal), /without a permit/);
      assert.equal(passed.length, 0);
      await dialer.dial(target, signal, { ringSeconds: 9 });
      const second = dialer.dial(target, signal);
      await settle();
      assert.deepEqual(passed, [
        'record, 1 on the line, 0 active',
        'dial sip:1@pbx.example.com, 1 on the line, 0 active',
      ]);
      assert.equal(active.size, 1);
      calls[0]?.end();
      await second;
      assert.deepEqual(
        passed.slice(2).filter((door) => !door.startsWith('end')),
        ['record, 1 on the line, 0 active', 'dial sip:1@pbx.example.com, 1 on the line, 0 active'],
        'the second call waits for the line before it is recorded',
      );
      calls[1]?.end();
    });
    assert.equal(passed.at(-1), 'end, 0 on the line, 0 active', 'the last end is stored before the run continues');
    assert.deepEqual(options[0], {
      ringSeconds: 9,
      voice: 'slt',
      keys: { toneMs: 100, gapMs: 100 },
      from: 'sip:600@pbx.example.com',
      preferredIdentity: 'sip:600@pbx.example.com',
      credentials: { user: 'acme', password: 'pw' },
    });
  });

  it('sets the guard, the forbidden keys and the patience by the permit', async () => {
    const { parts, permit } = fakeDoors();
    const rulesOf = (given: typeof permit) =>
      dialerFor(parts, run, given, ({ dialer: _dialer, clock: _clock, ...rules }) => Promise.resolve(rules));
    const target = 'sip:1@pbx.example.com';
    assert.deepEqual(await rulesOf(permit), { target, guarded: true, forbiddenKeys: '9*', patienceMs: 4000 });
    const { patienceSeconds: _patience, ...caller } = permit.caller;
    assert.deepEqual(await rulesOf({ ...permit, lab: true, forbiddenKeys: '', caller }), {
      target,
      guarded: false,
      forbiddenKeys: '',
    });
  });

  it('records an inbound call when it is answered, and closes its address', async () => {
    const { parts, permit, passed, calls } = fakeDoors();
    await dialerFor(parts, run, permitInbound(permit.caller), async ({ dialer, target }, address) => {
      assert.equal(address, 'sip:probe@127.0.0.1:5060');
      await dialer.dial(target, signal);
      calls[0]?.end();
    });
    assert.deepEqual(passed, [
      'answer , 0 on the line, 0 active',
      'record, 0 on the line, 0 active',
      'end, 0 on the line, 0 active',
      'close',
    ]);
  });

  it("doesn't take the line again for a run that took it before", async () => {
    const { parts, permit, options, passed } = fakeDoors();
    const release = await parts.lines.take('main', signal);
    await dialerFor(parts, { ...run, hasLine: true }, permit, ({ dialer, target }) => dialer.dial(target, signal));
    assert.equal(passed.at(-1), 'dial sip:1@pbx.example.com, 1 on the line, 0 active');
    assert.equal(options[0]?.credentials?.user, 'acme');
    release();
  });

  it('stores what was dialled if the work fails', async () => {
    const { parts, permit, passed, calls } = fakeDoors();
    const failing = dialerFor(parts, run, permit, async ({ dialer, target }) => {
      await dialer.dial(target, signal);
      calls[0]?.end();
      throw new Error('broken');
    });
    await assert.rejects(failing, /broken/);
    assert.equal(passed.at(-1), 'end, 0 on the line, 0 active');
  });

  it('interrupts a run once if its practice IVR ends or is replaced, and looks no longer than needed', async () => {
    const { parts, permit, calls, clock } = fakeDoors();
    let answerer: string | undefined = 'first';
    let looks = 0;
    const answererAt = () => ((looks += 1), answerer);
    const practices = { ...practiceAt(), answererAt };
    const lines = new LineBook({ routes: {}, lines: {}, passwords: {}, practices, clock });
    const { line: _line, ...lab } = { ...permit, lab: true, uri: 'sip:bank@127.0.0.1:5070' };
    const reasons: unknown[] = [];
    const calling = { ...run, interrupt: (why: unknown) => void reasons.push(why) };
    const looksLater = (): number => {
      const before = looks;
      clock.advance(10_000);
      return looks - before;
    };
    await dialerFor({ ...parts, lines }, calling, lab as typeof permit, async ({ dialer, target }) => {
      const call = await dialer.dial(target, signal);
      assert.deepEqual([looksLater(), reasons], [20, []]);
      let known: number | undefined;
      call.listen(() => (known = reasons.length));
      answerer = 'second';
      calls[0]?.end();
      assert.deepEqual([known, reasons], [1, [practiceEnded]], 'before the end of the call is read');
    });
    await dialerFor({ ...parts, lines }, calling, lab as typeof permit, async ({ dialer, target }) => {
      answerer = undefined;
      assert.deepEqual([looksLater(), reasons.length], [0, 1], 'what follows a call needs no IVR');
      await dialer.dial(target, signal);
      assert.deepEqual([looksLater(), reasons.length], [0, 2]);
      calls[1]?.end();
    });
    answerer = 'third';
    await dialerFor({ ...parts, lines }, calling, lab as typeof permit, () => Promise.resolve());
    assert.equal(looksLater(), 0);
  });
});
