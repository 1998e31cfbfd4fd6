import assert from 'node:assert/strict';
import { createSipAgent, startSipAgent } from '../../../src/telephony/agent.ts';
import type { SipAgentParts } from '../../../src/telephony/agent.ts';
import type { CallEnd, CallEvent, CallLeg, IncomingCallLeg, SipAgent } from '../../../src/telephony/call.ts';
import { udpMedia } from '../../../src/telephony/rtp/mediaSocket.ts';
import { Pacer } from '../../../src/telephony/rtp/pacer.ts';
import { StreamTransport } from '../../../src/telephony/sip/streamTransport.ts';
import { Timers } from '../../../src/telephony/sip/timers.ts';
import { openUdpTransport } from '../../../src/telephony/sip/udpTransport.ts';
import { endOf } from '../../support/legEvents.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';
import { RawPeer } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

const CALLEE = 'sip:ivr@10.0.0.2';

/** Two agents with a healthy call between them that must survive faults beside it. */
class Stage {
  readonly clock = new ManualClock();
  readonly link = new TelephonyLink(this.clock);
  readonly pacer = new Pacer(this.clock, (play) => play());
  readonly faults: string[] = [];
  readonly caller: SipAgent;
  readonly callee: SipAgent;
  /** How the next call is handled. */
  take: (leg: IncomingCallLeg) => void = (leg) => leg.answer();
  #healthy: CallLeg | undefined;
  #heard = 0;

  constructor(parts: Partial<SipAgentParts> = {}) {
    const shared: Partial<SipAgentParts> = {
      pacer: this.pacer,
      onFault: (error) => this.faults.push(error instanceof Error ? error.message : String(error)),
    };
    this.caller = this.link.agent('10.0.0.1', { ...shared, ...parts });
    this.callee = this.link.agent('10.0.0.2', shared);
    for (const agent of [this.caller, this.callee]) agent.onCall((leg) => this.take(leg));
  }

