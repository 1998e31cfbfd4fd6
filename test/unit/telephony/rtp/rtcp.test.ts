import assert from 'node:assert/strict';
import { Pacer } from '../../../../src/telephony/rtp/pacer.ts';
import { isRtcp, parseRtcp, Rtcp, type Reception } from '../../../../src/telephony/rtp/rtcp.ts';
import { RtpSession } from '../../../../src/telephony/rtp/session.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';

const [us, them] = [1, 0xfffffff0];
const sent = { packets: 7, octets: 1120, timestamp: 0xfffffff1 };
const source = (values: Partial<Reception> = {}): Reception => ({
  ssrc: them,
  highestSequence: 0x1_0005,
  expected: 100,
  received: 90,
  jitter: 16,
  ...values,
});
/** Returns the packet types of a compound packet. */
function typesIn(packet: Uint8Array): number[] {
  const types: number[] = [];
  for (let at = 0; at < packet.length; at += 4 * (1 + Buffer.from(packet).readUInt16BE(at + 2)))
    types.push(packet[at + 1] ?? 0);
  return types;
}

describe('RTCP', () => {
  it('reports as a sender only while it sends, names itself at random, and says goodbye', () => {
    const rtcp = new Rtcp(us);
    assert.deepEqual(
      [
        rtcp.write(0, sent, source()),
        rtcp.write(5000, sent, source()),
        rtcp.write(9000, { ...sent, packets: 8 }, undefined, true),
      ].map((packet) => typesIn(packet)),
      [
        [200, 202],
        [201, 202],
        [200, 202, 203],
      ],
    );
    const names = [rtcp, new Rtcp(us)].map((one) => Buffer.from(one.write(0, sent, undefined)).subarray(-18, -2));
    assert.equal(names[0]?.length, 16);
    assert.notDeepEqual(names[0], names[1]);
  });

  it('writes the fields of a sender report and its block', () => {
    const rtcp = new Rtcp(us);
    rtcp.write(0, sent, source({ expected: 60, received: 60 }));
    const packet = Buffer.from(rtcp.write(1500, { ...sent, packets: 8 }, source()));
    assert.deepEqual(
      [packet.readUInt32BE(4), packet.readUInt32BE(8), packet.readUInt32BE(12)],
      [us, 2_208_988_801, 0x8000_0000],
    );
    assert.deepEqual(
      [16, 20, 24].map((at) => packet.readUInt32BE(at)),
      [0xfffffff1, 8, 1120],
    );
    // Ten of the last forty are lost.
    assert.deepEqual(
      [28, 32, 36, 40].map((at) => packet.readUInt32BE(at)),
      [them, (64 << 24) | 10, 0x1_0005, 16],
    );
  });

  it('measures the round trip by two reports, and reads the loss and jitter of the other side', () => {
    const [near, far] = [new Rtcp(us), new Rtcp(them)];
    assert.deepEqual(near.remote, {});
    assert.ok(far.receive(near.write(1000, sent, undefined), 1030));
    near.receive(far.write(3000, sent, source({ ssrc: us })), 3042);
    const { roundTripMs = 0, ...rest } = near.remote;
    assert.ok(Math.abs(roundTripMs - 72) < 0.1, String(roundTripMs));
    assert.deepEqual(rest, { remoteLost: 10, remoteJitterMs: 2 });
  });

  it('ignores its own reports, those about others, negative loss and impossible round trips', () => {
    const [near, far] = [new Rtcp(us), new Rtcp(them)];
    near.receive(near.write(0, sent, source({ ssrc: us })), 10);
    near.receive(far.write(0, sent, source({ ssrc: 5 })), 10);
    assert.deepEqual(near.remote, {});
    far.receive(near.write(100_000, sent, undefined), 100_000);
    near.receive(far.write(100_001, sent, source({ ssrc: us, expected: 1, received: 4 })), 200_000);
    assert.deepEqual(near.remote, { remoteLost: 0, remoteJitterMs: 2 });
  });

  it('rejects every cut and lying compound packet', () => {
    const packet = new Rtcp(us).write(0, sent, source(), true);
    assert.equal(parseRtcp(packet)?.length, 1);
    const isOver = (length: number): boolean => [52, 80].includes(length);
    for (let length = 1; length < packet.length; length++)
      assert.equal(parseRtcp(packet.subarray(0, length)) !== undefined, isOver(length), String(length));
    for (const [at, value] of [
      [0, 0x41],
      [0, 0x9f],
      [1, 202],
      [2, 0xff],
    ] as const)
      assert.equal(parseRtcp(packet.with(at, value)), undefined);
  });

  it('comes at random times within half and one and a half intervals, at first sooner', () => {
    for (const [random, first, later] of [
      [0, 1250, 2500],
      [1, 3750, 7500],
    ] as const) {
      const rtcp = new Rtcp(us, () => random);
      assert.equal(rtcp.isDue(1e9), false);
      rtcp.start(0);
      assert.deepEqual([rtcp.isDue(first - 1), rtcp.isDue(first)], [false, true]);
      rtcp.write(first, sent, undefined);
      rtcp.start(first);
      assert.deepEqual([rtcp.isDue(first + later - 1), rtcp.isDue(first + later)], [false, true]);
    }
  });

  it('gives both sides of a call the round trip and what the other lost', async () => {
    const clock = new ManualClock();
    const link = new TelephonyLink(clock, { loss: 0.1, minDelayMs: 30, maxDelayMs: 30, seed: 3 });
    const [caller, callee] = [link.agent('10.0.0.1'), link.agent('10.0.0.2')];
    callee.onCall((leg) => leg.answer());
    const leg = caller.call('sip:ivr@10.0.0.2');
    await clock.run(() => false, 60_000);
    const { roundTripMs = 0, remoteLost = 0, lost } = leg.stats();
    assert.ok(Math.abs(roundTripMs - 60) < 0.1, String(roundTripMs));
    assert.ok(remoteLost > 150 && remoteLost < 400 && lost > 200, `${String(remoteLost)} ${String(lost)}`);
    await clock.finish(Promise.all([caller.close(), callee.close()]));
  });

  it('goes to the RTCP port without rtcp-mux, then to where the RTCP of the peer comes from', async () => {
    const clock = new ManualClock();
    const [host, other] = ['10.0.0.1', '10.0.0.2'];
    const to: string[] = [];
    const session = new RtpSession({
      open: () =>
        Promise.resolve({
          port: 2,
          close: () => undefined,
          send: (packet, at, port) => {
            if (isRtcp(packet)) to.push(`${at}:${String(port)} ${typesIn(packet).join(' ')}`);
          },
        }),
      pacer: new Pacer(clock, (play) => play()),
      clock,
      listener: () => undefined,
      onHeard: () => undefined,
      onFault: (error) => {
        throw error;
      },
    });
    await session.open();
    const agreed = { law: 'PCMU', sendEventType: undefined, receiveEventTypes: [], maySend: true, mayReceive: true };
    session.agree({ ...agreed, law: 'PCMU', host, port: 4000, alsoFrom: other, rtcpPort: 4001 });
    clock.advance(4000);
    const report = new Rtcp(them).write(0, sent, undefined);
    session.receive(report, '10.0.0.3', 9);
    session.receive(report.subarray(0, -1), other, 8);
    session.receive(report, other, 7);
    session.close();
    assert.deepEqual(to, ['10.0.0.1:4001 200 202', '10.0.0.2:7 200 202 203']);
  });
});
