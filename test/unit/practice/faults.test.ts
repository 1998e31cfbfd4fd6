import assert from 'node:assert/strict';
import { faultsSchema } from '../../../src/contract/ivrFile.ts';
import { impairmentOf } from '../../../src/practice/faults.ts';
import { seededRandom } from '../../../src/practice/random.ts';
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../../../src/base/g711.ts';
import { ManualClock } from '../../support/manualClock.ts';

const samples = 160;

function packet(
  sequence: number,
  payloadType = 0,
  payload: Uint8Array = encodeUlaw(new Int16Array(samples)),
): Uint8Array {
  const bytes = new Uint8Array(12 + payload.length);
  bytes[0] = 0x80;
  bytes[1] = payloadType;
  new DataView(bytes.buffer).setUint16(2, sequence);
  bytes.set(payload, 12);
  return bytes;
}
const sequenceOf = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint16(2);

/** Returns what arrives of `count` packets sent every 20 ms. */
function through(
  faults: object,
  count: number,
  make: (sequence: number) => Uint8Array = (sequence) => packet(sequence),
): { at: number; bytes: Uint8Array }[] {
  const parsed = faultsSchema.parse(faults);
  const clock = new ManualClock();
  const impair = impairmentOf(parsed, seededRandom(parsed.seed), clock);
  const arrived: { at: number; bytes: Uint8Array }[] = [];
  for (let sequence = 0; sequence < count; sequence += 1) {
    impair?.(make(sequence), (bytes) => {
      arrived.push({ at: clock.now(), bytes: Uint8Array.from(bytes) });
    });
    clock.advance(20);
  }
  clock.advance(2000);
  return arrived;
}
const rms = (pcm: Int16Array): number => Math.sqrt(pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length);

describe('media faults', () => {
  it('change nothing if there are none', () =>
    assert.equal(
      impairmentOf(faultsSchema.parse({ rejectRate: 1, dropCallAfterMs: 5 }), Math.random, new ManualClock()),
      undefined,
    ));

  it('drop the given share of packets', () => {
    const lost = 1 - through({ loss: 0.1 }, 5000).length / 5000;
    assert.ok(Math.abs(lost - 0.1) < 0.015, `${String(lost)} lost`);
    assert.equal(through({ loss: 1 }, 50).length, 0);
  });

  it('delay each packet by up to the jitter, and can change their order', () => {
    const arrived = through({ jitterMs: 60 }, 300);
    assert.equal(arrived.length, 300);
    const delays = arrived.map(({ at, bytes }) => at - 20 * sequenceOf(bytes));
    assert.ok(Math.min(...delays) >= 0 && Math.max(...delays) <= 60);
    assert.ok(Math.max(...delays) > 50 && Math.min(...delays) < 10, 'the whole range is used');
    assert.notDeepEqual(
      arrived.map(({ bytes }) => sequenceOf(bytes)),
      Array.from({ length: 300 }, (_, index) => index),
    );
  });

  it('keep a delayed packet unchanged when the sender reuses its buffer', () => {
    const clock = new ManualClock();
    const impair = impairmentOf(faultsSchema.parse({ jitterMs: 50 }), () => 0.5, clock);
    const reused = packet(7);
    const seen: number[] = [];
    impair?.(reused, (bytes) => seen.push(sequenceOf(bytes)));
    new DataView(reused.buffer).setUint16(2, 8);
    clock.advance(50);
    assert.deepEqual(seen, [7]);
  });

  for (const [name, payloadType, encode, decode] of [
    ['µ-law', 0, encodeUlaw, decodeUlaw],
    ['A-law', 8, encodeAlaw, decodeAlaw],
  ] as const) {
    it(`add noise at the given level to ${name}`, () => {
      for (const noiseDb of [-20, -35]) {
        const arrived = through({ noiseDb }, 100, (sequence) =>
          packet(sequence, payloadType, encode(new Int16Array(samples))),
        );
        const heard = Int16Array.from(arrived.flatMap(({ bytes }) => [...decode(bytes.subarray(12))]));
        const level = 20 * Math.log10(rms(heard) / 32_767);
        assert.ok(Math.abs(level - noiseDb) < 1, `${level.toFixed(1)} dB where ${String(noiseDb)} was asked`);
      }
    });
  }

  it("leave telephone events and the sender's buffer alone", () => {
    const event = Uint8Array.of(1, 0x80, 0, 160);
    assert.deepEqual(through({ noiseDb: -10 }, 1, () => packet(0, 101, event))[0]?.bytes, packet(0, 101, event));
    const sent = packet(3);
    through({ noiseDb: -10 }, 1, () => sent);
    assert.deepEqual(sent, packet(3));
  });

  it('repeat for the same seed, and differ for another', () => {
    const faults = { loss: 0.2, jitterMs: 40, noiseDb: -30, seed: 5 };
    const story = (seed: number): string =>
      JSON.stringify(through({ ...faults, seed }, 200).map(({ at, bytes }) => [at, [...bytes]]));
    assert.equal(story(5), story(5));
    assert.notEqual(story(5), story(6));
  });
});

describe('seeded random numbers', () => {
  it('cover 0 to 1 evenly for any seed', () => {
    for (const seed of [0, 1, -1, 2 ** 31, 123_456_789]) {
      const random = seededRandom(seed);
      const numbers = Array.from({ length: 10_000 }, random);
      assert.ok(numbers.every((value) => value >= 0 && value < 1));
      for (let tenth = 0; tenth < 10; tenth += 1) {
        const share = numbers.filter((value) => Math.floor(value * 10) === tenth).length / numbers.length;
        assert.ok(Math.abs(share - 0.1) < 0.02, `seed ${String(seed)}: ${String(share)} in tenth ${String(tenth)}`);
      }
    }
  });
});
