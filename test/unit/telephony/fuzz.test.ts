import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { createSipAgent, startSipAgent } from '../../../src/telephony/agent.ts';
import type { SipAgentParts } from '../../../src/telephony/agent.ts';
import type { CallLeg, IncomingCallLeg, SipAgent } from '../../../src/telephony/call.ts';
import { Pacer } from '../../../src/telephony/rtp/pacer.ts';
import type { SipTransport } from '../../../src/telephony/sip/transport.ts';
import { HostilePeer } from '../../support/hostilePeer.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';
import { seededRandom, TelephonyLink } from '../../support/telephonyLink.ts';

const seed = Number(process.env['DIALTREE_TEST_SEED'] ?? 20_261);
const CALLS = 6;

/** The calls that can fail: up to a limit in each direction, with audio and digits outgoing. */
class HostileCalls {
  readonly legs = new Set<CallLeg>();
  readonly #random = seededRandom(seed + 1);
  readonly #caller: SipAgent;
  readonly #target: string;
  #healthy: IncomingCallLeg | undefined;

  constructor(caller: SipAgent, callee: SipAgent, target: string) {
    this.#caller = caller;
    this.#target = target;
    callee.onCall((leg) => {
      // The first one is the healthy call.
      if (!this.#healthy) {
        this.#healthy = leg;
        leg.answer();
        return;
      }
      this.#hold(leg);
      const dice = this.#random();
      if (dice < 0.1) leg.reject(486);
      else if (dice < 0.3) leg.ring(183);
      else leg.answer();
      for (const old of [...this.legs].filter(({ direction }) => direction === 'incoming').slice(0, -CALLS))
        void old.hangup();
    });
  }

  /** Replaces ended calls, and ends one now and then. */
  refill(): void {
    const outgoing = [...this.legs].filter(({ direction }) => direction === 'outgoing');
    if (outgoing.length >= CALLS && this.#random() < 0.1) void outgoing[0]?.hangup();
    if (outgoing.length < CALLS)
      this.#hold(
        this.#caller.call(this.#target, { credentials: { user: 'bob', password: 'secret' }, answerTimeoutMs: 3000 }),
      );
  }

  #hold(leg: CallLeg): void {
    this.legs.add(leg);
    leg.listen(({ type }) => {
      if (type === 'ended') this.legs.delete(leg);
    });
    void leg.play(new Int16Array(8000));
    void leg.sendDigits('12#');
  }
}

