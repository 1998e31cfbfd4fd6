import type { MissionTestRun, RunOutcome, RunResults } from '../../contract/testRuns.ts';
import { verdictOutcomes } from '../../model/checks/outcomes.ts';
import { stepBlocks, type StepBlock } from '../../model/report/runBlocks.ts';
import type { RunEnding } from '../../runner/runTest.ts';
import type { ReportFinding, ReportTest } from './report.ts';

/** Returns how a run ended. A run that hasn't ended is an error. */
export const runOutcomeOf = ({ outcome }: RunResults): RunOutcome => outcome ?? 'ERROR';

/** Returns what went wrong in a run. A run that didn't pass has at least one finding. */
export function findingsOf(test: ReportTest, { results, mission }: RunEnding): ReportFinding[] {
  const outcome = runOutcomeOf(results);
  const findings = mission ? missionFindings(test, mission, outcome) : scriptFindings(test, results);
  if (outcome === 'PASS' || findings.some(({ optional }) => !optional)) return findings;
  const reason =
    mission?.reason ??
    results.reason ??
    (results.status === 'running'
      ? "The run didn't end."
      : mission
        ? 'The judge gave no reason.'
        : 'The run ended without giving a reason.');
  return [
    ...findings,
    {
      kind: 'run',
      outcome,
      optional: false,
      title: test.name,
      message: reason,
      details: mission ? [] : hangUp(results),
      ...lineOf(test.line),
    },
  ];
}

/**
 * Returns the steps of a script that no run reached after the failed one. `number` starts at 1. They add no
 * information, so they aren't findings.
 */
export function unreachedSteps(runs: readonly RunEnding[]): readonly Pick<StepBlock, 'number' | 'name'>[] {
  const steps = runs.flatMap(({ results, mission }) => (mission ? [] : stepBlocks(results)));
  const reached = new Set(steps.flatMap(({ number, state }) => (state === 'notReached' ? [] : number)));
  const unreached = new Map(steps.flatMap(({ number, name }) => (reached.has(number) ? [] : [[number, name]])));
  return [...unreached].map(([number, name]) => ({ number, name }));
}

/** Adds who hung up to the first required step that failed, unless Dialtree hung up. */
function scriptFindings(test: ReportTest, results: RunResults): ReportFinding[] {
  const failed = stepBlocks(results).filter(({ isToBlame }) => isToBlame);
  const first = failed.find(({ optional }) => optional !== true);
  return failed.map((step) => {
    const { number, name, outcome, optional, reason, similarity } = step;
    return {
      kind: 'step',
      outcome: outcome === 'PASS' ? 'FAIL' : outcome,
      optional: optional === true,
      title: name,
      message:
        reason ??
        (similarity === undefined
          ? 'The step failed without giving a reason.'
          : "What was heard doesn't match what was expected."),
      details: [...detailsOf(step), ...(step === first && results.hangUp?.by !== 'us' ? hangUp(results) : [])],
      ...lineOf(test.stepLines?.[number - 1]),
    };
  });
}

function detailsOf(step: StepBlock): [string, string][] {
  const { expectedTranscript, transcript, similarity, passThreshold, startMs } = step;
  const details: [string, string | undefined][] = [
    ['expected', expectedTranscript],
    ['heard', transcript],
    ['similarity', similarity?.toFixed(2)],
    ['needed', passThreshold?.toFixed(2)],
    ['at', startMs === undefined ? undefined : second(startMs)],
  ];
  return details.flatMap(([label, text]): [string, string][] => (text === undefined ? [] : [[label, text]]));
}

function missionFindings(test: ReportTest, mission: MissionTestRun, outcome: RunOutcome): ReportFinding[] {
  const checks = (mission.compliance ?? [])
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ check, verdict, evidence }): ReportFinding => {
      const found = verdictOutcomes[verdict];
      return {
        kind: 'compliance',
        outcome: found === 'PASS' ? 'FAIL' : found,
        optional: outcome === 'PASS',
        title: check,
        message: `The verdict of the check "${check}" is ${verdict}.`,
        details: evidence ? [['heard', quote(evidence)]] : [],
        ...lineOf(test.acceptanceLine ?? test.line),
      };
    });
  if (outcome === 'PASS') return checks;
  const message = mission.judgeReasoning ?? mission.reason;
  if (message === undefined) return checks;
  const details: [string, string][] = (mission.passEvidence ?? []).map((evidence) => ['heard', quote(evidence)]);
  if (mission.reason !== undefined && mission.reason !== message) details.push(['caller', mission.reason]);
  if (mission.unstable === true) details.push(['votes', "The judge's votes disagreed."]);
  return [
    {
      kind: outcome === 'ERROR' ? 'run' : 'acceptance',
      outcome,
      optional: false,
      title: test.name,
      message,
      details,
      ...lineOf(test.acceptanceLine ?? test.line),
    },
    ...checks,
  ];
}

const hangUp = ({ hangUp: end }: RunResults): [string, string][] => (end ? [['hang-up', end.sentence]] : []);
const second = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const quote = ({ quote: words, startMs }: { readonly quote: string; readonly startMs?: number | undefined }): string =>
  `"${words}"${startMs === undefined ? '' : ` (${second(startMs)})`}`;
const lineOf = (line: number | undefined): { line?: number } => (line === undefined ? {} : { line });
