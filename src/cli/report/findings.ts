import type { MissionTestRun, RunOutcome, StepResult } from '../../contract/testRuns.ts';
import type { Finding, ReportRun, ReportTest } from './report.ts';
import { verdictOutcomes } from '../../model/checks/outcomes.ts';

type Results = ReportRun['results'];
const isMission = (results: Results): results is MissionTestRun => !('steps' in results);

/** Returns how a run ended. A run that hasn't ended is an error. */
export function outcomeOf(results: Results): RunOutcome {
  if (isMission(results)) return results.verdict === undefined ? 'ERROR' : verdictOutcomes[results.verdict];
  return results.outcome ?? 'ERROR';
}

/** Returns what went wrong in a run. A run that didn't pass has at least one finding. */
export function findingsOf(test: ReportTest, { results }: ReportRun): Finding[] {
  const outcome = outcomeOf(results);
  const findings = isMission(results)
    ? missionFindings(test, results, outcome)
    : withHangUp(
        results,
        results.steps.flatMap((step, index) => stepFinding(step, test.stepLines?.[index])),
      );
  if (outcome === 'PASS' || findings.some(({ optional }) => !optional)) return findings;
  const reason =
    results.reason ??
    (results.status === 'running'
      ? "The run didn't end."
      : isMission(results)
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
      details: isMission(results) ? [] : hangUp(results),
      ...lineOf(test.line),
    },
  ];
}

/** If an undecided step of a script has no time in the call, the run didn't reach it. */
const isReached = ({ outcome, startMs }: StepResult): boolean => outcome !== 'INCONCLUSIVE' || startMs !== undefined;

/**
 * Returns the steps of a script that no run reached after the failed one. `number` starts at 1. They add no
 * information, so they aren't findings.
 */
export function unreachedSteps(runs: readonly ReportRun[]): { readonly number: number; readonly name: string }[] {
  const reached = new Map<number, { readonly name: string; readonly reached: boolean }>();
  for (const { results } of runs) {
    if (isMission(results)) continue;
    for (const [index, step] of results.steps.entries())
      reached.set(index, { name: step.name, reached: reached.get(index)?.reached === true || isReached(step) });
  }
  return [...reached].flatMap(([index, step]) => (step.reached ? [] : [{ number: index + 1, name: step.name }]));
}

function stepFinding(step: StepResult, line: number | undefined): Finding[] {
  if (step.outcome === 'PASS' || !isReached(step)) return [];
  const details: [string, string][] = [];
  if (step.expectedTranscript !== undefined) details.push(['expected', step.expectedTranscript]);
  if (step.transcript !== undefined) details.push(['heard', step.transcript]);
  if (step.similarity !== undefined) details.push(['similarity', step.similarity.toFixed(2)]);
  if (step.passThreshold !== undefined) details.push(['needed', step.passThreshold.toFixed(2)]);
  if (step.startMs !== undefined) details.push(['at', second(step.startMs)]);
  const message =
    step.reason ??
    (step.similarity === undefined
      ? 'The step failed without giving a reason.'
      : "What was heard doesn't match what was expected.");
  return [
    {
      kind: 'step',
      outcome: step.outcome,
      optional: step.optional === true,
      title: step.name,
      message,
      details,
      ...lineOf(line),
    },
  ];
}

function missionFindings(test: ReportTest, results: MissionTestRun, outcome: RunOutcome): Finding[] {
  const checks = (results.compliance ?? [])
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ check, verdict, evidence }): Finding => {
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
  const message = results.judgeReasoning ?? results.reason;
  if (message === undefined) return checks;
  const details: [string, string][] = (results.passEvidence ?? []).map((evidence) => ['heard', quote(evidence)]);
  if (results.reason !== undefined && results.reason !== message) details.push(['caller', results.reason]);
  if (results.unstable === true) details.push(['votes', "The judge's votes disagreed."]);
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

/** Adds who hung up to the first required step that failed, unless Dialtree hung up. */
function withHangUp(results: Exclude<Results, MissionTestRun>, findings: readonly Finding[]): Finding[] {
  const first = findings.findIndex(({ optional }) => !optional);
  return findings.map((finding, index) =>
    index === first && results.hangUp?.by !== 'us'
      ? { ...finding, details: [...finding.details, ...hangUp(results)] }
      : finding,
  );
}

const hangUp = ({
  hangUp: end,
}: {
  readonly hangUp?: { readonly sentence: string } | undefined;
}): [string, string][] => (end ? [['hang-up', end.sentence]] : []);
const second = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const quote = ({ quote: words, startMs }: { readonly quote: string; readonly startMs?: number | undefined }): string =>
  `"${words}"${startMs === undefined ? '' : ` (${second(startMs)})`}`;
const lineOf = (line: number | undefined): { line?: number } => (line === undefined ? {} : { line });
