import assert from 'node:assert/strict';
import { decodeUlaw } from '../../../../src/base/g711.ts';
import { JitterBuffer } from '../../../../src/telephony/rtp/jitterBuffer.ts';
import { seededRandom } from '../../../support/telephonyLink.ts';

/** A buffer fed with packets whose payload is their number, and read once per 20 ms. */
class Bench {
  readonly buffer = new JitterBuffer();
  now = 0;
  /** Number of each frame; `c` if concealed. */
  readonly heard: string[] = [];

  put(n: number, options: { ssrc?: number; base?: number; timestamp?: number; samples?: number } = {}): boolean {
    const { ssrc = 1, base = 1000, timestamp = base * 160 + n * 160, samples = 160 } = options;
    return this.buffer.putAudio(
      {
        sequence: (base + n) & 0xffff,
        timestamp: timestamp >>> 0,
        ssrc,
        payload: new Uint8Array(samples).fill(0x80 + (n % 64)),
      },
      'PCMU',
      this.now,
    );
  }

  tick(times = 1): void {
    for (let i = 0; i < times; i++) {
      for (const frame of this.buffer.take())
        this.heard.push(frame.concealed ? 'c' : String(CODES.indexOf(frame.pcm[80] as number)));
      this.now += 20;
    }
  }

  /** Puts and plays frames alternately. */
  stream(from: number, to: number, options: Parameters<Bench['put']>[1] = {}): void {
    for (let n = from; n < to; n++) {
      this.put(n, options);
      this.tick();
    }
  }
}

const CODES = Array.from({ length: 64 }, (_, n) => decodeUlaw(Uint8Array.of(0x80 + n))[0] as number);
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => String((from + i) % 64));

