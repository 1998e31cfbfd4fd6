import type { LoadStats, LoadTest, LoadVerdict } from '../../contract/loadTests.ts';
import { whyNotHeld } from '../../model/load/criteria.ts';
import { onOneLine } from '../terminal/controlCharacters.ts';
import { noColours, type Palette } from '../terminal/palette.ts';

export interface LoadReport {
  readonly file: string;
  readonly name: string;
  /** A number, an address or a practice IVR. */
  readonly target: string;
  readonly test: LoadTest;
  /** Why it failed, one sentence each. Empty if it passed. */
  readonly failures: readonly string[];
}

/** Decides whether the test passed: it ran to its end, calls were answered, and all criteria are met. */
export function reportLoad(rest: Omit<LoadReport, 'failures'>): LoadReport {
  const { status, reason, stats } = rest.test;
  const { outcome = 'pass', reason: why = outcome } = stats?.verdict ?? {};
  const notHeld = stats && whyNotHeld(stats)?.toString();
  return {
    ...rest,
    failures: [
      ...(status === 'completed' ? [] : [`The test wasn't completed: ${reason ?? status}`]),
      ...(notHeld === undefined ? [] : [notHeld]),
      ...(outcome === 'pass' || notHeld !== undefined ? [] : [why]),
    ],
  };
}

export function specLoadReport(
  { file, name, target, test, failures }: LoadReport,
  palette: Palette = noColours,
): string {
  const { stats, status, startedAt, completedAt } = test;
  const took =
    completedAt === undefined ? '' : ` in ${((Date.parse(completedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
  return `${[
    `${palette.strong(onOneLine(file))}  ${onOneLine(name)}  ${palette.faint(onOneLine(target))}`,
    `  ${status}${took}`,
    '',
    ...(stats ? [...figureLines(stats), ''] : []),
    ...(stats?.warnings ?? []).map((warning) => `  ${palette.unsure('!')} ${onOneLine(warning)}`),
    ...failures
      .filter((text) => text !== stats?.verdict?.reason)
      .map((text) => `  ${palette.bad('✖')} ${onOneLine(text)}`),
    ...verdictLines(stats?.verdict, palette),
    resultLine(stats?.verdict, failures.length > 0, palette),
  ].join('\n')}\n`;
}

function verdictLines(verdict: LoadVerdict | undefined, palette: Palette): string[] {
  const { outcome, reason = '', criteria = [] } = verdict ?? {};
  return [
    ...criteria.map(({ met, text, sinceSecond }) => {
      const since = sinceSecond === undefined ? '' : ` Broken since second ${String(sinceSecond)}.`;
      return `  ${met ? palette.good('✔') : palette.bad('✖')} ${onOneLine(text)}${since}`;
    }),
    ...(outcome === 'inconclusive' ? [`  ${palette.unsure('?')} ${onOneLine(reason)}`] : []),
  ];
}

function resultLine(verdict: LoadVerdict | undefined, isFailed: boolean, palette: Palette): string {
  if (isFailed && verdict?.outcome === 'inconclusive') return palette.unsure('inconclusive');
  if (isFailed) return palette.bad('not passed');
  return verdict ? palette.good('passed') : 'completed, without criteria';
}

function figureLines(stats: LoadStats): string[] {
  const { audio, caller, estimatedMos: mos, callsEndedEarly = 0, callsWithoutPrompt = 0 } = stats;
  const percentileRows = [
    percentileRow('post-dial delay', stats.postDialSeconds, 's', 3),
    percentileRow('answer', stats.answerSeconds, 's', 3),
    percentileRow('prompt', stats.promptSeconds, 's', 3),
    percentileRow('jitter', audio?.jitterMs, 'ms', 1),
    percentileRow('round trip', audio?.roundTripMs, 'ms', 1),
    percentileRow('timer delay', caller?.tickLatenessMs, 'ms', 1),
  ].flat();
  const calls = [
    `${grouped(stats.callsPlaced)} placed`,
    `${grouped(stats.callsAnswered)} answered`,
    stats.peakConcurrency !== undefined && `${grouped(stats.peakConcurrency)} simultaneous at the peak`,
    stats.setupsPerSecond !== undefined && `${stats.setupsPerSecond.toFixed(1)} per second`,
    `${(stats.callSeconds / 60).toFixed(1)} minutes`,
  ];
  return [
    row('calls', calls.filter((part) => part !== false).join(', ')),
    row('set-up success', percent(stats.setupSuccess)),
    row('outcomes', counts(stats.outcomes)),
    stats.hangUps && row('ended', counts(stats.hangUps)),
    callsEndedEarly > 0 && row('ended early', `${grouped(callsEndedEarly)}, before Dialtree hung up`),
    callsWithoutPrompt > 0 && row('without a prompt', grouped(callsWithoutPrompt)),
    percentileRows.length > 0 && '',
    percentileRows.length > 0 && row('', ['p50', 'p95', 'p99'].map((word) => word.padStart(column)).join('')),
    ...percentileRows,
    audio && '',
    audio && row('packets', `${grouped(audio.packetsReceived)} received, ${grouped(audio.packetsSent)} sent`),
    audio &&
      row(
        'loss',
        `${percent(audio.lossShare)}: ${grouped(audio.packetsLost)} lost, ${grouped(audio.packetsLate)} late`,
      ),
    audio?.packetsLostThere !== undefined &&
      row('reported loss', `${grouped(audio.packetsLostThere)} lost on the way to the called side`),
    mos &&
      row(
        'estimated MOS',
        `${mos.median.toFixed(2)} median, ${mos.p5.toFixed(2)} or more in 19 of 20 calls, worst ${mos.worst.toFixed(2)} (E-model, not a listening test)`,
      ),
    ...timelineLines(stats.timeline ?? []),
    ...testedLines(stats.tested),
  ].filter((line) => typeof line === 'string');
}

const shownFailures = 10;

function testedLines(tested: LoadStats['tested']): string[] {
  if (!tested) return [];
  const { steps, failures, unfinished } = tested;
  const outcomes = ({ passed, failed, inconclusive, errors }: typeof tested | (typeof steps)[number]): string =>
    counts({ passed, ...(failed && { failed }), ...(inconclusive && { inconclusive }), ...(errors && { errors }) });
  const stepText = (step: (typeof steps)[number]): string =>
    [
      outcomes(step),
      ...(step.notReached > 0 ? [`${grouped(step.notReached)} not reached`] : []),
      ...(step.responseSeconds ? [`response p95 ${step.responseSeconds.p95.toFixed(2)} s`] : []),
    ].join(', ');
  return [
    '',
    row('tests', `${outcomes(tested)}${unfinished > 0 ? `, ${grouped(unfinished)} cut off at the end` : ''}`),
    ...steps.map((step) => row(onOneLine(step.name).slice(0, label - 1), stepText(step))),
    ...failures
      .slice(0, shownFailures)
      .map(({ call, second, row: ofRow, reason, outcome }) =>
        row(
          `call ${String(call)}`,
          onOneLine(
            `after ${second.toFixed(0)} s${ofRow === undefined ? '' : `, row ${String(ofRow)}`}: ${reason ?? outcome}`,
          ),
        ),
      ),
  ];
}

const label = 17;
const column = 11;
const row = (name: string, text: string): string => `  ${name.padEnd(label)}${text}`.trimEnd();
const grouped = (count: number): string => count.toLocaleString('en-US');
/** Only all of them are 100 %. */
const percent = (share: number): string =>
  `${String(share === 1 ? 100 : Math.min(99.99, Number((share * 100).toFixed(2))))} %`;
const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${grouped(count)} ${onOneLine(name)}`)
    .join(', ') || 'none';

