import type { LoadTest, LoadVerdict, TimelinePoint } from '../../src/contract/loadTests.ts';
import { callsText } from '../page/countTexts.ts';
import { figure } from '../page/formats.ts';
import { t } from '../page/l10n.ts';
import { momentText } from './numbers.ts';
import { stagesOf } from './plan.ts';

export interface TimelineMark {
  readonly second: number;
  readonly kind: 'stage' | 'broken' | 'rate';
  readonly text: string;
}

/** In the order of time. */
export function marksOf(test: LoadTest): TimelineMark[] {
  const { verdict, rateHalvedAtSeconds = [] } = test.stats ?? {};
  return [
    ...stageMarks(test),
    ...brokenMarks(verdict?.criteria ?? []),
    ...rateHalvedAtSeconds.map((second): TimelineMark => ({ second, kind: 'rate', text: t('Rate halved') })),
  ].toSorted((one, other) => one.second - other.second);
}

/** Returns what happened at each point, or since the one before it. The timeline of a long test omits seconds. */
export function eventsOf(
  points: readonly TimelinePoint[],
  marks: readonly TimelineMark[],
): ReadonlyMap<TimelinePoint, string> {
  const last = points.at(-1);
  const events = new Map<TimelinePoint, string>();
  if (!last) return events;
  for (const { second, kind, text } of marks) {
    const point = points.find((one) => one.second >= second) ?? (kind === 'stage' ? undefined : last);
    if (!point) continue;
    const said = point.second === second ? text : `${momentText(second, last.second)}: ${text}`;
    events.set(point, [events.get(point), said].filter((part) => part !== undefined).join('; '));
  }
  return events;
}

/** The first ramp and hold, or all stages if there are several. A ramp of less than a second isn't visible. */
function stageMarks(test: LoadTest): TimelineMark[] {
  const stages = stagesOf(test);
  const [{ rampEndsAt }] = stages;
  if (stages.length > 1)
    return stages.map(({ startsAt, concurrency }, index) => ({
      second: startsAt,
      kind: 'stage',
      text: `${t('Stage {0}', figure(index + 1))}: ${callsText(concurrency)}`,
    }));
  const phase = (second: number, text: string): TimelineMark => ({ second, kind: 'stage', text });
  return rampEndsAt < 1 ? [] : [phase(0, t('Ramp')), phase(rampEndsAt, t('Hold'))];
}

/** Criteria that broke in the same second have one mark. */
function brokenMarks(criteria: LoadVerdict['criteria']): TimelineMark[] {
  const since = (at: number): LoadVerdict['criteria'] =>
    criteria.filter(({ met, sinceSecond }) => !met && sinceSecond === at);
  const seconds = new Set(criteria.map(({ sinceSecond }) => sinceSecond).filter((second) => second !== undefined));
  return [...seconds].flatMap((second): TimelineMark[] => {
    const broken = since(second);
    if (broken.length === 0) return [];
    const names = broken.map(({ name }) => figureNames[name]).join(', ');
    return [{ second, kind: 'broken', text: t('Not met: {0}', names) }];
  });
}

const figureNames: Readonly<Record<LoadVerdict['criteria'][number]['name'], string>> = {
  minPassed: t('Passed calls'),
  minSetupSuccess: t('Set-up success'),
  maxPostDialP95Seconds: t('Post-dial delay, p95'),
  maxAnswerP95Seconds: t('Answer time, p95'),
  maxPromptP95Seconds: t('Prompt time, p95'),
  maxResponseP95Seconds: t('Response time, p95'),
  maxLoss: t('Packet loss'),
  maxJitterP95Ms: t('Jitter, p95'),
  minMos: t('Estimated MOS'),
};
