import type { LoadStats, LoadTest } from '../../src/contract/loadTests.ts';
import { decimal, figure } from '../formats.ts';
import { t } from '../l10n.ts';
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
export const keyFiguresOf = (test: LoadTest): KeyFigure[] =>
  test.stats ? ended(test.stats) : test.status === 'running' ? running(test) : [];

function running({ concurrency, replace, progress }: LoadTest): KeyFigure[] {
  const live = (name: string, value: number | undefined, note: string, meaning: string): KeyFigure => ({
    name,
    value: value === undefined ? noFigure : figure(value),
    unit: '',
    note,
    meaning,
    parts: [],
    isPartlyOurs: false,
  });
  return [
    live(
      t('Placed'),
      progress?.placed,
      replace === true ? t('{0} at once', figure(concurrency)) : t('of {0}', figure(concurrency)),
      t('Calls for which an INVITE was sent.'),
    ),
    live(
      t('Answered'),
      progress?.answered,
      t('so far'),
      t('Calls that were answered, whether they still go on or not.'),
    ),
    live(t('Active'), progress?.active, t('at this moment'), t('Calls that are answered and go on.')),
    live(t('Failed'), progress?.failed, t('so far'), t('Calls that were not answered, or whose line broke.')),
  ];
}

function ended(stats: LoadStats): KeyFigure[] {
  const { audio, estimatedMos: mos } = stats;
  const isLimited = stats.caller?.limited ?? false;
  const times = (name: string, of: Percentiles | undefined, meaning: string, absent: string): KeyFigure => ({
    name,
    kind: 'p95',
    value: of ? secondsFigure(of.p95) : noFigure,
    unit: of ? 's' : '',
    note: of ? t('half within {0}', secondsText(of.p50)) : absent,
    meaning,
    parts: percentileParts(of, secondsText),
    isPartlyOurs: of !== undefined && isLimited,
  });
  const notAnswered = stats.callsAnswered === 0 ? t('no call was answered') : t('not recorded');
  const noAudio = stats.callsAnswered === 0 ? t('no call was answered') : t('no audio came back');
  const takenBack = stats.outcomes['cancelled'] ?? 0;
  return [
    {
      name: t('Set-up success'),
      value: stats.callsPlaced === 0 ? noFigure : percentFigure(stats.setupSuccess),
      unit: stats.callsPlaced === 0 ? '' : '%',
      note: t('{0} of {1} answered', figure(stats.callsAnswered), figure(stats.callsPlaced)),
      meaning: t('Answered calls over those placed. Calls that we took back before they were answered do not count.'),
      parts: [
        [t('Placed'), figure(stats.callsPlaced)],
        [t('Answered'), figure(stats.callsAnswered)],
        ...(takenBack === 0 ? [] : [[t('Taken back'), figure(takenBack)] as const]),
      ],
      isPartlyOurs: false,
    },
    times(
      t('Post-dial delay'),
      stats.postDialSeconds,
      t('From the INVITE to the first ringing (18x), of the calls that rang.'),
      stats.callsAnswered === 0 ? notAnswered : t('no call rang first'),
    ),
    times(t('Answer time'), stats.answerSeconds, t('From the INVITE to the answer (200).'), notAnswered),
    times(
      t('Prompt time'),
      stats.promptSeconds,
      t('From the answer to the first sound, as a listener hears it.'),
      stats.callsAnswered > 0 && stats.callsWithoutPrompt === stats.callsAnswered
        ? t('nothing was heard')
        : notAnswered,
    ),
    {
      name: t('Packet loss'),
      value: audio ? percentFigure(audio.lossShare) : noFigure,
      unit: audio ? '%' : '',
      note: audio ? t('{0} lost, {1} late', figure(audio.packetsLost), figure(audio.packetsLate)) : noAudio,
      meaning: t('Lost packets, and those too late to be played, over those expected.'),
      parts: audio
        ? [
            [t('Expected'), figure(audio.packetsReceived + audio.packetsLost)],
            [t('Lost'), figure(audio.packetsLost)],
            [t('Late'), figure(audio.packetsLate)],
            [t('Frames concealed'), figure(audio.framesConcealed)],
          ]
        : [],
      isPartlyOurs: audio !== undefined && isLimited,
    },
    {
      name: t('Jitter'),
      kind: 'p95',
      value: audio ? millisecondsFigure(audio.jitterMs.p95) : noFigure,
      unit: audio ? 'ms' : '',
      note: audio ? t('half within {0}', `${millisecondsFigure(audio.jitterMs.p50)} ms`) : noAudio,
      meaning: t('Interarrival jitter of each call at its end (RFC 3550).'),
      parts: percentileParts(audio?.jitterMs, (ms) => `${millisecondsFigure(ms)} ms`),
      isPartlyOurs: audio !== undefined && isLimited,
    },
    {
      name: t('Estimated MOS'),
      kind: t('median'),
      value: mos ? decimal(mos.median, 2) : noFigure,
      unit: '',
      note: mos ? t('worst call {0}', decimal(mos.worst, 2)) : noAudio,
      meaning: t(
        'Mean opinion score, 1 (bad) to 4.5, estimated by the E-model (ITU-T G.107) from loss, delay and codec. Nobody listened.',
      ),
      parts: mos
        ? [
            [t('Median'), decimal(mos.median, 2)],
            [t('19 of 20 better than'), decimal(mos.p5, 2)],
            [t('Worst call'), decimal(mos.worst, 2)],
          ]
        : [],
      isPartlyOurs: mos !== undefined && isLimited,
    },
  ];
}

function percentileParts(of: Percentiles | undefined, text: (value: number) => string): KeyFigure['parts'] {
  return of
    ? [
        ['p50', text(of.p50)],
        ['p95', text(of.p95)],
        ['p99', text(of.p99)],
      ]
    : [];
}
