import type { LoadStats, LoadTest } from '../../src/contract/loadTests.ts';
import { fewestCalls, peakCalls } from '../../src/model/calls/loadCourse.ts';
import { decimalText, figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { millisecondsFigure, percentFigure, secondsFigure, loadSecondsText } from './numbers.ts';

export interface KeyFigure {
  readonly name: string;
  /** Which of several values it is, or where it comes from. */
  readonly kind?: string;
  /** `noFigure` if there is none. */
  readonly value: string;
  readonly unit: string;
  readonly note: string;
  readonly meaning: string;
  readonly parts: readonly (readonly [name: string, value: string])[];
  /** The caller was the bottleneck, so this figure is partly caused by it. */
  readonly isPartlyOurs: boolean;
}

export type Percentiles = NonNullable<LoadStats['answerSeconds']>;
export const noFigure = '–';

/** Returns the results of the calls or, while they run, their progress. */
export const keyFiguresOf = (test: LoadTest): KeyFigure[] =>
  test.stats ? ended(test.stats) : test.status === 'running' ? running(test) : [];

function running(test: LoadTest): KeyFigure[] {
  const { replace, stages, progress } = test;
  const peak = figure(peakCalls(test));
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
      replace !== true
        ? t('of {0}', figure(fewestCalls(test)))
        : stages
          ? t('up to {0} at a time', peak)
          : t('{0} at a time', peak),
      t('Calls for which an INVITE was sent.'),
    ),
    live(
      t('Answered'),
      progress?.answered,
      t('so far'),
      t('Calls that were answered, including those that have ended.'),
    ),
    live(t('Active'), progress?.active, t('at this moment'), t('Answered calls that are still in progress.')),
    live(t('Failed'), progress?.failed, t('so far'), t("Calls that weren't answered, or that were cut off.")),
  ];
}

function ended(stats: LoadStats): KeyFigure[] {
  const { audio, callsAnswered } = stats;
  const isLimited = stats.caller?.limited ?? false;
  /** `absent` says why there is none. */
  const measured = <Of>(
    of: Of | undefined,
    what: Pick<KeyFigure, 'name' | 'kind' | 'meaning'>,
    absent: string,
    shown: (of: Of) => Pick<KeyFigure, 'value' | 'unit' | 'note' | 'parts'>,
  ): KeyFigure => ({
    ...what,
    ...(of ? shown(of) : { value: noFigure, unit: '', note: absent, parts: [] }),
    isPartlyOurs: of !== undefined && isLimited,
  });
  const times = (name: string, of: Percentiles | undefined, meaning: string, absent: string): KeyFigure =>
    measured(of, { name, kind: 'p95', meaning }, absent, (seconds) => ({
      value: secondsFigure(seconds.p95),
      unit: 's',
      note: t('50% within {0}', loadSecondsText(seconds.p50)),
      parts: percentileParts(seconds, loadSecondsText),
    }));
  const isUnanswered = callsAnswered === 0;
  const notAnswered = isUnanswered ? t('no call was answered') : t('not recorded');
  const noAudio = isUnanswered ? t('no call was answered') : t('no audio came back');
  const isSilent = !isUnanswered && stats.callsWithoutPrompt === callsAnswered;
  return [
    setUpSuccess(stats),
    times(
      t('Post-dial delay'),
      stats.postDialSeconds,
      t('From the INVITE to the first ringing response (18x), for calls that rang.'),
      isUnanswered ? notAnswered : t('no call rang before it was answered'),
    ),
    times(t('Answer time'), stats.answerSeconds, t('From the INVITE to the answer (200).'), notAnswered),
    times(
      t('Prompt time'),
      stats.promptSeconds,
      t('From the answer to the first audible sound.'),
      isSilent ? t('nothing was heard') : notAnswered,
    ),
    measured(
      audio,
      {
        name: t('Packet loss'),
        meaning: t('Packets that were lost or too late to play, divided by the packets expected.'),
      },
      noAudio,
      ({ lossShare, packetsReceived, packetsLost, packetsLate, framesConcealed }) => ({
        value: percentFigure(lossShare),
        unit: '%',
        note: t('{0} lost, {1} late', figure(packetsLost), figure(packetsLate)),
        parts: [
          [t('Expected'), figure(packetsReceived + packetsLost)],
          [t('Lost'), figure(packetsLost)],
          [t('Late'), figure(packetsLate)],
          [t('Frames concealed'), figure(framesConcealed)],
        ],
      }),
    ),
    measured(
      audio?.jitterMs,
      {
        name: t('Jitter'),
        kind: 'p95',
        meaning: t('Interarrival jitter of each call, measured at the end of the call (RFC 3550).'),
      },
      noAudio,
      (jitter) => ({
        value: millisecondsFigure(jitter.p95),
        unit: 'ms',
        note: t('50% within {0}', `${millisecondsFigure(jitter.p50)} ms`),
        parts: percentileParts(jitter, (ms) => `${millisecondsFigure(ms)} ms`),
      }),
    ),
    measured(
      stats.estimatedMos,
      {
        name: t('Estimated MOS'),
        kind: t('median'),
        meaning: t(
          'Mean opinion score, from 1 (bad) to 4.5. It is an E-model estimate (ITU-T G.107) from loss, delay and codec, not a rating by listeners.',
        ),
      },
      noAudio,
      ({ median, p5, worst }) => ({
        value: decimalText(median, 2),
        unit: '',
        note: t('worst call {0}', decimalText(worst, 2)),
        parts: [
          [t('Median'), decimalText(median, 2)],
          [t('Exceeded by 19 of 20 calls'), decimalText(p5, 2)],
          [t('Worst call'), decimalText(worst, 2)],
        ],
      }),
    ),
  ];
}

function setUpSuccess({ callsPlaced, callsAnswered, setupSuccess, outcomes }: LoadStats): KeyFigure {
  const takenBack = outcomes['cancelled'] ?? 0;
  return {
    name: t('Set-up success'),
    value: callsPlaced === 0 ? noFigure : percentFigure(setupSuccess),
    unit: callsPlaced === 0 ? '' : '%',
    note: t('{0} of {1} answered', figure(callsAnswered), figure(callsPlaced)),
    meaning: t(
      "Answered calls divided by placed calls. Calls that Dialtree cancelled before they were answered aren't included.",
    ),
    parts: [
      [t('Placed'), figure(callsPlaced)],
      [t('Answered'), figure(callsAnswered)],
      ...(takenBack === 0 ? [] : [[t('Cancelled'), figure(takenBack)] as const]),
    ],
    isPartlyOurs: false,
  };
}

const percentileParts = ({ p50, p95, p99 }: Percentiles, text: (value: number) => string): KeyFigure['parts'] => [
  ['p50', text(p50)],
  ['p95', text(p95)],
  ['p99', text(p99)],
];
