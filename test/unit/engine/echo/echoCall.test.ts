import assert from 'node:assert/strict';
import { callEcho, echoSecondsAtMost } from '../../../../src/engine/echo/echoCall.ts';
import type { EchoFigures } from '../../../../src/engine/echo/echoCall.ts';
import type { IncomingCallLeg } from '../../../../src/telephony/call.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';
import type { LinkFaults } from '../../../support/telephonyLink.ts';

interface Call {
  readonly faults?: LinkFaults;
  readonly challenge?: boolean;
  readonly password?: string;
  readonly stop?: AbortController;
}

/** Calls a callee on an in-memory network, which behaves like this. */
async function call(
  take: (leg: IncomingCallLeg, clock: ManualClock) => void,
  { faults = {}, challenge = false, password = 'right', stop = new AbortController() }: Call = {},
): Promise<EchoFigures> {
  const clock = new ManualClock();
  const link = new TelephonyLink(clock, faults);
  const caller = link.agent('10.0.0.1');
  const callee = link.agent('10.0.0.2', challenge ? { challenge: { realm: 'lab', passwordOf: () => 'right' } } : {});
  callee.onCall((leg) => take(leg, clock));
  let figures: EchoFigures | undefined;
  void callEcho({
    agent: caller,
    target: 'sip:echo@10.0.0.2',
    as: { credentials: { user: 'ann', password } },
    clock,
    signal: stop.signal,
  }).then((result) => {
    figures = result;
  });
  assert.ok(await clock.run(() => figures !== undefined, (echoSecondsAtMost + 5) * 1000, 20));
  await clock.finish(Promise.all([caller.close(), callee.close()]));
  return figures ?? assert.fail();
}

const echo = (leg: IncomingCallLeg): void => {
  leg.listen((event) => {
    if (event.type === 'audio') void leg.play(event.frame.pcm);
  });
};

describe('a call to an echo number', () => {
  it('hears its own sound return, and reports the delay', async () => {
    const near = await call((leg) => {
      echo(leg);
      leg.answer();
    });
    assert.deepEqual([near.sent, near.heard, near.sound, near.end], [3, 3, true, undefined]);
    const far = await call(
      (leg) => {
        echo(leg);
        leg.answer();
      },
      { faults: { minDelayMs: 101 } },
    );
    // 100 ms more in each direction.
    assert.ok(
      Math.abs((far.delayMs ?? 0) - (near.delayMs ?? 0) - 200) <= 20,
      `${String(near.delayMs)} ${String(far.delayMs)}`,
    );
    assert.ok(far.callMs <= echoSecondsAtMost * 1000);
  });

  it('waits until a service that speaks first listens', async () => {
    const figures = await call((leg, clock) => {
      leg.answer();
      void leg.play(Int16Array.from({ length: 8000 * 4 }, (_, i) => 5000 * Math.sin(i / 11 + 2 * Math.sin(i / 500))));
      clock.setTimeout(() => echo(leg), 4200);
    });
    assert.equal(figures.heard, 3);
    assert.ok(figures.sent > 3);
  });

  it('counts what the network loses', async () => {
    const { heard, rtp } = await call(
      (leg) => {
        echo(leg);
        leg.answer();
      },
      { faults: { loss: 0.05, seed: 4 } },
    );
    assert.ok(heard > 0);
    assert.ok(rtp.lost > 0 && rtp.lost < rtp.received / 3, JSON.stringify(rtp));
  });

  it("reports silence, or another sound, from a callee that doesn't echo", async () => {
    const silent = await call((leg) => leg.answer({ impairRtp: () => undefined }));
    assert.deepEqual([silent.heard, silent.sound, silent.rtp.received, silent.sent], [0, false, 0, 8]);
    const quiet = await call((leg) => leg.answer());
    assert.deepEqual([quiet.heard, quiet.sound], [0, false]);
    assert.ok(quiet.rtp.received > 0);
    const talker = await call((leg) => {
      leg.answer();
      void leg.play(Int16Array.from({ length: 8000 * 40 }, (_, i) => 5000 * Math.sin(i / 11)));
    });
    assert.deepEqual([talker.heard, talker.sound], [0, true]);
  });

  it("reports why the call wasn't answered, and which side hung up", async () => {
    const busy = await call((leg) => leg.reject(486));
    assert.deepEqual([busy.end?.kind, busy.setupMs, busy.sent], ['busy', undefined, 0]);
    const refused = await call((leg) => leg.answer(), { challenge: true, password: 'wrong' });
    assert.deepEqual([refused.end?.kind, refused.end?.status], ['unauthorized', 401]);
    const short = await call((leg, clock) => {
      leg.answer();
      clock.setTimeout(() => {
        void leg.hangup();
      }, 1000);
    });
    assert.deepEqual([short.end?.by, short.end?.kind, short.heard], ['remote', 'hangup', 0]);
    assert.notEqual(short.setupMs, undefined);
  });

  it('gives the password on request', async () =>
    assert.equal(
      (
        await call(
          (leg) => {
            echo(leg);
            leg.answer();
          },
          { challenge: true },
        )
      ).heard,
      3,
    ));

  it('hangs up when it is aborted', async () => {
    const stop = new AbortController();
    const figures = await call(
      (leg, clock) => {
        leg.answer();
        clock.setTimeout(() => stop.abort(), 700);
      },
      { stop },
    );
    assert.equal(figures.end?.by, 'local');
    assert.ok(figures.callMs < 4000);
  });
});
