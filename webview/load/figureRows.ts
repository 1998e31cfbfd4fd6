import type { LoadStats } from '../../src/contract/loadTests.ts';
import { durationOf, figure } from '../shownRun.ts';
import type { Percentiles } from './keyFigures.ts';
import { percentText } from './numbers.ts';

/** A measured quantity with its percentiles, in one unit. */
export interface MeasuredRow { readonly name: string; readonly unit: 's' | 'ms'; readonly of: Percentiles; readonly meaning: string }

/** The times of which there are any. */
export function measuredRows(stats: LoadStats): MeasuredRow[] {
  const row = (name: string, unit: MeasuredRow['unit'], of: Percentiles | undefined, meaning: string): MeasuredRow[] => (of ? [{ name, unit, of, meaning }] : []);
  return [
    ...row('Post-dial delay', 's', stats.postDialSeconds, 'INVITE to first ringing'),
    ...row('Answer time', 's', stats.answerSeconds, 'INVITE to answer'),
    ...row('Prompt time', 's', stats.promptSeconds, 'answer to first sound'),
    ...row('Jitter', 'ms', stats.audio?.jitterMs, 'between arrivals, at a call’s end'),
    ...row('Lateness of our own tick', 'ms', stats.caller?.tickLatenessMs, 'the calling machine, due every 20 ms'),
  ];
}

/** Figures that are no key figures, as names and values. */
type Singles = readonly (readonly [name: string, value: string])[];

const single = (name: string, value: number | undefined, text: (value: number) => string = figure): Singles => (value === undefined ? [] : [[name, text(value)]]);

export const callRows = (stats: LoadStats): Singles => [
  ...single('Most calls at one time', stats.peakConcurrency),
  ...single('Calls placed a second', stats.setupsPerSecond, (rate) => rate.toFixed(1)),
  ...single('Time of all calls together', stats.callSeconds, durationOf),
  ...single('Answered calls that ended early', stats.callsEndedEarly),
  ...single('Answered calls without a prompt', stats.callsWithoutPrompt),
];

export const soundRows = ({ audio, caller, estimatedMos }: LoadStats): Singles => [
  ...single('Packets sent', audio?.packetsSent),
  ...single('Packets received', audio?.packetsReceived),
  ...single('Packets lost', audio?.packetsLost),
  ...single('Packets too late to be played', audio?.packetsLate),
  ...single('Loss, late ones included', audio?.lossShare, percentText),
  ...single('Frames concealed (20 ms each)', audio?.framesConcealed),
  ...single('Estimated MOS, 19 of 20 calls better than', estimatedMos?.p5, (mos) => mos.toFixed(2)),
  ...single('Estimated MOS, worst call', estimatedMos?.worst, (mos) => mos.toFixed(2)),
  ...single('Ticks of 20 ms that we left out', caller?.ticksMissed),
];
