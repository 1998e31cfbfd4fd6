import assert from 'node:assert/strict';
import { SoundClassifier } from '../../../src/speech/soundClassifier.ts';
import type { SoundEvent } from '../../../src/speech/soundClassifier.ts';

const rate = 8000;

interface Part {
  readonly hz: readonly number[];
  readonly ms: number;
}

function sound(parts: readonly Part[], noiseDb = -70): Int16Array {
  let seed = 7;
  const noise = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (seed / 0x3fffffff - 1) * 32_768 * 10 ** (noiseDb / 20) * 1.7;
  };
  const samples: number[] = [];
  for (const { hz, ms } of parts) {
    for (let at = 0; at < (ms * rate) / 1000; at += 1) {
      const tone = hz.reduce((sum, f) => sum + Math.sin((2 * Math.PI * f * at) / rate), 0);
      samples.push(Math.round(tone * 5000 + noise()));
    }
  }
  return Int16Array.from(samples);
}

function classify(pcm: Int16Array, speech = 0): SoundEvent[] {
  const classifier = new SoundClassifier();
  const events: SoundEvent[] = [];
  for (let at = 0; at + 256 <= pcm.length; at += 256)
    events.push(...classifier.feed(pcm.subarray(at, at + 256), speech));
  return events;
}

const classes = (pcm: Int16Array): string[] =>
  [...new Set(classify(pcm).map((event) => event.sound))].filter((name) => name !== 'silence');
const quiet = (ms: number): Part => ({ hz: [], ms });
const repeat = (times: number, ...parts: Part[]): Part[] => Array.from({ length: times }, () => parts).flat();

describe('SoundClassifier', () => {
  const cases: readonly (readonly [string, readonly Part[], readonly string[]])[] = [
    ['ringback of North America', [quiet(300), ...repeat(2, { hz: [440, 480], ms: 2000 }, quiet(4000))], ['ringback']],
    ['ringback of Europe', [quiet(300), ...repeat(2, { hz: [425], ms: 1000 }, quiet(4000))], ['ringback']],
    [
      'ringback of Britain',
      [quiet(300), ...repeat(2, { hz: [400, 450], ms: 400 }, quiet(200), { hz: [400, 450], ms: 400 }, quiet(2000))],
      ['ringback'],
    ],
    ['busy of North America', repeat(4, { hz: [480, 620], ms: 500 }, quiet(500)), ['busy']],
    ['busy of Europe', [quiet(300), ...repeat(4, { hz: [425], ms: 500 }, quiet(500))], ['busy']],
    ['congestion', [quiet(300), ...repeat(6, { hz: [480, 620], ms: 250 }, quiet(250))], ['busy']],
    [
      'special information tones',
      [quiet(300), { hz: [950], ms: 330 }, { hz: [1400], ms: 330 }, { hz: [1800], ms: 330 }, quiet(1000)],
      ['sit'],
    ],
    ['a beep of 1000 Hz', [quiet(600), { hz: [1000], ms: 400 }, quiet(1000)], ['beep']],
    ['a short beep of 440 Hz', [quiet(600), { hz: [440], ms: 300 }, quiet(1500)], ['beep']],
    ['a beep of 0.17 s', [quiet(600), { hz: [1400], ms: 170 }, quiet(1000)], ['shortBeep']],
    ['a low beep of 0.2 s', [quiet(600), { hz: [440], ms: 200 }, quiet(1500)], ['shortBeep']],
    ['a high beep', [quiet(600), { hz: [1600], ms: 400 }, quiet(1000)], ['beep']],
    ['two short notes', [quiet(600), { hz: [880], ms: 180 }, quiet(200), { hz: [660], ms: 180 }, quiet(1000)], []],
    ['a fax that calls', [quiet(600), { hz: [1100], ms: 500 }, quiet(3000)], ['fax']],
    ['a fax that answers', [quiet(600), { hz: [2100], ms: 3000 }, quiet(500)], ['fax']],
    [
      'DTMF',
      [quiet(300), ...repeat(6, { hz: [770, 1336], ms: 120 }, quiet(80)), { hz: [941, 1477], ms: 800 }, quiet(900)],
      [],
    ],
    ['low notes between others', repeat(6, { hz: [440], ms: 300 }, { hz: [262], ms: 300 }), []],
    [
      'a melody of pure notes',
      repeat(2, ...[262, 523, 466, 392, 440, 466, 262, 622, 587, 523, 587, 622].map((hz) => ({ hz: [hz], ms: 150 }))),
      ['music'],
    ],
    ['a tone of 100 ms', [quiet(500), { hz: [1000], ms: 100 }, quiet(1500)], []],
  ];
  for (const [name, parts, expected] of cases) {
    it(`classifies ${name} as ${expected.join() || 'nothing'}`, () => {
      assert.deepEqual(classes(sound(parts)), expected);
      assert.deepEqual(classes(sound(parts, -46)), expected, 'with line noise');
    });
  }

  it('classifies a beep of any pitch', () => {
    for (let hz = 440; hz <= 1600; hz += 11) {
      const [heard, ...others] = classes(sound([quiet(600), { hz: [hz], ms: 300 }, quiet(1500)]));
      assert.deepEqual([heard, others], ['beep', []], `${String(hz)} Hz`);
    }
  });

  it('classifies a quiet beep', () => {
    const quietly = sound([quiet(600), { hz: [690], ms: 400 }, quiet(1000)], -70).map((sample, at) =>
      at > 600 * 8 && at < 1000 * 8 ? Math.round(sample / 30) : sample,
    );
    assert.deepEqual(classes(quietly), ['beep']);
  });

  it('classifies a beep directly after words, while voice activity still reports speech', () => {
    const pcm = sound([{ hz: [210, 420, 1260, 2300], ms: 900 }, { hz: [690], ms: 400 }, quiet(1000)]);
    const classifier = new SoundClassifier();
    const heard: string[] = [];
    for (let at = 0; at + 256 <= pcm.length; at += 256)
      heard.push(...classifier.feed(pcm.subarray(at, at + 256), at < 1200 * 8 ? 0.9 : 0).map((event) => event.sound));
    assert.deepEqual(
      heard.filter((name) => name !== 'silence'),
      ['beep'],
    );
  });

  it('gives the start of a sound', () => {
    const event = classify(sound([quiet(1600), { hz: [440, 480], ms: 2000 }])).find(
      ({ sound: name }) => name === 'ringback',
    );
    assert.ok(event);
    assert.ok(Math.abs(event.sinceMs - 1600) <= 64, `began at ${event.sinceMs}`);
    assert.ok(event.atMs > event.sinceMs);
  });

  it('reports silence again every second', () => {
    const events = classify(new Int16Array(3.2 * rate));
    assert.deepEqual(
      events.map(({ sound: name, sinceMs }) => [name, sinceMs]),
      [
        ['silence', 0],
        ['silence', 0],
        ['silence', 0],
      ],
    );
  });

  it('classifies chords as music, except under speech or noise', () => {
    const chords = [
      [262, 330, 392, 785],
      [220, 277, 330, 659],
      [196, 247, 294, 587],
      [247, 311, 370, 740],
    ].flatMap((hz) => [{ hz, ms: 700 }]);
    const pcm = sound([...chords, ...chords]);
    assert.deepEqual([...new Set(classify(pcm).map((event) => event.sound))], ['music']);
    assert.deepEqual(classify(pcm, 0.9), []);
    assert.deepEqual(classify(sound([quiet(5000)], -25)), []);
  });
});
