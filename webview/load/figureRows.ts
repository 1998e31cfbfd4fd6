import type { LoadStats } from '../../src/contract/loadTests.ts';
import { decimalText, durationOf, figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import type { Percentiles } from './keyFigures.ts';
import { percentText } from './numbers.ts';

export interface MeasuredRow {
  readonly name: string;
  readonly unit: 's' | 'ms';
  readonly of: Percentiles;
  readonly meaning: string;
}

export function measuredRows(stats: LoadStats): MeasuredRow[] {
  const row = (name: string, unit: MeasuredRow['unit'], of: Percentiles | undefined, meaning: string): MeasuredRow[] =>
    of ? [{ name, unit, of, meaning }] : [];
  return [
    ...row(t('Post-dial delay'), 's', stats.postDialSeconds, t('INVITE to first ringing response')),
    ...row(t('Answer time'), 's', stats.answerSeconds, t('INVITE to answer')),
    ...row(t('Prompt time'), 's', stats.promptSeconds, t('answer to first sound')),
    ...row(t('Jitter'), 'ms', stats.audio?.jitterMs, t('interarrival jitter, measured at the end of each call')),
    ...row(t('Round trip'), 'ms', stats.audio?.roundTripMs, t('of packets, by the RTCP reports of the called side')),
    ...row(t('Timer delay'), 'ms', stats.caller?.tickLatenessMs, t('delay of the 20 ms timer on the calling machine')),
  ];
}

/** Figures other than the key figures, as names and values. */
type Singles = readonly (readonly [name: string, value: string])[];

const single = (name: string, value: number | undefined, text: (value: number) => string = figure): Singles =>
  value === undefined ? [] : [[name, text(value)]];

export const callRows = (stats: LoadStats): Singles => [
  ...single(t('Peak simultaneous calls'), stats.peakConcurrency),
  ...single(t('Calls placed per second'), stats.setupsPerSecond, (rate) => decimalText(rate, 1)),
  ...single(t('Total call time'), stats.callSeconds, durationOf),
  ...single(t('Answered calls that ended early'), stats.callsEndedEarly),
  ...single(t('Answered calls without a prompt'), stats.callsWithoutPrompt),
];

export const soundRows = ({ audio, caller, estimatedMos }: LoadStats): Singles => [
  ...single(t('Packets sent'), audio?.packetsSent),
  ...single(t('Packets received'), audio?.packetsReceived),
  ...single(t('Packets lost'), audio?.packetsLost),
  ...single(t('Packets that the called side reports as lost'), audio?.packetsLostThere),
  ...single(t('Packets too late to play'), audio?.packetsLate),
  ...single(t('Loss, including late packets'), audio?.lossShare, percentText),
  ...single(t('Frames concealed (20 ms each)'), audio?.framesConcealed),
  ...single(t('Estimated MOS exceeded by 19 of 20 calls'), estimatedMos?.p5, (mos) => decimalText(mos, 2)),
  ...single(t('Estimated MOS, worst call'), estimatedMos?.worst, (mos) => decimalText(mos, 2)),
  ...single(t('Skipped timer ticks (20 ms each)'), caller?.ticksMissed),
];
