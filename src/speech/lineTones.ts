import type { SoundClass } from './ear.ts';

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

/**
 * ITU-T E.180 Supplement 2, with the plans of national carriers where they differ: frequency, cadence, countries (ISO
 * 3166; US50 is the plan of North America before 1960). Congestion counts as busy. Pulses shorter than 120 ms, tones that
 * only the called side hears, and special information tones of three frequencies aren't in the table.
 */
const table: Readonly<Record<LineTone, string>> = {
  ringback: `
    425 1000/4000 BG BR CH CZ DE DK EE FI GR ID IT LT MX NL NO PL RU VE AR
    425 1000/5000 SE PT
    420 1000/5000 AT TH
    425 1000/3000 BE
    400 1000/3000 CL
    414 1000/3000 IL
    450 1000/4000 CN
    450 2000/4000 TR
    440 1500/3500 FR
    425 1500/3000 ES
    425 1250/3750 HU
    400*16 1000/2000 JP
    425 400/200/400/2000 MY
    413+438 400/200/400/2000 AU
    400+450 400/200/400/2000 GB NZ IE
    400*25 400/200/400/2000 IN
    400*33 400/200/400/2000 ZA
    425*24 400/200/400/2000 SG
    425+480 1000/4000 PH
    440+480 2000/4000 US CA
    440+480 1000/2000 TW KR
    440+480 400/200/400/3000 HK
    420*40 2000/4000 US50`,
  busy: `
    425 500/500 BE BG CH DK ID IT MY NL NO PL PT VE IE
    425 480/480 DE
    425 375/375 AU
    425 350/350 LT RU
    425 330/330 CZ
    425 300/300 EE FI GR HU
    425 300/200 AR
    425 250/250 BR MX SE BG ID NL SG VE
    425 240/240 DE
    425 200/200 ES CH DK EE FI GR IT LT NO PT
    425 167/167 BE CZ RU
    425 750/750 SG
    425 250/750 SE
    425 250/250/750/250 BR
    425 200/200/200/200/200/600 ES
    420 400/400 AT
    420 200/200 AT
    400 500/500 CL JP NZ TH ZA
    400 750/750 IN
    400 375/375 GB
    400 300/300 TH
    400 250/250 IN NZ ZA
    400 200/200 CL
    400 400/350/225/525 GB
    414 500/500 IL
    414 250/250 IL
    440 500/500 FR
    440 250/250 FR
    450 350/350 CN
    450 700/700 CN
    450 500/500 TR
    450 200/200/200/200/200/200/600/200 TR
    480+620 500/500 US CA PH TW KR HK
    480+620 250/250 US CA PH TW HK
    480+620 300/200 KR
    500*100 500/500 US50
    500*100 250/250 US50`,
  sit: `
    400 750/100/750/100/750/100/750/400 NZ
    425 2500/500 AU SG`,
  dial: `
    425 Infinity BE BG BR CH DE DK EE ES FI HU ID LT MX MY NL NO PH PL PT RU SE SG VE AR IE
    420 Infinity AT
    414 Infinity IL
    400 Infinity CL JP NZ GB
    440 Infinity FR
    450 Infinity CN TR
    350+440 Infinity US CA GB TW KR HK
    413+438 Infinity AU
    400*25 Infinity IN
    400*33 Infinity ZA
    400*50 Infinity TH
    425 330/330/660/660 CZ
    425 200/300/700/800 GR
    425 200/200/600/1000 IT`,
};

function rowOf(tone: LineTone, line: string): ToneRow {
  const [frequency = '', cadence = '', ...countries] = line.trim().split(' ');
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

export const lineTones: readonly ToneRow[] = (Object.keys(table) as LineTone[]).flatMap((tone) =>
  table[tone]
    .trim()
    .split('\n')
    .map((line) => rowOf(tone, line)),
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