  async healthy(): Promise<void> {
    const leg = (this.#healthy = this.caller.call(CALLEE));
    leg.listen((event) => {
      if (event.type === 'audio') this.#heard++;
    });
    assert.ok(await this.clock.run(() => this.#heard > 0, 5000));
  }

  /** Asserts that the healthy call still hears and hangs up in order. */
  async prove(): Promise<void> {
    const leg = this.#healthy ?? assert.fail();
    const before = this.#heard;
    await this.clock.run(() => false, 1000);
    assert.ok(this.#heard - before >= 45, `${String(this.#heard - before)} frames in a second`);
    const ended = endOf(leg);
    void leg.hangup();
    assert.ok(await this.clock.run(() => leg.state === 'ended', 5000));
    assert.equal((await ended).kind, 'hangup');
    await this.clock.finish(Promise.all([this.caller.close(), this.callee.close()]));
    // Messages on their way arrive.
    this.clock.advance(10);
    assert.equal(this.clock.pending, 0, 'no timer is left behind');
  }

  async both(legs: readonly CallLeg[]): Promise<void> {
    assert.ok(
      await this.clock.run(() => legs.every((leg) => leg.state === 'ended'), 10_000),
      legs.map(({ state }) => state).join(),
    );
  }
}

const throwOn = (leg: CallLeg, type: CallEvent['type']): void => {
  leg.listen((event) => {
    if (event.type === type) throw new Error(`no ${type}`);
  });
};
const tell = ({ by, kind, status }: CallEnd): string =>
  `${by} ${kind}${status === undefined ? '' : ` ${String(status)}`}`;

describe('an error beside a healthy call', () => {
  for (const [type, end, far] of [
    ['ringing', 'local internal', 'remote cancelled'],
    ['answered', 'local internal', 'remote hangup'],
    ['audio', 'local internal', 'remote hangup'],
    ['digit', 'local internal', 'remote hangup'],
  ] as const)
    it(`in a listener of an outgoing call, on “${type}”: ends that call`, async () => {
      const stage = new Stage();
      await stage.healthy();
      const taken: CallLeg[] = [],
        farEnds: Promise<CallEnd>[] = [];
      stage.take = (leg) => {
        taken.push(leg);
        farEnds.push(endOf(leg));
        leg.ring();
        if (type !== 'ringing')
          stage.clock.setTimeout(() => {
            leg.answer();
            void leg.sendDigits('5');
          }, 100);
      };
      const leg = stage.caller.call(CALLEE);
      throwOn(leg, type);
      throwOn(leg, type);
      const ended = endOf(leg);
      await stage.clock.run(() => taken.length > 0, 1000);
      await stage.both([leg, ...taken]);
      assert.deepEqual([tell(await ended), tell(await farEnds[0]!)], [end, far]);
      assert.deepEqual(stage.faults, [`no ${type}`, `no ${type}`]);
      await stage.prove();
    });

  for (const [what, take, far] of [
    [
      'in the handler of calls',
      () => {
        throw new Error('no handler');
      },
      'remote rejected 500',
    ],
    [
      'in a listener of a call that we take',
      (leg: IncomingCallLeg) => {
        throwOn(leg, 'answered');
        leg.answer();
      },
      'remote hangup',
    ],
    [
      'in what alters its packets',
      (leg: IncomingCallLeg) =>
        leg.answer({
          impairRtp: () => {
            throw new Error('no packets');
          },
        }),
      'remote hangup',
    ],
    [
      'of whoever uses it',
      (leg: IncomingCallLeg) => {
        leg.answer();
        leg.fail(new Error('no use'));
        leg.fail(new Error('none at all'));
      },
      'remote hangup',
    ],
    [
      'of whoever uses it, before the answer',
      (leg: IncomingCallLeg) => {
        leg.ring();
        leg.fail(new Error('no use'));
      },
      'remote rejected 500',
    ],
  ] as [string, (leg: IncomingCallLeg) => void, string][])
    it(`${what}: ends that call`, async () => {
      const stage = new Stage();
      await stage.healthy();
      const taken: CallLeg[] = [];
      stage.take = (leg) => {
        taken.push(leg);
        take(leg);
      };
      const leg = stage.caller.call(CALLEE);
      const ended = endOf(leg);
      await stage.clock.run(() => taken.length > 0, 1000);
      await stage.both([leg, ...taken]);
      assert.equal(tell(await ended), far);
      assert.equal(taken[0]?.ended?.kind, 'internal');
      assert.match(stage.faults[0] ?? '', /^no /);
      await stage.prove();
    });

  it('in a listener of the end: is reported, and changes nothing', async () => {
    const stage = new Stage();
    await stage.healthy();
    const leg = stage.caller.call(CALLEE);
    throwOn(leg, 'ended');
    const ended = endOf(leg);
    await stage.clock.run(() => leg.state === 'answered', 1000);
    void leg.hangup();
    await stage.both([leg]);
    assert.deepEqual([(await ended).kind, stage.faults], ['hangup', ['no ended']]);
    await stage.prove();
  });

  it('in a media socket: ends its call', async () => {
    let bad = false;
    const stage: Stage = new Stage({
      openMedia: async (onDatagram) => {
        const socket = await stage.link.media('10.0.0.1')(onDatagram);
        return bad
          ? {
              ...socket,
              send: () => {
                throw new RangeError('no port');
              },
            }
          : socket;
      },
    });
    await stage.healthy();
    bad = true;
    const leg = stage.caller.call(CALLEE);
    const ended = endOf(leg);
    await stage.both([leg]);
    assert.deepEqual([tell(await ended), stage.faults], ['local internal', ['no port']]);
    await stage.prove();
  });

  it('in a transport that cannot send: ends its call', async () => {
    const stage = new Stage();
    await stage.healthy();
    let bad = false;
    const transport = stage.link.transport('10.0.0.5', 5060);
    const faults: unknown[] = [];
    const agent = createSipAgent({
      address: { host: '10.0.0.5', port: 5060 },
      clock: stage.clock,
      openMedia: stage.link.media('10.0.0.5'),
      pacer: stage.pacer,
      onFault: (error) => faults.push(error),
      transports: [
        {
          ...transport,
          send: (message, peer) => {
            if (bad) throw new Error('no send');
            transport.send(message, peer);
          },
        },
      ],
    });
    const leg = agent.call(CALLEE);
    assert.ok(await stage.clock.run(() => leg.state === 'answered', 1000));
    bad = true;
    void leg.hangup();
    await stage.both([leg]);
    assert.ok(faults.length > 0);
    await stage.clock.finish(agent.close());
    await stage.prove();
  });

  describe('caused by the remote side', () => {
    for (const port of ['70000', '65536', '99999999999999999999', '-5', '1.5'])
      it(`an SDP with port ${port} is rejected, in an offer, in early media and in an answer`, async () => {
        const stage = new Stage();
        await stage.healthy();
        const far = new RawPeer(stage.link, stage.clock);
        const body = RawPeer.sdp.replace('7000', port);
        far.ask('INVITE', { body });
        await far.last('SIP/2.0 488');
        const leg = stage.caller.call('sip:x@10.0.0.3');
        for (const status of [183, 200]) far.respond(await far.last('INVITE'), status, { body });
        far.respond(await far.last('BYE'), 200);
        await stage.both([leg]);
        assert.equal(leg.ended?.kind, 'noCommonCodec');
        await stage.clock.run(() => false, 500);
        assert.deepEqual(stage.faults, []);
        await stage.prove();
      });

    it('SIP and RTP from port 0 are ignored', async () => {
      const stage = new Stage();
      let taken = 0;
      stage.take = (leg) => {
        taken++;
        leg.answer();
      };
      await stage.healthy();
      const leg = stage.caller.call(CALLEE);
      await stage.clock.run(() => leg.stats().received > 10, 2000);
      const far = new RawPeer(stage.link, stage.clock);
      const [, port] =
        /m=audio (\d+)/.exec(leg.trace().find(({ direction }) => direction === 'received')?.text ?? '') ?? [];
      const before = leg.stats().received;
      // Like a raw socket, the fake network doesn't validate source ports.
      const deliver = stage.link.deliver.bind(stage.link);
      stage.link.deliver = (datagram, from, to) => deliver(datagram, { ...from, port: 0 }, to);
      far.ask('INVITE', { body: RawPeer.sdp });
      stage.link.deliver = deliver;
      stage.link.deliver(
        Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, ...new Array<number>(160).fill(0)]),
        { host: '10.0.0.1', port: 0 },
        { host: '10.0.0.2', port: Number(port) },
      );
      await stage.clock.run(() => false, 500);
      assert.deepEqual([taken, far.heard], [2, []]);
      assert.ok(leg.stats().received > before, 'symmetric RTP was not led astray');
      void leg.hangup();
      await stage.both([leg]);
      await stage.prove();
    });
  });
});

describe('sending', () => {
  const bad = [
    { host: '127.0.0.1', port: 70_000 },
    { host: '127.0.0.1', port: -1 },
    { host: '127.0.0.1', port: Number.NaN },
    { host: 'no address', port: 5060 },
    { host: 'fe80::1%nowhere', port: 5060 },
    { host: '', port: 0 },
  ];

  it('reports a failed SIP transport instead of throwing', async () => {
    const transports = [
      await openUdpTransport('127.0.0.1', 0),
      new StreamTransport({ protocol: 'TCP', host: '127.0.0.1' }),
      new StreamTransport({ protocol: 'TLS', host: '127.0.0.1' }),
    ];
    try {
      for (const transport of transports)
        for (const peer of bad) {
          const failed = new Promise<void>((resolve) =>
            transport.listen({
              onMessage: () => undefined,
              onFailure: (to) => {
                if (to === peer) resolve();
              },
            }),
          );
          transport.send(Buffer.from('x'), peer);
          await failed;
          assert.equal(await transport.refuses(peer).catch(() => 'thrown'), false);
        }
    } finally {
      await Promise.all(transports.map((transport) => transport.close()));
    }
  });

  it('drops the packet if a media socket fails', async () => {
    const socket = await udpMedia('127.0.0.1')(() => undefined);
    for (const { host, port } of bad) socket.send(Buffer.from('x'), host, port);
    await settle();
    socket.close();
  });

  it('ends a call to a URI that leads nowhere', async () => {
    const agent = await startSipAgent({ host: '127.0.0.1' });
    try {
      for (const uri of [
        'sip:a@[fe80::1%25x]',
        'sip:a@127.0.0.1;maddr=',
        'sip:a@127.0.0.1;maddr=a%00b',
        'sip:a@[::1]:5060',
        'sip:a@nobody.invalid',
        'sip:a@nobody.invalid;transport=tls',
      ]) {
        const { kind } = await endOf(agent.call(uri));
        assert.match(kind, /^(?:unreachable|protocol)$/, uri);
      }
    } finally {
      await agent.close();
    }
  });
});

describe('named timers', () => {
  it('report an exception to their owner', () => {
    const clock = new ManualClock(),
      faults: unknown[] = [];
    const timers = new Timers(clock, (error) => faults.push(error));
    const error = new Error('late');
    timers.start('a', 10, () => {
      throw error;
    });
    clock.advance(10);
    assert.deepEqual(faults, [error]);
  });
});
