import { limits } from '../../src/contract/limits.ts';
import type { LoadTest } from '../../src/contract/loadTests.ts';
import { counted, durationOf, figure } from '../shownRun.ts';
import { lengthOf } from './plan.ts';
import type { TimelinePoint } from './timelinePoint.ts';

type Status = LoadTest['status'];

export const statusWords: Readonly<Record<Status, string>> = { running: 'Running', completed: 'Completed', failed: 'Failed', aborted: 'Ended early' };

/** What is read out when a test has ended. */
export function endSentence({ status, reason, stats }: LoadTest): string {
  return [`${statusWords[status]}.`, reason, stats && `${figure(stats.callsAnswered)} of ${counted(stats.callsPlaced, 'call')} answered.`].filter((part) => part !== undefined).join(' ');
}

/** Warnings of the record; one of our own where an older record has only the mark. */
export function warningsOf({ stats }: LoadTest): readonly string[] {
  if (!stats) return [];
  const { warnings = [], caller } = stats;
  return warnings.length === 0 && caller?.limited === true ? ['The caller was the bottleneck: the calling machine was too slow for so many calls. Times, jitter and opinion score are partly its own.'] : warnings;
}

/** How it was asked for and how long it took, as names and values. */
export function courseOf(test: LoadTest): [name: string, value: string][] {
  const length = lengthOf(test);
  const { callsPerSecond, callSeconds, replace, keys } = test;
  return [
    ['Calls at once', figure(test.concurrency)],
    ['Ramp', test.rampSeconds === 0 ? 'none' : durationOf(test.rampSeconds)],
    ['Hold', durationOf(test.holdSeconds)],
    ...(callsPerSecond === undefined || callsPerSecond === limits.loadTest.callsPerSecond.max ? [] : [['At most', `${figure(callsPerSecond)} a second`] as [string, string]]),
    ...(callSeconds === undefined ? [] : [['Each call', durationOf(callSeconds)] as [string, string]]),
    ...(replace === true ? [['Ended calls', 'replaced'] as [string, string]] : []),
    ...(keys === undefined ? [] : [['Keys', keys.map(({ digits, afterSeconds }) => `${digits} after ${durationOf(afterSeconds)}`).join(', ')] as [string, string]]),
    ['Started', new Date(test.startedAt).toLocaleString()],
    ...(length === undefined ? [] : [['Length', durationOf(length)] as [string, string]]),
  ];
}

/** The timeline's chart in one sentence. */
export function timelineSentence(points: readonly TimelinePoint[], isRunning: boolean): string {
  const last = points.at(-1);
  if (!last) return 'Line chart, empty as yet.';
  const most = Math.max(...points.map(({ active }) => active));
  return `Line chart. ${isRunning ? 'So far' : 'In all'}, over ${counted(Math.round(last.second), 'second')}: ${counted(last.placed, 'call')} placed, ${figure(last.answered)} answered, ${figure(last.failed)} failed, at most ${figure(most)} active at one time.`;
}
