import assert from 'node:assert/strict';
import { callEcho } from '../../src/engine/echo/echoCall.ts';
import { createSipAgent, startSipAgent } from '../../src/telephony/agent.ts';
import type { CallEnd, CallLeg, OutgoingCallOptions, SipAgent, SipAgentOptions } from '../../src/telephony/call.ts';
import { systemClock } from '../../src/base/clock.ts';
import { udpMedia } from '../../src/telephony/rtp/mediaSocket.ts';
import { systemPacer } from '../../src/telephony/rtp/pacer.ts';
import type { SipTransport } from '../../src/telephony/sip/transport.ts';
import { openUdpTransport } from '../../src/telephony/sip/udpTransport.ts';
import { endOf, until } from '../support/legEvents.ts';
import type { SippRun } from '../support/sipp.ts';
import { findSipp, startSipp } from '../support/sipp.ts';
import { seededRandom } from '../support/telephonyLink.ts';
import * as scenarios from './sippScenarios.ts';

describe('a call with sipp', function () {
  let sipp: string;
  before(function () {
    const found = findSipp();
    if (found === undefined) this.skip();
    else sipp = found;
  });

  let agent: SipAgent | undefined, run: SippRun | undefined;
  afterEach(async () => {
    await Promise.all([agent?.close(), run?.stop()]);
    agent = run = undefined;
  });

  async function serve(scenario: string, args: string[] = ['-m', '1']): Promise<string> {
    run = await startSipp(sipp, { scenario, args });
    agent = await startSipAgent({ host: '127.0.0.1' });
    return `sip:service@127.0.0.1:${String(run.port)}`;
  }
  function dial(uri: string, options?: OutgoingCallOptions): CallLeg {
    assert.ok(agent);
    return agent.call(uri, options);
  }
  const hangUpWhenAnswered = (leg: CallLeg): void => {
    leg.listen((event) => {
      if (event.type === 'answered') void leg.hangup();
    });
  };
  async function finished(): Promise<void> {
    assert.ok(run);
    assert.equal(await run.exit, 0, run.errors());
  }

  describe('as the caller', () => {
    it('gets an answer and a hang-up, or early media, or a refusal, over UDP and TCP', async () => {
      const outcomes: string[] = [];
      for (const [scenario, byUs, transport] of [
        ['uas', true, 'u1'],
        ['uas', true, 't1'],
        [scenarios.uasRefusing('486 Busy Here'), false, 't1'],
        [scenarios.uasHangsUp, false, 'u1'],
        [scenarios.uasHangsUp, false, 't1'],
      ] as const) {
        const uri = await serve(scenario, ['-m', '1', '-t', transport]);
        const leg = dial(transport === 't1' ? `${uri};transport=tcp` : uri);
        if (byUs) hangUpWhenAnswered(leg);
        const { by, kind } = await endOf(leg);
        outcomes.push(`${by} ${kind}`);
        await finished();
        await Promise.all([agent?.close(), run?.stop()]);
      }
      assert.deepEqual(outcomes, ['local hangup', 'local hangup', 'remote busy', 'remote hangup', 'remote hangup']);
    });

    for (const algorithm of ['MD5', 'SHA-256', 'SHA-512-256'])
      it(`logs in with digest by ${algorithm}`, async () => {
        const leg = dial(await serve(scenarios.uasChallenge(algorithm)), {
          credentials: { user: 'bob', password: 'secret' },
        });
        hangUpWhenAnswered(leg);
        assert.equal((await endOf(leg)).kind, 'hangup');
        await finished();
      });

    it('follows OPTIONS with digest, whose answer sipp verifies', async () => {
      const uri = await serve(scenarios.uasPing);
      const { roundTripMs, ...answer } =
        (await agent?.options(uri, {
          from: 'sip:bob@lab.example.com',
          credentials: { user: 'bob', password: 'secret' },
        })) ?? assert.fail();
      assert.deepEqual(answer, { status: 200, reason: 'OK', server: 'Lab Exchange 1', authenticated: true });
      assert.ok((roundTripMs ?? -1) >= 0);
      await finished();
    });

    it('follows OPTIONS with a wrong password, which sipp rejects', async () => {
      const uri = await serve(scenarios.uasPing);
      await agent?.options(uri, { credentials: { user: 'bob', password: 'wrong' }, timeoutMs: 1000 });
      assert.ok(run);
      assert.notEqual(await run.exit, 0);
    });

    it('logs in to a trunk that requires proxy authentication, for INVITE and BYE', async () => {
      const leg = dial(await serve(scenarios.uasTrunk('sip:[+]12025550123@trunk.example.com')), {
        from: 'sip:+12025550123@trunk.example.com',
        preferredIdentity: 'sip:+12025550123@trunk.example.com',
        credentials: { user: 'bob', password: 'secret' },
      });
      hangUpWhenAnswered(leg);
      assert.equal((await endOf(leg)).kind, 'hangup');
      await finished();
    });

    it('hears an echo, and times it', async () => {
      const uri = await serve('uas', ['-m', '1', '-rtp_echo']);
      assert.ok(agent);
      const { heard, delayMs, rtp } = await callEcho({
        agent,
        target: uri,
        clock: systemClock,
        signal: new AbortController().signal,
      });
      assert.equal(heard, 3);
      assert.ok((delayMs ?? 0) > 0 && (delayMs ?? 0) < 1000);
      assert.ok(rtp.received > 0);
      await finished();
    });

    it('can be cancelled', async () => {
      const leg = dial(await serve(scenarios.uasCancelled));
      leg.listen((event) => {
        if (event.type === 'ringing') void leg.hangup();
      });
      assert.equal((await endOf(leg)).kind, 'cancelled');
      await finished();
    });

    for (const method of ['UPDATE', 'INVITE'] as const)
      it(`refreshes its session by ${method}`, async () => {
        const leg = dial(await serve(scenarios.uasTimer(method)));
        assert.deepEqual([(await endOf(leg)).by, leg.ended?.sessionTimer], ['remote', undefined]);
        await finished();
      });

    it('acknowledges a reliable 183, answers an UPDATE before the answer, and goes through', async () => {
      const leg = dial(await serve(scenarios.uasReliable));
      hangUpWhenAnswered(leg);
      assert.equal((await endOf(leg)).kind, 'hangup');
      await finished();
    });

    it('puts sipp on hold and resumes, over UDP and TCP', async () => {
      for (const transport of ['u1', 't1']) {
        const uri = await serve(scenarios.uasHeld, ['-m', '1', '-t', transport]);
        const leg = dial(transport === 't1' ? `${uri};transport=tcp` : uri);
        await until(leg, 'answered');
        assert.deepEqual([await leg.hold(true), await leg.hold(false)], [true, true]);
        await leg.hangup();
        await finished();
        await Promise.all([agent?.close(), run?.stop()]);
      }
    });

    it('reports a rejection, with its Q.850 cause', async () => {
      const outcome = await endOf(
        dial(await serve(scenarios.uasRefusing('486 Busy Here', 'Reason: Q.850;cause=17;text="User busy"\n'))),
      );
      const advice = 'its reason: User busy';
      assert.deepEqual(outcome, { by: 'remote', kind: 'busy', status: 486, reason: 'User busy', advice, q850: 17 });
      await finished();
    });

    // Only our messages are lost: as a callee, sipp stays silent if both its first responses are lost, even if more
    // INVITEs follow.
    it('succeeds 30 times while 20 % of our messages are lost', async () => {
      run = await startSipp(sipp, { scenario: 'uas' });
      const udp = await openUdpTransport('127.0.0.1', 0);
      agent = createSipAgent({
        address: udp.address,
        transports: [losing(udp, 0.2)],
        openMedia: udpMedia('127.0.0.1'),
        pacer: systemPacer,
        clock: systemClock,
        noResponseTimeoutMs: 32_000,
      });
      const uri = `sip:service@127.0.0.1:${String(run.port)}`;
      const legs = Array.from({ length: 30 }, () => dial(uri, { answerTimeoutMs: 40_000 }));
      legs.forEach(hangUpWhenAnswered);
      const ends = await Promise.all(legs.map(endOf));
      assert.deepEqual(
        ends.filter(({ kind }) => kind !== 'hangup'),
        [],
      );
    });
  });

  describe('as the callee', () => {
    async function take(
      scenario: string,
      args: string[] = [],
      options: Partial<SipAgentOptions> = {},
      handle: Parameters<SipAgent['onCall']>[0] = (leg) => {
        leg.ring();
        leg.answer();
      },
    ): Promise<void> {
      agent = await startSipAgent({ host: '127.0.0.1', ...options });
      agent.onCall(handle);
      run = await startSipp(sipp, {
        scenario,
        args: ['-m', '1', ...args],
        target: `127.0.0.1:${String(agent.address.port)}`,
      });
      await finished();
    }

    it('gets an answer, and sipp hangs up', () => take('uac', ['-d', '100']));
    it('succeeds 200 times at 50 calls per second', () => take('uac', ['-m', '200', '-r', '50', '-d', '200']));
    it('waits on hold and resumes by re-INVITE', () => take(scenarios.uacReinvite));
    it('rings reliably, and its session is refreshed by UPDATE', () =>
      take(scenarios.uacReliable, [], {}, (leg) => {
        leg.ring(183);
        leg.answer();
      }));
    it('begins with an INVITE without an offer', () => take(scenarios.uacLateOffer));
    it('succeeds 200 times at 50 calls per second over TCP', () =>
      take('uac', ['-t', 't1', '-m', '200', '-r', '50', '-d', '200'], { listenTcp: true }));
    it('waits on hold and resumes by re-INVITE over TCP', () =>
      take(scenarios.uacReinvite, ['-t', 't1'], { listenTcp: true }));
    it('follows an answer to OPTIONS', () => take(scenarios.uacOptions));
    it('needs a login by digest', () =>
      take(scenarios.uacDigest, [], {
        challenge: { realm: 'lab', algorithms: ['MD5'], passwordOf: (user) => (user === 'bob' ? 'secret' : undefined) },
      }));

    it('can be cancelled', async () => {
      let outcome: Promise<CallEnd> | undefined;
      await take(scenarios.uacCancel, [], {}, (leg) => {
        outcome = endOf(leg);
        leg.ring();
      });
      assert.equal((await outcome)?.kind, 'cancelled');
    });

    it('can be rejected', async () => {
      const outcomes: Promise<CallEnd>[] = [];
      agent = await startSipAgent({ host: '127.0.0.1' });
      agent.onCall((leg) => {
        outcomes.push(endOf(leg));
        leg.reject(603, 'Not today');
      });
      run = await startSipp(sipp, {
        scenario: 'uac',
        args: ['-m', '1'],
        target: `127.0.0.1:${String(agent.address.port)}`,
      });
      assert.notEqual(await run.exit, 0, 'a refused call fails sipp’s own scenario');
      assert.deepEqual(
        (await Promise.all(outcomes)).map(({ status }) => status),
        [603],
      );
    });

    it('succeeds 30 times while sipp loses 20 % of all messages', async () => {
      await take('uac', ['-m', '30', '-r', '30', '-d', '200', '-lost', '20', '-max_retrans', '12']);
    });
  });
});

/** A transport that drops this share of its messages. */
function losing(transport: SipTransport, share: number): SipTransport {
  const random = seededRandom(4);
  return {
    protocol: transport.protocol,
    reliable: transport.reliable,
    send: (message, peer) => {
      if (random() >= share) transport.send(message, peer);
    },
    reaches: (peer) => transport.reaches(peer),
    hold: (peer) => transport.hold(peer),
    listen: (listener) => transport.listen(listener),
    localFor: (peer) => transport.localFor(peer),
    resolve: (host, port) => transport.resolve(host, port),
    refuses: (peer) => transport.refuses(peer),
    close: () => transport.close(),
  };
}
