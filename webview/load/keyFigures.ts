import type { LoadStats, LoadTest } from '../../src/contract/loadTests.ts';
import { figure } from '../shownRun.ts';
import { millisecondsFigure, percentFigure, secondsFigure, secondsText } from './numbers.ts';

/** One of the figures that are looked at first. */
export interface KeyFigure {
  readonly name: string;
  /** Which value of many it is, or where it comes from. */
  readonly kind?: string;
  /** `noFigure` where there is none. */
  readonly value: string;
  readonly unit: string;
  readonly note: string;
  /** What it means, in a sentence. */
  readonly meaning: string;
  readonly parts: readonly (readonly [name: string, value: string])[];
  /** The caller was the bottleneck: this figure is partly its own. */
  readonly isPartlyOurs: boolean;
}

export type Percentiles = NonNullable<LoadStats['answerSeconds']>;
/** Stands where there is no value. */
export const noFigure = '–';

/** What the calls had in common, or, while they run, how far they are. */
export const keyFiguresOf = (test: LoadTest): KeyFigure[] => (test.stats ? ended(test.stats) : test.status === 'running' ? running(test) : []);

function running({ concurrency, replace, progress }: LoadTest): KeyFigure[] {
  const live = (name: string, value: number | undefined, note: string, meaning: string): KeyFigure => ({ name, value: value === undefined ? noFigure : figure(value), unit: '', note, meaning, parts: [], isPartlyOurs: false });
  return [
    live('Placed', progress?.placed, replace === true ? `${figure(concurrency)} at once` : `of ${figure(concurrency)}`, 'Calls for which an INVITE was sent.'),
    live('Answered', progress?.answered, 'so far', 'Calls that were answered, whether they still go on or not.'),
    live('Active', progress?.active, 'at this moment', 'Calls that are answered and go on.'),
    live('Failed', progress?.failed, 'so far', 'Calls that were not answered, or whose line broke.'),
  ];
}

function ended(stats: LoadStats): KeyFigure[] {
  const { audio, estimatedMos: mos } = stats;
  const isLimited = stats.caller?.limited ?? false;
  const times = (name: string, of: Percentiles | undefined, meaning: string, absent: string): KeyFigure => ({
    name, kind: 'p95', value: of ? secondsFigure(of.p95) : noFigure, unit: of ? 's' : '', note: of ? `half within ${secondsText(of.p50)}` : absent, meaning, parts: percentileParts(of, secondsText), isPartlyOurs: of !== undefined && isLimited,
  });
  const notAnswered = stats.callsAnswered === 0 ? 'no call was answered' : 'not recorded';
  const noAudio = stats.callsAnswered === 0 ? 'no call was answered' : 'no audio came back';
  const takenBack = stats.outcomes['cancelled'] ?? 0;
  return [
    {
      name: 'Set-up success', value: stats.callsPlaced === 0 ? noFigure : percentFigure(stats.setupSuccess), unit: stats.callsPlaced === 0 ? '' : '%',
      note: `${figure(stats.callsAnswered)} of ${figure(stats.callsPlaced)} answered`, meaning: 'Answered calls over those placed. Calls that we took back before they were answered do not count.',
      parts: [['Placed', figure(stats.callsPlaced)], ['Answered', figure(stats.callsAnswered)], ...(takenBack === 0 ? [] : [['Taken back', figure(takenBack)] as const])], isPartlyOurs: false,
    },
    times('Post-dial delay', stats.postDialSeconds, 'From the INVITE to the first ringing (18x), of the calls that rang.', stats.callsAnswered === 0 ? notAnswered : 'no call rang first'),
    times('Answer time', stats.answerSeconds, 'From the INVITE to the answer (200).', notAnswered),
    times('Prompt time', stats.promptSeconds, 'From the answer to the first sound, as a listener hears it.', stats.callsAnswered > 0 && stats.callsWithoutPrompt === stats.callsAnswered ? 'nothing was heard' : notAnswered),
    {
      name: 'Packet loss', value: audio ? percentFigure(audio.lossShare) : noFigure, unit: audio ? '%' : '', note: audio ? `${figure(audio.packetsLost)} lost, ${figure(audio.packetsLate)} late` : noAudio,
      meaning: 'Lost packets, and those too late to be played, over those expected.',
      parts: audio ? [['Expected', figure(audio.packetsReceived + audio.packetsLost)], ['Lost', figure(audio.packetsLost)], ['Late', figure(audio.packetsLate)], ['Frames concealed', figure(audio.framesConcealed)]] : [],
      isPartlyOurs: audio !== undefined && isLimited,
    },
    {
      name: 'Jitter', kind: 'p95', value: audio ? millisecondsFigure(audio.jitterMs.p95) : noFigure, unit: audio ? 'ms' : '', note: audio ? `half within ${millisecondsFigure(audio.jitterMs.p50)} ms` : noAudio,
      meaning: 'Interarrival jitter of each call at its end (RFC 3550).', parts: percentileParts(audio?.jitterMs, (ms) => `${millisecondsFigure(ms)} ms`), isPartlyOurs: audio !== undefined && isLimited,
    },
    {
      name: 'Estimated MOS', kind: 'median', value: mos ? mos.median.toFixed(2) : noFigure, unit: '', note: mos ? `worst call ${mos.worst.toFixed(2)}` : noAudio,
      meaning: 'Mean opinion score, 1 (bad) to 4.5, estimated by the E-model (ITU-T G.107) from loss, delay and codec. Nobody listened.',
      parts: mos ? [['Median', mos.median.toFixed(2)], ['19 of 20 better than', mos.p5.toFixed(2)], ['Worst call', mos.worst.toFixed(2)]] : [], isPartlyOurs: mos !== undefined && isLimited,
    },
  ];
}

function percentileParts(of: Percentiles | undefined, text: (value: number) => string): KeyFigure['parts'] {
  return of ? [['p50', text(of.p50)], ['p95', text(of.p95)], ['p99', text(of.p99)]] : [];
}