const percentileRow = (
  name: string,
  values: { readonly p50: number; readonly p95: number; readonly p99: number } | undefined,
  unit: string,
  digits: number,
): string[] =>
  values
    ? [
        row(
          name,
          [values.p50, values.p95, values.p99]
            .map((value) => `${value.toFixed(digits)} ${unit}`.padStart(column))
            .join(''),
        ),
      ]
    : [];

/** As many columns as fit beside the labels on a terminal with 80 columns. */
const timelineColumns = 60;
const bars = '▁▂▃▄▅▆▇█';

/** Draws the calls that were active each second, and failed calls if there are any. */
function timelineLines(timeline: NonNullable<LoadStats['timeline']>): string[] {
  const last = timeline.at(-1);
  if (!last || timeline.length < 2) return [];
  const failed = timeline.map((point, index) => point.failed - (timeline[index - 1]?.failed ?? 0));
  const activeCalls = timeline.map(({ active }) => active);
  const span = `${String(timeline[0]?.second ?? 0)}–${String(last.second)} s`;
  return [
    '',
    row('held', `${drawn(activeCalls)}  ${span}, maximum ${grouped(Math.max(...activeCalls))}`),
    ...(last.failed > 0 ? [row('failed', `${drawn(failed)}  ${grouped(last.failed)} in all`)] : []),
  ];
}

/** Draws one bar per column, for the highest value in that column. Zero has no bar. */
function drawn(values: readonly number[]): string {
  const columns = Math.min(timelineColumns, values.length);
  const highest = Math.max(...values);
  return Array.from({ length: columns }, (_none, index) => {
    const from = Math.floor((index * values.length) / columns);
    const to = Math.floor(((index + 1) * values.length) / columns);
    const part = values.slice(from, Math.max(to, from + 1));
    const value = Math.max(...part);
    return value <= 0 ? ' ' : (bars[Math.max(0, Math.ceil((value / highest) * bars.length) - 1)] ?? ' ');
  }).join('');
}
