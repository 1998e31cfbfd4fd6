import assert from 'node:assert/strict';
import { Pacer } from '../../../../src/telephony/rtp/pacer.ts';
import { serialiseRtp } from '../../../../src/telephony/rtp/packet.ts';
import { isRtcp } from '../../../../src/telephony/rtp/rtcp.ts';
import { RtpSession } from '../../../../src/telephony/rtp/session.ts';
import type { MediaAgreement } from '../../../../src/telephony/rtp/session.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const [host, port, beside] = ['10.0.0.1', 4000, '10.0.0.2'];
const agreement: MediaAgreement = {
  host,
  port,
  alsoFrom: beside,
  law: 'PCMU',
  sendEventType: undefined,
  receiveEventTypes: [],
  maySend: true,
  mayReceive: true,
};
const packet = Buffer.from([0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, ...new Array<number>(160).fill(0)]);

/** Returns a session, and notes where its RTP and RTCP go. */
function sessionWith(clock: ManualClock, sentTo = new Set<string>(), reportedTo = new Set<string>()): RtpSession {
  return new RtpSession({
    open: () =>
      Promise.resolve({
        port: 2,
        close: () => undefined,
        send: (datagram, at, to) => (isRtcp(datagram) ? reportedTo.add(`${at}:${String(to)}`) : sentTo.add(at)),
      }),
    pacer: new Pacer(clock, (play) => play()),
    clock,
    listener: () => undefined,
    onHeard: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
}

describe('the media of a call', () => {
  /** Returns how many packets from these addresses are accepted. */
  function heardBy(agreed: MediaAgreement, ...from: readonly (readonly [host: string, port: number])[]): number {
    const clock = new ManualClock();
    const session = sessionWith(clock);
    session.agree(agreed);
    const counted = from.filter(([at, source]) => {
      clock.advance(1);
      session.receive(packet, at, source);
      return session.heardAt === clock.now();
    });
    session.close();
    return counted.length;
  }
  const heardFrom = (...from: readonly (readonly [string, number])[]): number => heardBy(agreement, ...from);

  it('come from the agreed address or the signalling address, and from nowhere else', () =>
    assert.deepEqual(
      [heardFrom([host, port]), heardFrom([host, 4002]), heardFrom([beside, 4002]), heardFrom(['10.0.0.9', port])],
      [1, 1, 1, 0],
    ));

  it('stay with the first sender, until the agreed one sends', () => {
    assert.equal(heardFrom([host, 4002], [host, 4004], [beside, 4002], [host, 4002]), 2);
    assert.equal(heardFrom([host, 4002], [host, port], [host, 4002], [host, port]), 3);
  });

  it("come from no port 0, and not while receiving isn't allowed", () => {
    assert.equal(heardFrom([host, 0], [host, port]), 1);
    assert.equal(heardBy({ ...agreement, mayReceive: false }, [host, port]), 0);
  });

  it('sends reports to the RTCP port, at the address that sends', async () => {
    const clock = new ManualClock();
    const reportedTo = new Set<string>();
    const session = sessionWith(clock, undefined, reportedTo);
    await session.open();
    session.agree({ ...agreement, rtcpPort: 4001 });
    clock.advance(4000);
    session.receive(packet, beside, 4002);
    clock.advance(8000);
    session.close();
    assert.deepEqual([...reportedTo], ['10.0.0.1:4001', '10.0.0.2:4001']);
  });
});

describe('audio from another address than agreed', () => {
  const far = '203.0.113.9';

  /** Returns a session of a call with this address, and what delivers a packet 20 ms after the last. */
  async function start(agreedHost = host) {
    const clock = new ManualClock();
    const sentTo = new Set<string>();
    const session = sessionWith(clock, sentTo);
    await session.open();
    session.agree({ ...agreement, host: agreedHost, alsoFrom: agreedHost });
    let sequence = 0xfff0;
    const arrive = (from = far, { ssrc = 3, type = 0, step = 1 } = {}): number => {
      sequence = (sequence + step) & 0xffff;
      clock.advance(20);
      const datagram = serialiseRtp({
        payloadType: type,
        marker: false,
        sequence,
        timestamp: sequence * 160,
        ssrc,
        payload: packet.subarray(12),
      });
      session.receive(datagram, from, 5000);
      return session.stats().received;
    };
    const times = (count: number, ...how: Parameters<typeof arrive>): number =>
      Array.from({ length: count }, () => arrive(...how)).at(-1) ?? 0;
    return { session, arrive, times, sentTo };
  }

  it('counts from its first packet once 25 came in sequence', async () => {
    const { session, arrive, times } = await start();
    assert.equal(times(24), 0);
    assert.deepEqual(session.stats().elsewhere, { host: far, port: 5000 });
    assert.equal(arrive(), 25);
    assert.equal(times(5), 30);
  });

  it('stays unheard if packets are missing, streams mix, or the codec is another', async () => {
    for (const spoil of [{ step: 2 }, { ssrc: 4 }, { type: 18, step: 0 }]) {
      const { times } = await start();
      for (let round = 0; round < 5; round++) {
        assert.equal(times(23, far, 'type' in spoil ? { type: 18 } : {}), 0);
        assert.equal(times(1, far, spoil), 0);
      }
    }
    const { session, arrive } = await start();
    for (let n = 0; n < 100; n++) assert.equal(arrive(n % 2 === 0 ? far : '203.0.113.10'), 0);
    assert.deepEqual(session.stats().elsewhere, { host: '203.0.113.10', port: 5000 });
  });

  it('gives way to the agreed address, and is refused while that one has sent', async () => {
    const { times } = await start();
    assert.equal(times(30), 30);
    assert.equal(times(1, host), 31);
    assert.equal(times(60), 31);
  });

  it('gets audio back only if the agreed address is one behind NAT', async () => {
    for (const [agreed, to] of [
      ['198.51.100.1', ['198.51.100.1']],
      ['192.168.1.7', ['192.168.1.7', far]],
      ['fd00::1', ['fd00::1', far]],
    ] as const) {
      const { times, sentTo } = await start(agreed);
      times(30);
      assert.deepEqual([...sentTo], to);
    }
  });
});
