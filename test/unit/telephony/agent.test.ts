import assert from 'node:assert/strict';
import { startSipAgent } from '../../../src/telephony/agent.ts';
import type { CallEvent, CallLeg, IncomingCallLeg, SipAgent, SipAgentOptions } from '../../../src/telephony/call.ts';
import { endOf } from '../../support/legEvents.ts';

/** Settles at the first event of this kind that matches `wanted`. */
function when<T extends CallEvent['type']>(
  leg: CallLeg,
  type: T,
  wanted: (event: Extract<CallEvent, { type: T }>) => boolean = () => true,
): Promise<Extract<CallEvent, { type: T }>> {
  return new Promise((resolve) => {
    const stop = leg.listen((event) => {
      if (event.type !== type || !wanted(event as Extract<CallEvent, { type: T }>)) return;
      stop();
      resolve(event as Extract<CallEvent, { type: T }>);
    });
  });
}

function sine(hz: number, ms: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) => 8000 * Math.sin((2 * Math.PI * hz * i) / 8000));
}
/** Samples louder than G.711 silence. */
const loud = (pcm: Int16Array): number => pcm.reduce((count, sample) => count + (Math.abs(sample) > 100 ? 1 : 0), 0);
const collect = (leg: CallLeg): { heard: number } => {
  const total = { heard: 0 };
  leg.listen((event) => {
    if (event.type === 'audio') total.heard += loud(event.frame.pcm);
  });
  return total;
};

