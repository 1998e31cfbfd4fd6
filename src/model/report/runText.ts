import type { MissionTestRun, RunResults, Turn } from '../../contract/testRuns.ts';
import { clockTime, stepBlocks, verdictSentences, type StepBlock } from './runBlocks.ts';

interface HeardRun {
  readonly results: RunResults;
  readonly mission?: MissionTestRun | undefined;
}

/** Turns at each end of a long call that a shorter text keeps. */
const keptTurns = 6;

/** Formats runs for a model: the verdict and its evidence first, then what failed, then what was said. */
export const runsAnswer = (runs: readonly HeardRun[]): readonly [() => string, ...(() => string)[]] => {
  const all = (transcript: (turns: readonly Turn[]) => string[], steps: (step: StepBlock) => boolean) => () =>
    runs.map((run) => runText(run, transcript, steps)).join('\n\n');
  return [
    all(wholeTranscript, () => true),
    all(endsOfTranscript, () => true),
    all(
      () => [],
      ({ outcome }) => outcome !== 'PASS',
    ),
    () => runs.map(({ results }) => headline(results)).join('\n'),
  ];
};

/** Returns a run as text for a model: its verdict and evidence, then its steps or checks, then what was said. */
export function runText(
  { results, mission }: HeardRun,
  transcript: (turns: readonly Turn[]) => string[] = () => [],
  wanted: (step: StepBlock) => boolean = () => true,
): string {
  const { reason, hangUp, awaitsCallAt, row } = results;
  const said = transcript(results.transcript ?? []);
  const steps = stepBlocks(results, mission).filter(wanted);
  const values = row && Object.entries(row).map(([column, value]) => `${column}=${value}`);
  return joined('\n', [
    headline(results),
    values && `Row: ${values.join(', ')}`,
    reason === undefined ? undefined : `Reason: ${reason}`,
    awaitsCallAt === undefined ? undefined : `It waits for their call at ${awaitsCallAt}.`,
    ...(mission ? verdictLines(mission) : []),
    hangUp && `End of the call: ${hangUp.sentence}`,
    ...(steps.length === 0 ? [] : [mission ? 'Checks:' : 'Steps:', ...steps.map(stepLine)]),
    ...(said.length === 0 ? [] : ['Transcript:', ...said]),
  ]);
}

const headline = ({ id, runType, status, outcome, phoneNumber, callSeconds }: RunResults): string =>
  `Run ${id} (${runType}) of ${phoneNumber}: ${status === 'running' ? 'still running' : (outcome ?? 'ended')}${callSeconds === undefined ? '' : `, ${String(Math.round(callSeconds))} s of calls`}`;

function verdictLines(mission: MissionTestRun): (string | undefined)[] {
  const { verdict, passEvidence = [], unstable } = mission;
  return [
    verdict && `Verdict: ${verdict}${unstable === true ? " (the judge's votes disagreed)" : ''}`,
    ...verdictSentences(mission),
    ...passEvidence.map(
      ({ quote, startMs }) => `Evidence${startMs === undefined ? '' : ` at ${clockTime(startMs)}`}: “${quote}”`,
    ),
  ];
}

function stepLine(step: StepBlock): string {
  const { number, name, outcome, reason, transcript, expectedTranscript, match, latencyMs, optional } = step;
  const facts = joined('; ', [
    reason,
    expectedTranscript === undefined || outcome === 'PASS' ? undefined : `expected “${expectedTranscript}”`,
    transcript === undefined || transcript === '' ? undefined : `heard “${transcript}”`,
    match?.toString(),
    latencyMs === undefined ? undefined : `answered after ${(latencyMs / 1000).toFixed(1)} s`,
  ]);
  return `${String(number)}. ${name}: ${outcome}${optional === true ? ' (optional)' : ''}${facts === '' ? '' : ` — ${facts}`}`;
}

export const turnText = ({ speaker, text }: Turn): string => `${speaker === 'us' ? 'we' : 'they'}: ${text}`;
export const turnLine = (turn: Turn): string =>
  `${turn.startMs === undefined ? '' : `${clockTime(turn.startMs)} `}${turnText(turn)}`;
const wholeTranscript = (turns: readonly Turn[]): string[] => turns.map(turnLine);
const endsOfTranscript = (turns: readonly Turn[]): string[] =>
  turns.length <= 2 * keptTurns
    ? wholeTranscript(turns)
    : [
        ...turns.slice(0, keptTurns).map(turnLine),
        `… ${String(turns.length - 2 * keptTurns)} turns are left out`,
        ...turns.slice(-keptTurns).map(turnLine),
      ];

const joined = (separator: string, parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(separator);
