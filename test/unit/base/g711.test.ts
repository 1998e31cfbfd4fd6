import assert from 'node:assert/strict';
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../../../src/base/g711.ts';
import { parseRtp, serialiseRtp } from '../../../src/telephony/rtp/packet.ts';

const allBytes = Uint8Array.from({ length: 256 }, (_, i) => i);

describe('G.711', () => {
  it('expands the end points of ITU-T G.711', () => {
    assert.deepEqual([...decodeUlaw(Uint8Array.of(0x00, 0x80, 0xff, 0x7f, 0xfe, 0x7e))], [-32124, 32124, 0, 0, 8, -8]);
    assert.deepEqual([...decodeAlaw(Uint8Array.of(0xaa, 0x2a, 0xd5, 0x55))], [32256, -32256, 8, -8]);
  });

  it('encodes every decoded code back to itself', () => {
    // Both zeros of µ-law decode to the same value; silence on the wire is 0xff.
    assert.deepEqual(
      encodeUlaw(decodeUlaw(allBytes)),
      allBytes.map((byte) => (byte === 0x7f ? 0xff : byte)),
    );
    assert.deepEqual(encodeAlaw(decodeAlaw(allBytes)), allBytes);
  });

  it('loses at most half a step', () => {
    const pcm = Int16Array.from({ length: 65536 }, (_, i) => i - 32768);
    for (const back of [decodeUlaw(encodeUlaw(pcm)), decodeAlaw(encodeAlaw(pcm))]) {
      for (let i = 0; i < pcm.length; i++) {
        const sample = pcm[i] as number;
        assert.ok(Math.abs((back[i] as number) - sample) <= (Math.abs(sample) + 260) / 32, String(sample));
      }
    }
  });
});

describe('RTP packets', () => {
  it('parse as they were written', () => {
    const packet = {
      payloadType: 101,
      marker: true,
      sequence: 65535,
      timestamp: 0xfffffff0,
      ssrc: 0x80000001,
      payload: Uint8Array.of(1, 2, 3),
    };
    assert.deepEqual(parseRtp(serialiseRtp(packet)), packet);
  });

  it('parse without contributing sources, extension and padding', () => {
    const datagram = Uint8Array.of(
      0xb1,
      0,
      0,
      1,
      0,
      0,
      0,
      2,
      0,
      0,
      0,
      3,
      /* csrc */ 9,
      9,
      9,
      9,
      /* extension */ 0,
      0,
      0,
      1,
      8,
      8,
      8,
      8,
      /* payload */ 42,
      /* padding */ 0,
      2,
    );
    assert.deepEqual([...(parseRtp(datagram)?.payload ?? [])], [42]);
  });

  it('fail to parse if their lengths contradict each other', () => {
    const good = [0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
    assert.ok(parseRtp(Uint8Array.from(good)));
    for (const bad of [
      good.slice(0, 11),
      [0x40, ...good.slice(1)],
      [0x8f, ...good.slice(1)],
      [0x90, ...good.slice(1)],
      [0xa0, ...good.slice(1), 0],
      [0xa0, ...good.slice(1), 200],
    ]) {
      assert.equal(parseRtp(Uint8Array.from(bad)), undefined);
    }
  });
});
