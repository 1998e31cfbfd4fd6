import { limits } from '../../src/contract/limits.ts';
import type { LoadStage, LoadTest, TimelinePoint } from '../../src/contract/loadTests.ts';
import { loadState } from '../../src/contract/runState.ts';
import { cutShortWords } from '../page/cutShort.ts';
import { callsText, secondsText } from '../page/countTexts.ts';
import { durationOf, figure, moment } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { lengthOf } from './plan.ts';

export const resultText = (test: Pick<LoadTest, 'status' | 'endedBy' | 'stats' | 'progress'>): string =>
  test.progress?.references === undefined
    ? resultWords[loadState(test)]
    : t('Reference call {0}', figure(test.progress.references));

const resultWords: Readonly<Record<ReturnType<typeof loadState>, string>> = {
  ...cutShortWords,
  running: t('Running'),
  unjudged: t('Completed, no criteria'),
  pass: t('Passed'),
  fail: t('Criteria not met'),
  inconclusive: t('Inconclusive'),
  failed: t('Failed'),
  aborted: t('Ended early'),
};

/** Read out when a test has ended. */
export function endSentence(test: LoadTest): string {
  const { reason, stats } = test;
  return [
    `${resultText(test)}.`,
    reason ?? stats?.verdict?.reason,
    stats && t('{0} of {1} answered.', figure(stats.callsAnswered), callsText(stats.callsPlaced)),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** Returns the warnings of the record, or a general one if an older record has only the mark. */
export function warningsOf({ stats }: LoadTest): readonly string[] {
  if (!stats) return [];
  const { warnings = [], caller } = stats;
  return warnings.length === 0 && caller?.limited === true
    ? [
        t(
          'The calling machine was too slow for this many calls and became a bottleneck. This affected the measured times, jitter and mean opinion score.',
        ),
      ]
    : warnings;
}

export function courseOf(test: LoadTest): [name: string, value: string][] {
  const length = lengthOf(test);
  const { stages = [], callsPerSecond, callSeconds, replace, keys } = test;
  return [
    [t('Simultaneous calls'), figure(test.concurrency)],
    [t('Ramp'), rampText(test.rampSeconds)],
    [t('Hold'), durationOf(test.holdSeconds)],
    ...(stages.length === 0 ? [] : [[t('Further stages'), stages.map(stageText).join('; ')] as [string, string]]),
    ...(callsPerSecond === undefined || callsPerSecond === limits.loadTest.callsPerSecond.max
      ? []
      : [[t('Maximum'), t('{0} per second', figure(callsPerSecond))] as [string, string]]),
    ...(callSeconds === undefined ? [] : [[t('Length of each call'), durationOf(callSeconds)] as [string, string]]),
    ...(replace === true ? [[t('Ended calls'), t('replaced by new calls')] as [string, string]] : []),
    ...(keys === undefined
      ? []
      : [
          [
            t('Keys'),
            keys.map(({ digits, afterSeconds }) => t('{0} after {1}', digits, durationOf(afterSeconds))).join(', '),
          ] as [string, string],
        ]),
    [t('Started'), moment(test.startedAt)],
    ...(length === undefined ? [] : [[t('Length'), durationOf(length)] as [string, string]]),
  ];
}

const rampText = (seconds: number): string => (seconds === 0 ? t('none') : durationOf(seconds));
const stageText = ({ concurrency, rampSeconds, holdSeconds }: LoadStage): string =>
  t('{0} (ramp: {1}, hold: {2})', callsText(concurrency), rampText(rampSeconds), durationOf(holdSeconds));

export function timelineSentence(points: readonly TimelinePoint[], isRunning: boolean): string {
  const last = points.at(-1);
  if (!last) return t('Line chart. No data yet.');
  const most = Math.max(...points.map(({ active }) => active));
  const values = [
    secondsText(Math.round(last.second)),
    callsText(last.placed),
    figure(last.answered),
    figure(last.failed),
    figure(most),
  ] as const;
  return isRunning
    ? t('Line chart. {0} so far: {1} placed, {2} answered, {3} failed, {4} active at the peak.', ...values)
    : t('Line chart. {0} in total: {1} placed, {2} answered, {3} failed, {4} active at the peak.', ...values);
}
