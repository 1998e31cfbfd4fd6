import assert from 'node:assert/strict';
import type { CallTestEnd } from '../../../../src/engine/call/callTestEvent.ts';
import { runProbe } from '../../../../src/engine/probe/probe.ts';
import { createReceivePoint } from '../../../../src/engine/probe/receivePoint.ts';
import type { ReceiveOptions, ReceivePoint } from '../../../../src/engine/probe/receivePoint.ts';
import { DialError } from '../../../../src/engine/call/activeCall.ts';
import type { ActiveCall } from '../../../../src/engine/call/activeCall.ts';
import type { CallEvent, CallLeg, SipAgent } from '../../../../src/telephony/call.ts';
import { callEnd } from '../../../support/callEnd.ts';
import { quietSpeech } from '../../../support/quietSpeech.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';
import { catalogued } from './callProbe.ts';

describe('an address that waits for a call', () => {
  let clock: ManualClock, link: TelephonyLink, caller: SipAgent, point: ReceivePoint, cancel: AbortController;

  function open(options: Partial<ReceiveOptions> = {}): void {
    clock = new ManualClock();
    link = new TelephonyLink(clock);
    caller = link.agent('10.0.0.1');
    point = createReceivePoint(link.agent('10.0.0.2'), { speech: quietSpeech(), clock, ...options });
    cancel = new AbortController();
  }
  afterEach(async () => {
    await clock.finish(Promise.all([caller.close(), point.close()]));
    assert.equal(clock.pending, 0, 'no timer is left behind');
  });

  /** Holds the result of the wait, once it has one. */
  function awaitCall(): { call?: ActiveCall; error?: unknown } {
    const settled: { call?: ActiveCall; error?: unknown } = {};
    void point.dialer.dial('', cancel.signal).then(
      (active) => {
        settled.call = active;
      },
      (error: unknown) => {
        settled.error = error;
      },
    );
    return settled;
  }
  const over = (settled: { call?: ActiveCall; error?: unknown }) => (): boolean =>
    settled.call !== undefined || settled.error !== undefined;
  const told = (leg: CallLeg): string[] => {
    const events: string[] = [];
    leg.listen((event: CallEvent) => {
      if (event.type !== 'audio')
        events.push(event.type === 'ended' ? `ended ${String(event.end.status ?? event.end.kind)}` : event.type);
    });
    return events;
  };
  const call = (address = point.address): { leg: CallLeg; events: string[] } => {
    const leg = caller.call(address);
    return { leg, events: told(leg) };
  };
  const ended =
    ({ leg }: { leg: CallLeg }) =>
    (): boolean =>
      leg.state === 'ended';
  const sentenceOf = (error: unknown): string => (error instanceof DialError ? (error.sentence ?? '') : '');

  it('has another unguessable user part each time', () => {
    open();
    const other = createReceivePoint(link.agent('10.0.0.3'), { speech: quietSpeech(), clock });
    assert.match(point.address, /^sip:probe-[0-9a-f]{32}@10\.0\.0\.2:5060$/);
    assert.notEqual(other.address.split('@')[0], point.address.split('@')[0]);
    return other.close();
  });

  it('rings for a while, then answers', async () => {
    open({ ringMs: 4000 });
    const waiting = awaitCall();
    const theirs = call();
    await clock.run(() => false, 3900);
    assert.deepEqual(theirs.events, ['ringing']);
    assert.ok(await clock.run(over(waiting), 300));
    await clock.run(() => theirs.leg.state === 'answered', 100);
    assert.equal(waiting.call?.setupSeconds, 0);
    void waiting.call.hangUp();
    assert.ok(await clock.run(ended(theirs), 500));
    assert.deepEqual(theirs.events, ['ringing', 'answered', 'ended hangup']);
  });

  it('accepts its name with parameters, and rejects every other with 404', async () => {
    open({ ringMs: 0 });
    const waiting = awaitCall();
    const others = [
      'sip:probe@10.0.0.2',
      'sip:10.0.0.2',
      `sip:${'x'.repeat(200)}@10.0.0.2`,
      point.address.toUpperCase().replace('SIP', 'sip'),
    ].map((address) => call(address));
    assert.ok(await clock.run(() => others.every((one) => ended(one)()), 2000));
    for (const { events } of others) assert.deepEqual(events, ['ended 404']);
    assert.equal(over(waiting)(), false);
    const { leg } = call(point.address.replace('@', ';phone-context=example.com@'));
    assert.ok(await clock.run(() => leg.state === 'answered', 500));
    assert.ok(waiting.call);
  });

  it('rejects a second call as busy, while the first rings, is active, and afterwards', async () => {
    open({ ringMs: 1000 });
    const waiting = awaitCall();
    const first = call();
    await clock.run(() => first.events.includes('ringing'), 500);
    const during = call();
    assert.ok(await clock.run(ended(during), 500));
    assert.ok(await clock.run(over(waiting), 2000));
    const meanwhile = call();
    assert.ok(await clock.run(ended(meanwhile), 500));
    void first.leg.hangup();
    assert.ok(await clock.run(() => waiting.call?.ended !== undefined, 3000));
    const after = call();
    assert.ok(await clock.run(ended(after), 500));
    for (const { events } of [during, meanwhile, after]) assert.deepEqual(events, ['ended 486']);
  });

  it('keeps waiting if the caller hangs up while it rings, and accepts the next call', async () => {
    open({ ringMs: 4000 });
    const waiting = awaitCall();
    const first = call();
    await clock.run(() => first.events.includes('ringing'), 500);
    void first.leg.hangup();
    assert.ok(await clock.run(ended(first), 1000));
    const second = call();
    assert.ok(await clock.run(() => second.leg.state === 'answered', 5000));
    assert.ok(waiting.call);
  });

  it('rejects a call without a supported codec with 488, and keeps waiting', async () => {
    open({ ringMs: 0 });
    const waiting = awaitCall();
    const answers: string[] = [];
    const transport = link.transport('10.0.0.9', 5060);
    transport.listen({
      onMessage: (datagram) => {
        answers.push(Buffer.from(datagram).toString());
      },
      onFailure: () => undefined,
    });
    const sdp =
      'v=0\r\no=- 1 1 IN IP4 10.0.0.9\r\ns=-\r\nc=IN IP4 10.0.0.9\r\nt=0 0\r\nm=audio 7000 RTP/AVP 18\r\na=rtpmap:18 G729/8000\r\n';
    const invite = `INVITE ${point.address} SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.9;branch=z9hG4bKother\r\nFrom: <sip:dialler@10.0.0.9>;tag=a\r\nTo: <${point.address}>\r\nCall-ID: g729\r\nCSeq: 1 INVITE\r\nContact: <sip:dialler@10.0.0.9>\r\nMax-Forwards: 70\r\nContent-Type: application/sdp\r\nContent-Length: ${String(sdp.length)}\r\n\r\n${sdp}`;
    transport.send(Buffer.from(invite), { host: '10.0.0.2', port: 5060 });
    assert.ok(await clock.run(() => answers.some((answer) => /^SIP\/2\.0 [4-6]/.test(answer)), 1000));
    assert.match(answers.find((answer) => /^SIP\/2\.0 [4-6]/.test(answer)) ?? '', /^SIP\/2\.0 488/);
    await transport.close();
    const { leg } = call();
    assert.ok(await clock.run(() => leg.state === 'answered', 1000));
    assert.ok(waiting.call);
  });

  for (const { name, before, sentence } of [
    {
      name: 'nobody calls',
      before: () => undefined,
      sentence: /^No call came to sip:probe-\w+@10\.0\.0\.2:5060 within 5 minutes\. Run the probe again/,
    },
    {
      name: 'calls come for another address',
      before: () => {
        call('sip:probe@10.0.0.2');
      },
      sentence: /another address arrived at its port: use the part before the @/,
    },
    {
      name: 'they hang up while it rings',
      before: () => {
        const { leg } = call();
        clock.setTimeout(() => {
          void leg.hangup();
        }, 1000);
      },
      sentence: /^A call came, but the caller hung up before it was answered/,
    },
  ]) {
    it(`gives up after five minutes if ${name}, and says so`, async () => {
      open();
      const waiting = awaitCall();
      before();
      await clock.run(() => false, 2000);
      assert.equal(await clock.run(over(waiting), 297_000, 1000), false, 'not before');
      assert.ok(await clock.run(over(waiting), 2000));
      assert.match(sentenceOf(waiting.error), sentence);
      const late = call();
      assert.ok(await clock.run(ended(late), 500));
      assert.deepEqual(late.events, ['ended 486']);
    });
  }

  for (const when of ['nobody has called yet', 'it rings', 'it was cancelled before']) {
    it(`stops waiting when it is cancelled and ${when}`, async () => {
      open();
      if (when === 'it was cancelled before') cancel.abort('Cancelled.');
      const waiting = awaitCall();
      const theirs = when === 'it rings' ? call() : undefined;
      if (theirs) await clock.run(() => theirs.events.includes('ringing'), 500);
      cancel.abort('Cancelled.');
      assert.ok(await clock.run(over(waiting), 500));
      assert.ok(waiting.error instanceof DialError);
      if (theirs) {
        assert.ok(await clock.run(ended(theirs), 500));
        assert.deepEqual(theirs.events, ['ringing', 'ended 480']);
      }
    });
  }

  describe('with a probe', () => {
    const run = (id: string): Promise<CallTestEnd> =>
      callEnd(runProbe({ probe: catalogued(id), target: '', dialer: point.dialer, clock, signal: cancel.signal }));
    /** Returns the probe's result for a caller who does this once answered. */
    async function probed(id: string, theyDo: (leg: CallLeg) => void): Promise<CallTestEnd> {
      open({ ringMs: 1000 });
      const end = run(id);
      await clock.run(() => false, 100);
      const { leg } = call();
      leg.listen((event) => {
        if (event.type === 'answered') theyDo(leg);
      });
      await clock.finish(end, 120_000);
      assert.equal(leg.state, 'ended');
      return end;
    }

    it('reports a silent caller as an abandoned call, and judges nothing else', async () => {
      const abandoned = await probed('tsr-abandon', () => undefined);
      assert.deepEqual(
        [abandoned.outcome, abandoned.steps[0]?.outcome, abandoned.steps[0]?.reason],
        ['FAIL', 'FAIL', 'There was no answer.'],
      );
      assert.equal(abandoned.hangUp?.by, 'us');
      for (const id of ['tcpa-id', 'tcpa-ai-voice', 'ai-voice-adad']) {
        const { outcome, steps } = await probed(id, () => undefined);
        assert.equal(outcome, 'INCONCLUSIVE', id);
        for (const { reason } of steps) assert.equal(reason, 'Not reached: The other side said nothing for 20 s.');
      }
    });

    it('handles a caller who hangs up immediately, and one who does after the greeting', async () => {
      for (const id of ['tcpa-id', 'tcpa-ai-voice', 'ai-voice-adad', 'tsr-abandon']) {
        const { outcome, hangUp } = await probed(id, (leg) => {
          void leg.hangup();
        });
        assert.deepEqual([outcome, hangUp?.by], ['INCONCLUSIVE', 'them'], id);
      }
      const behind = await probed('tsr-abandon', (leg) => {
        clock.setTimeout(() => {
          void leg.hangup();
        }, 1500);
      });
      assert.equal(behind.outcome, 'FAIL', 'the greeting was said, and nobody was put on');
    });

    it('reports neither a delay nor a call if no call came', async () => {
      open({ waitSeconds: 60 });
      const end = run('tsr-abandon');
      await clock.finish(end, 61_000);
      const { outcome, callSeconds, postDialMs, steps, hangUp } = await end;
      assert.deepEqual([outcome, callSeconds, postDialMs], ['INCONCLUSIVE', 0, undefined]);
      for (const { reason } of steps) assert.match(reason ?? '', /^No call came to .* within 60 s\./);
      assert.match(hangUp?.sentence ?? '', /^No call came to/);
    });
  });
});
