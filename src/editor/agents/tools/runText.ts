import type { MissionTestRun, RunResults, StepResult, Turn } from '../../../contract/testRuns.ts';
import type { Ending } from '../../../runner/runTest.ts';
import { joined } from '../../basics/words/markdownText.ts';
import type { Answer } from './answer.ts';

/** Turns at each end of a long call that a shorter text keeps. */
const keptTurns = 6;

/** Formats runs for a model: the verdict and its evidence first, then what failed, then what was said. */
export const runsAnswer = (runs: readonly Ending[]): Answer => {
  const all = (transcript: (turns: readonly Turn[]) => string[], steps: (step: StepResult) => boolean) => () =>
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

function runText(
  { results, mission }: Ending,
  transcript: (turns: readonly Turn[]) => string[],
  wanted: (step: StepResult) => boolean,
): string {
  const { runType, reason, hangUp, awaitsCallAt, steps, row } = results;
  const said = transcript(results.transcript ?? []);
  // The steps of a mission are the turns of its transcript.
  const shownSteps = (runType === 'mission' ? [] : steps)
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => wanted(step));
  const values = row && Object.entries(row).map(([column, value]) => `${column}=${value}`);
  return joined('\n', [
    headline(results),
    values && `Row: ${values.join(', ')}`,
    reason === undefined ? undefined : `Reason: ${reason}`,
    awaitsCallAt === undefined ? undefined : `It waits for their call at ${awaitsCallAt}.`,
    ...(mission ? verdictLines(mission) : []),
    hangUp && `End of the call: ${hangUp.sentence}`,
    ...(shownSteps.length === 0 ? [] : ['Steps:', ...shownSteps.map(({ step, index }) => stepLine(step, index))]),
    ...(said.length === 0 ? [] : ['Transcript:', ...said]),
  ]);
}

const headline = ({ id, runType, status, outcome, phoneNumber, callSeconds }: RunResults): string =>
  `Run ${id} (${runType}) of ${phoneNumber}: ${status === 'running' ? 'still running' : (outcome ?? 'ended')}${callSeconds === undefined ? '' : `, ${String(Math.round(callSeconds))} s of calls`}`;

function verdictLines({
  verdict,
  passReasoning,
  judgeReasoning,
  passEvidence = [],
  unstable,
}: MissionTestRun): (string | undefined)[] {
  return [
    verdict && `Verdict: ${verdict}${unstable === true ? " (the judge's votes disagreed)" : ''}`,
    ...[...new Set([judgeReasoning, passReasoning])].filter((sentence) => sentence !== ''),
    ...passEvidence.map(
      ({ quote, startMs }) => `Evidence${startMs === undefined ? '' : ` at ${clock(startMs)}`}: “${quote}”`,
    ),
  ];
}

function stepLine(
  { name, outcome, reason, transcript, expectedTranscript, similarity, passThreshold, latencyMs, optional }: StepResult,
  index: number,
): string {
  const facts = joined('; ', [
    reason,
    expectedTranscript === undefined || outcome === 'PASS' ? undefined : `expected “${expectedTranscript}”`,
    transcript === undefined || transcript === '' ? undefined : `heard “${transcript}”`,
    similarity === undefined ? undefined : `similarity ${similarity.toFixed(2)}`,
    passThreshold === undefined ? undefined : `${passThreshold.toFixed(2)} needed`,
    latencyMs === undefined ? undefined : `answered after ${(latencyMs / 1000).toFixed(1)} s`,
  ]);
  return `${String(index + 1)}. ${name}: ${outcome}${optional === true ? ' (optional)' : ''}${facts === '' ? '' : ` — ${facts}`}`;
}

export const turnText = ({ speaker, text }: Turn): string => `${speaker === 'us' ? 'we' : 'they'}: ${text}`;
const turnLine = (turn: Turn): string =>
  `${turn.startMs === undefined ? '' : `${clock(turn.startMs)} `}${turnText(turn)}`;
const wholeTranscript = (turns: readonly Turn[]): string[] => turns.map(turnLine);
const endsOfTranscript = (turns: readonly Turn[]): string[] =>
  turns.length <= 2 * keptTurns
    ? wholeTranscript(turns)
    : [
        ...turns.slice(0, keptTurns).map(turnLine),
        `… ${String(turns.length - 2 * keptTurns)} turns are left out`,
        ...turns.slice(-keptTurns).map(turnLine),
      ];

const clock = (milliseconds: number): string =>
  `${String(Math.floor(milliseconds / 60_000))}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, '0')}`;