for (const [protocol, host] of [
  ['UDP', '127.0.0.1'],
  ['UDP', '::1'],
  ['TCP', '127.0.0.1'],
  ['TCP', '::1'],
] as const)
  describe(`two agents over ${protocol} on ${host}`, () => {
    const agents: SipAgent[] = [];
    afterEach(async () => {
      await Promise.all(agents.splice(0).map((agent) => agent.close()));
    });
    async function start(options: Partial<SipAgentOptions> = {}): Promise<SipAgent> {
      const agent = await startSipAgent({ host, listenTcp: protocol === 'TCP', ...options });
      agents.push(agent);
      return agent;
    }
    const uri = (agent: SipAgent): string =>
      `sip:ivr@${host.includes(':') ? `[${host}]` : host}:${String(agent.address.port)}${protocol === 'UDP' ? '' : ';transport=tcp'}`;
    const incoming = (agent: SipAgent): Promise<IncomingCallLeg> => new Promise((resolve) => agent.onCall(resolve));

    it('ring, send early media, answer, exchange audio and digits, and end when the caller hangs up', async () => {
      const caller = await start(),
        callee = await start();
      const arriving = incoming(callee);
      const out = caller.call(uri(callee), { from: 'sip:+12025550123@example.com' });
      const outEvents: string[] = [];
      out.listen(({ type }) => {
        if (outEvents.at(-1) !== type) outEvents.push(type);
      });
      const heardEarly = when(out, 'earlyMedia'),
        answered = when(out, 'answered');
      const inLeg = await arriving;
      assert.equal(inLeg.remoteUri, 'sip:+12025550123@example.com');
      assert.equal(inLeg.requestUri, uri(callee));
      inLeg.ring();
      inLeg.ring(183);
      assert.equal(await inLeg.play(sine(440, 100)), 'played');
      await heardEarly;
      assert.equal(out.state, 'setup');
      inLeg.answer();
      await answered;
      assert.deepEqual(
        outEvents.filter((type) => type !== 'audio'),
        ['ringing', 'earlyMedia', 'answered'],
      );

      const here = collect(out),
        there = collect(inLeg);
      const done = [
        when(inLeg, 'digit', ({ digit }) => digit === '#'),
        when(out, 'digit', ({ digit }) => digit === 'D'),
      ];
      const digits: string[] = [];
      inLeg.listen((event) => {
        if (event.type === 'digit') digits.push(event.digit + event.via.charAt(0));
      });
      assert.deepEqual(await Promise.all([out.play(sine(300, 200)), inLeg.play(sine(600, 200))]), ['played', 'played']);
      await Promise.all([
        out
          .sendDigits('11')
          .then(() => out.sendDigits('2*', { via: 'inband' }))
          .then(() => out.sendDigits('#')),
        inLeg.sendDigits('D', { toneMs: 60 }),
        ...done,
      ]);
      assert.deepEqual(digits, ['1r', '1r', '2i', '*i', '#r']);
      assert.ok(here.heard > 1400 && there.heard > 1400, `${String(here.heard)} ${String(there.heard)}`);

      const bye = endOf(inLeg);
      await out.hangup();
      assert.deepEqual(await bye, { by: 'remote', kind: 'hangup', reason: 'the other side hung up' });
      assert.equal(out.state, 'ended');
      assert.equal(await out.play(sine(300, 20)), 'ended');
      assert.ok(out.stats().sent > 0 && out.stats().received > 0);
      assert.match(out.trace()[0]?.text ?? '', /^INVITE /);
    });

    it('end with their queued audio when the callee hangs up', async () => {
      const caller = await start(),
        callee = await start();
      callee.onCall((leg) => {
        leg.answer();
        void when(leg, 'audio').then(() => leg.hangup());
      });
      const out = caller.call(uri(callee));
      const playing = out.play(sine(300, 60_000));
      assert.equal((await endOf(out)).by, 'remote');
      assert.equal(await playing, 'ended');
    });

    it('fall silent immediately when audio is cleared', async () => {
      const caller = await start(),
        callee = await start();
      callee.onCall((leg) => leg.answer());
      const out = caller.call(uri(callee));
      const playing = out.play(sine(300, 60_000));
      await when(out, 'audio');
      out.clearAudio();
      assert.equal(await playing, 'cleared');
      assert.equal(await out.play(sine(300, 40)), 'played');
    });

    it('report an unreachable port long before the time-out', async () => {
      const caller = await start({ noResponseTimeoutMs: 1_000_000 });
      const gone = await startSipAgent({ host });
      const target = uri(gone);
      await gone.close();
      const outcome = await endOf(caller.call(target));
      assert.equal(outcome.kind, 'unreachable');
      assert.match(outcome.reason, /port unreachable|connection refused/);
    });

    it('ping, and reject a port in use', async () => {
      const caller = await start(),
        callee = await start();
      assert.equal((await caller.options(uri(callee))).status, 200);
      const gone = await startSipAgent({ host });
      const target = uri(gone);
      await gone.close();
      assert.equal((await caller.options(target)).failure, 'refused');
      assert.equal((await caller.options('sip:nobody.invalid')).failure, 'unknownHost');
      await assert.rejects(startSipAgent({ host, port: callee.address.port }), { code: 'EADDRINUSE' });
    });

    it('hang up every leg on close, in any state', async () => {
      const caller = await start(),
        callee = await start();
      const answered = new Promise<void>((resolve) => {
        let first = true;
        callee.onCall((leg) => {
          if (!first) {
            leg.ring();
            resolve();
            return;
          }
          first = false;
          leg.answer();
        });
      });
      const up = caller.call(uri(callee));
      await when(up, 'answered');
      const ringing = caller.call(uri(callee));
      await answered;
      const ends = [endOf(up), endOf(ringing)];
      await caller.close();
      assert.deepEqual(
        (await Promise.all(ends)).map(({ kind }) => kind),
        ['hangup', 'cancelled'],
      );
      const late = caller.call(uri(callee));
      assert.equal((await endOf(late)).by, 'local');
    });
  });

describe('an agent on IPv4 and IPv6', () => {
  it('calls a name that has only an IPv6 address, with audio over IPv6', async () => {
    const names = {
      srv: () => Promise.resolve([]),
      addresses: () => Promise.resolve(['::1']),
      random: () => 0,
    };
    const callee = await startSipAgent({ host: '::1' });
    const caller = await startSipAgent({ host: '127.0.0.1', otherHost: '::1', names });
    try {
      callee.onCall((leg) => {
        leg.answer();
        void leg.play(sine(440, 1000));
      });
      const leg = caller.call(`sip:ivr@pbx.example.com:${String(callee.address.port)}`);
      await when(leg, 'audio');
      assert.match(leg.trace()[0]?.text ?? '', /Via: SIP\/2\.0\/UDP \[::1\]:\d+[^]*^c=IN IP6 ::1/m);
      await leg.hangup();
      const v4 = await startSipAgent({ host: '127.0.0.1' });
      assert.equal((await caller.options(`sip:127.0.0.1:${String(v4.address.port)}`)).status, 200);
      await v4.close();
    } finally {
      await Promise.all([caller.close(), callee.close()]);
    }
  });
});