describe(`mutated messages through the whole agent (seed ${String(seed)})`, () => {
  it('leave a healthy call unchanged, and nothing behind, for 20,000 messages', async function () {
    const clock = new ManualClock(),
      link = new TelephonyLink(clock),
      faults: unknown[] = [];
    const agent = (host: string): SipAgent =>
      createSipAgent({
        address: { host, port: 5060 },
        clock,
        onFault: (error) => faults.push(error),
        transports: [strict(link.transport(host, 5060), faults)],
        openMedia: strictMedia(link, host, faults),
        pacer: new Pacer(clock, (play) => play()),
      });
    const caller = agent('10.0.0.1'),
      callee = agent('10.0.0.2');
    const sip = link.transport('10.0.0.3', 5060);
    const peer = new HostilePeer(
      {
        host: '10.0.0.3',
        port: 5060,
        mediaPort: 7000,
        sendSip: (datagram, to) => sip.send(datagram, { host: to === 'caller' ? '10.0.0.1' : '10.0.0.2', port: 5060 }),
        sendRtp: (datagram, port) => {
          for (const host of ['10.0.0.1', '10.0.0.2'])
            link.deliver(datagram, { host: '10.0.0.3', port: port % 97 === 0 ? 0 : 7000 }, { host, port });
        },
      },
      seed,
    );
    sip.listen({ onMessage: (datagram) => peer.hear(Buffer.from(datagram).toString()), onFailure: () => undefined });
    const calls = new HostileCalls(caller, callee, 'sip:h@10.0.0.3');
    const healthy = caller.call('sip:ivr@10.0.0.2');
    let heard = 0,
      timers = 0,
      up = 0;
    healthy.listen((event) => {
      if (event.type === 'audio') heard++;
    });
    assert.ok(await clock.run(() => heard > 0, 5000));
    for (let n = 0; n < 20_000; n++) {
      peer.attack();
      if (n % 10 !== 9) continue;
      if (n % 100 === 99) calls.refill();
      clock.advance(20);
      await settle();
      timers = Math.max(timers, clock.pending);
      up = Math.max(up, [...calls.legs].filter(({ state }) => state === 'answered').length);
      if (faults.length > 0 || healthy.state !== 'answered')
        assert.fail(
          `after ${String(n)} messages: ${String((faults[0] as Error | undefined)?.stack)}\n${peer.last.join('\n----\n')}`,
        );
    }
    assert.ok(up >= 4, `only ${String(up)} calls were up under attack`);
    assert.ok(timers < 8000, `${String(timers)} timers at once`);
    const before = heard;
    await clock.run(() => false, 1000);
    assert.ok(heard - before >= 45, `${String(heard - before)} frames in a second`);
    void healthy.hangup();
    assert.ok(await clock.run(() => healthy.state === 'ended', 5000));
    assert.equal(healthy.ended?.kind, 'hangup');
    await clock.finish(Promise.all([caller.close(), callee.close()]), 10_000);
    clock.advance(10);
    assert.deepEqual([faults, calls.legs.size, clock.pending], [[], 0, 0]);
  });

  it('leave calls unharmed over real sockets, for 400 messages', async function () {
    const faults: unknown[] = [];
    const start = (): Promise<SipAgent> => startSipAgent({ host: '127.0.0.1', onFault: (error) => faults.push(error) });
    const caller = await start(),
      callee = await start();
    const [sip, media] = [await bound(), await bound()];
    try {
      const peer = new HostilePeer(
        {
          host: '127.0.0.1',
          port: sip.address().port,
          mediaPort: media.address().port,
          sendSip: (datagram, to) => sip.send(datagram, (to === 'caller' ? caller : callee).address.port, '127.0.0.1'),
          sendRtp: (datagram, port) => media.send(datagram, port, '127.0.0.1'),
        },
        seed,
      );
      sip.on('message', (datagram) => peer.hear(datagram.toString()));
      const target = `sip:ivr@127.0.0.1:${String(callee.address.port)}`;
      const calls = new HostileCalls(caller, callee, `sip:h@127.0.0.1:${String(sip.address().port)}`);
      const healthy = caller.call(target);
      const frames = (count: number): Promise<void> =>
        new Promise((resolve) => {
          const stop = healthy.listen((event) => {
            if (event.type === 'audio' && --count === 0) {
              stop();
              resolve();
            }
          });
        });
      await frames(1);
      for (let n = 0; n < 400; n++) {
        peer.attack();
        if (n % 20 !== 19) continue;
        calls.refill();
        // Its answer comes after the earlier messages were processed.
        assert.equal((await caller.options(target)).status, 200);
        await frames(2);
      }
      assert.equal(healthy.state, 'answered');
      await frames(10);
      await healthy.hangup();
      assert.deepEqual([healthy.ended?.kind, faults], ['hangup', []], peer.last.join('\n----\n'));
    } finally {
      await Promise.all([caller.close(), callee.close()]);
      sip.close();
      media.close();
    }
  });
});

/** Like a real one: accepts only IP addresses, and can't send to an invalid port. */
function strict(transport: SipTransport, faults: unknown[]): SipTransport {
  return {
    ...transport,
    send: (message, peer, how) => {
      if (isPlace(peer.host, peer.port)) transport.send(message, peer, how);
      else faults.push(new Error(`sent to ${peer.host}:${String(peer.port)}`));
    },
    resolve: (host, port) =>
      isIPv4(host) ? transport.resolve(host, port) : Promise.reject(new Error(`${host} has no address`)),
  };
}

function strictMedia(link: TelephonyLink, host: string, faults: unknown[]): SipAgentParts['openMedia'] {
  return async (onDatagram) => {
    const socket = await link.media(host)(onDatagram);
    return {
      ...socket,
      send: (datagram, to, port) => {
        if (isPlace(to, port)) socket.send(datagram, to, port);
        else faults.push(new Error(`sent to ${to}:${String(port)}`));
      },
    };
  };
}

/** Another address family fails like a lost packet. */
const isPlace = (host: string, port: number): boolean =>
  (isIPv4(host) || host.includes(':')) && !host.includes('%') && Number.isInteger(port) && port > 0 && port < 65_536;

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