describe('the jitter buffer', () => {
  it('waits 60 ms, then passes on every frame', () => {
    const bench = new Bench();
    bench.put(0);
    bench.tick(2);
    assert.deepEqual(bench.heard, []);
    bench.put(1);
    bench.put(2);
    bench.tick();
    assert.deepEqual(bench.heard, ['0']);
    bench.stream(3, 30);
    assert.deepEqual(bench.heard, numbers(0, 28));
  });

  it('survives the wrap of sequence numbers and timestamps', () => {
    const bench = new Bench();
    for (let n = 0; n < 40; n++) {
      bench.put(n, { base: 65_520, timestamp: 0xffffffff - 20 * 160 + n * 160 });
      bench.tick();
    }
    bench.tick(3);
    assert.deepEqual(bench.heard, numbers(0, 40));
    assert.deepEqual([bench.buffer.counters().lost, bench.buffer.counters().late], [0, 0]);
  });

  it('plays comfort noise as silence until the next packet, in time and without a loss', () => {
    const bench = new Bench();
    bench.stream(0, 10);
    bench.buffer.putNoise({ sequence: 1010, timestamp: 1010 * 160, ssrc: 1 }, bench.now);
    bench.tick(50);
    // Packet 11 of the sequence, whose time is that of 60.
    for (let n = 0; n < 10; n++) {
      bench.put(11 + n, { timestamp: (1060 + n) * 160 });
      bench.tick();
    }
    bench.tick(3);
    assert.deepEqual(bench.heard.slice(0, 10), numbers(0, 10));
    assert.deepEqual(new Set(bench.heard.slice(10, 60)), new Set(['-1']));
    assert.deepEqual(bench.heard.slice(60, 70), numbers(11, 21));
    const { lost, late, concealed, received } = bench.buffer.counters();
    assert.deepEqual([lost, late, concealed, received], [0, 0, 0, 21]);
  });

  it('puts reordered packets in order', () => {
    const bench = new Bench();
    for (const n of [0, 2, 1, 3, 5, 6, 4, 7, 8, 9]) {
      bench.put(n);
      bench.tick();
    }
    bench.tick(3);
    assert.deepEqual(bench.heard, numbers(0, 10));
  });

  it('conceals a lost packet and counts it', () => {
    const bench = new Bench();
    for (let n = 0; n < 20; n++) {
      if (n !== 7) bench.put(n);
      bench.tick();
    }
    bench.tick(4);
    assert.deepEqual(bench.heard.slice(0, 20), [...numbers(0, 7), 'c', ...numbers(8, 20)]);
    const { lost, concealed } = bench.buffer.counters();
    assert.deepEqual([lost, concealed], [1, 1]);
  });

  it('drops a packet that arrives after its place was concealed, as late', () => {
    const bench = new Bench();
    for (let n = 0; n < 20; n++) {
      if (n !== 7) bench.put(n);
      bench.tick();
    }
    assert.equal(bench.put(7), false);
    assert.equal(bench.buffer.counters().late, 1);
    bench.stream(20, 24);
    assert.ok(!bench.heard.slice(8).includes('7'));
  });

  it('plays everything after a network stall, without loss', () => {
    const bench = new Bench();
    bench.stream(0, 20);
    bench.tick(6);
    for (let n = 20; n < 26; n++) bench.put(n);
    bench.stream(26, 40);
    bench.tick(6);
    assert.deepEqual(bench.heard, numbers(0, 40));
  });

  it('plays silence when the sender stops, and continues when it resumes', () => {
    const bench = new Bench();
    bench.stream(0, 10);
    bench.tick(50);
    assert.ok(bench.heard.filter((frame) => frame === 'c').length > 35);
    // Its clock kept running (silence suppression): timestamps jump, sequence numbers don't.
    for (let n = 10; n < 20; n++) {
      bench.put(n, { timestamp: 1000 * 160 + (n + 50) * 160 });
      bench.tick();
    }
    bench.tick(6);
    assert.deepEqual(
      bench.heard.filter((frame) => frame !== 'c'),
      numbers(0, 20),
    );
    assert.equal(bench.buffer.counters().lost, 0);
  });

  it('continues after the sender itself has paused', () => {
    const bench = new Bench();
    bench.stream(0, 10);
    bench.tick(50);
    bench.stream(10, 20);
    bench.tick(4);
    assert.deepEqual(
      bench.heard.filter((frame) => frame !== 'c'),
      numbers(0, 20),
    );
  });

  it('accepts a new source at its second packet', () => {
    const bench = new Bench();
    bench.stream(0, 10);
    assert.equal(bench.put(0, { ssrc: 9, base: 5 }), false);
    bench.stream(10, 13);
    for (let n = 20; n < 30; n++) {
      bench.put(n, { ssrc: 2, base: 30_000 });
      bench.tick();
    }
    bench.tick(4);
    assert.deepEqual(bench.heard.slice(-9), numbers(21, 30));
  });

  it('adapts to the jitter between 40 and 120 ms', () => {
    const calm = new Bench(),
      rough = new Bench();
    calm.stream(0, 200);
    assert.equal(calm.buffer.targetDelayMs, 40);
    const random = seededRandom(3);
    for (let n = 0; n < 200; n++) {
      rough.now = n * 20 + random() * 150;
      rough.put(n);
    }
    assert.equal(rough.buffer.targetDelayMs, 120);
    const first = new Bench();
    first.put(0);
    assert.equal(first.buffer.targetDelayMs, 60);
  });

  it('splits packets of 10, 30 and 60 ms into frames of 20', () => {
    for (const samples of [80, 240, 480]) {
      const bench = new Bench();
      let frames = 0;
      for (let n = 0; n < 48; n++) {
        bench.put(0, { base: 1000 + n, timestamp: n * samples, samples });
        for (let tick = 0; tick < samples / 160; tick++)
          frames += bench.buffer.take().filter((frame) => !frame.concealed).length;
        if (samples === 80 && n % 2 === 1) frames += bench.buffer.take().filter((frame) => !frame.concealed).length;
      }
      frames += [1, 2, 3, 4, 5].flatMap(() => bench.buffer.take()).filter((frame) => !frame.concealed).length;
      assert.equal(frames, (48 * samples) / 160, String(samples));
    }
  });

  it('ignores duplicates, and empty or oversized payloads', () => {
    const bench = new Bench();
    bench.put(0);
    for (let n = 1; n < 20; n++) {
      bench.put(n);
      bench.put(n);
      bench.tick();
    }
    assert.equal(bench.put(20, { samples: 0 }), false);
    assert.equal(bench.put(20, { samples: 9000 }), false);
    bench.tick(4);
    assert.deepEqual(bench.heard, numbers(0, 20));
  });
});
