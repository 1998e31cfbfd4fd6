import type { SoundClass } from './ear.ts';
import table from './lineTones.json' with { type: 'json' };

/** The tones of the countries that a caller can hear after dialling. */
type LineTone = Extract<SoundClass, 'ringback' | 'busy' | 'sit' | 'dial'>;

/** `low`: one or two frequencies within 340…530 Hz. `wide`: two further apart. */
export type ToneBand = 'low' | 'wide';

interface ToneRow {
  readonly tone: LineTone;
  /** In Hz: one, two at once (`+`), or one modulated by another (`*`). */
  readonly frequency: string;
  readonly band: ToneBand;
  readonly hz: number;
  /** Its level rises and falls by itself. */
  readonly beats: boolean;
  /** In milliseconds: on, off, on, … A single number is a tone without end. */
  readonly cadence: readonly number[];
  readonly countries: string;
}

function rowOf(tone: LineTone, line: string): ToneRow {
  const [frequency = '', cadence = '', ...countries] = line.split(' ');
  const parts = frequency.split(/[+*]/).map(Number);
  const [first = 0, second = first] = parts;
  const isSum = !frequency.includes('*');
  return {
    tone,
    frequency,
    band: first + (isSum ? 0 : second) > 530 || (isSum && second > 530) ? 'wide' : 'low',
    hz: isSum ? (first + second) / 2 : first,
    beats: parts.length > 1,
    cadence: cadence.split('/').map(Number),
    countries: countries.join(' '),
  };
}

export const lineTones: readonly ToneRow[] = (Object.keys(table.tones) as LineTone[]).flatMap((tone) =>
  table.tones[tone].map((line) => rowOf(tone, line)),
);

/** Tones of one band that follow each other. */
interface HeardCadence {
  readonly band: ToneBand;
  readonly hz: number;
  readonly beats: boolean;
  /** In milliseconds: on, off, on, … The last one continues. */
  readonly spans: readonly number[];
}

/** E.180 allows 10 %. Both edges of a span are measured to about 10 ms. */
const isShorter = (span: number, aim: number): boolean => span <= aim * 1.1 + 20;
const isLonger = (span: number, aim: number): boolean => span >= aim * 0.9 - 20;
/** Exchanges are off by up to 20 Hz, and noise moves the mean of two frequencies. */
const toleranceHz = 20;

function fits({ band, hz, beats, cadence }: ToneRow, heard: HeardCadence, isWhole: boolean): boolean {
  const { spans } = heard;
  if (band !== heard.band || (band === 'low' && Math.abs(hz - heard.hz) > toleranceHz)) return false;
  if (cadence[0] === Infinity && heard.beats && !beats) return false;
  return cadence.some(
    (_, start) =>
      start % 2 === 0 &&
      spans.every((span, at) => {
        const aim = cadence[(start + at) % cadence.length] ?? 0;
        const isOpen = at === spans.length - 1 || (at === 0 && !isWhole);
        return isShorter(span, aim) && (isOpen || isLonger(span, aim));
      }),
  );
}

/**
 * Returns the tone if all rows that fit what was heard so far are of one kind. The first burst may have begun before it
 * was heard, if no row fits otherwise.
 */
export function toneOfCadence(heard: HeardCadence): LineTone | undefined {
  const whole = lineTones.filter((row) => fits(row, heard, true));
  const found = whole.length > 0 ? whole : lineTones.filter((row) => fits(row, heard, false));
  const [first] = found;
  // The first two tones of an uneven cadence can also be a busy tone of which the first was cut off.
  const isEarly = heard.spans.length < 4 && (first?.cadence.length ?? 0) > 2 && first?.tone === 'dial';
  return isEarly || found.some(({ tone }) => tone !== first?.tone) ? undefined : first?.tone;
}
