import assert from 'node:assert/strict';
import { Rtcp, type Reception } from '../../../../src/telephony/rtp/rtcp.ts';
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
  it('reports as a sender only while it sends, and names itself at random', () => {
    const rtcp = new Rtcp(us);
    const packets = [sent, sent, { ...sent, packets: 8 }].map((one, at) => rtcp.write(at * 5000, one, source()));
    assert.deepEqual(
      packets.map((packet) => typesIn(packet)),
      [
        [200, 202],
        [201, 202],
        [200, 202],
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

  it('ignores reports about others, negative loss, and cut and lying packets', () => {
    const [near, far] = [new Rtcp(us), new Rtcp(them)];
    near.receive(far.write(0, sent, source({ ssrc: 5 })), 10);
    const packet = far.write(0, sent, source({ ssrc: us, expected: 1, received: 4 }));
    for (let length = 0; length < 32; length++) near.receive(packet.subarray(0, length), 10);
    for (const [at, value] of [
      [0, 0x41],
      [0, 0x9f],
      [1, 202],
      [2, 0xff],
    ] as const)
      near.receive(packet.with(at, value), 10);
    assert.deepEqual(near.remote, {});
    near.receive(packet, 10);
    assert.deepEqual(near.remote, { remoteLost: 0 });
  });

  it('comes at random times within half and one and a half intervals, at first sooner', () => {
    const all = Array.from({ length: 50 }, () => new Rtcp(us));
    const due = (now: number): number => all.filter((one) => one.isDue(now)).length;
    assert.deepEqual([due(0), due(1249), due(3751)], [0, 0, 50]);
    for (const one of all) one.write(0, sent, undefined);
    assert.deepEqual([due(2499), due(7501)], [0, 50]);
    assert.ok(due(5000) > 0 && due(5000) < 50);
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
});
