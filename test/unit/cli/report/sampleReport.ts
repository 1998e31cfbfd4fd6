import type { MissionTestRun, RunOutcome, RunResults, StepResult } from '../../../../src/contract/testRuns.ts';
import type { Report, ReportRun } from '../../../../src/cli/report/report.ts';
import { verdictOutcomes } from '../../../../src/model/checks/outcomes.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export function scripted(
  outcome: RunOutcome,
  steps: readonly StepResult[],
  more: Partial<RunResults> = {},
  number = 1,
): ReportRun {
  const results: RunResults = {
    id: id(number),
    runType: 'standard',
    status: 'completed',
    outcome,
    phoneNumber: '+12025550101',
    startedAt: '2026-03-02T09:00:00Z',
    completedAt: '2026-03-02T09:00:12Z',
    steps: [...steps],
    ...more,
  };
  return { results, seconds: 12.34 };
}

export function mission(more: Partial<MissionTestRun>, number = 9): ReportRun {
  const { verdict } = more;
  const { results } = scripted('ERROR', [], {}, number);
  return {
    results: {
      ...results,
      runType: 'mission',
      outcome: verdict && verdictOutcomes[verdict],
      status: more.status ?? 'completed',
    },
    mission: {
      id: id(number),
      configId: id(100),
      phoneNumber: '+12025550101',
      status: 'completed',
      transcript: [],
      startedAt: '2026-03-02T09:00:00Z',
      ...more,
    },
    seconds: 41,
  };
}

export const dial: StepResult = { name: 'Dial', outcome: 'PASS' };
export const wrongMenu: StepResult = {
  name: 'Billing menu',
  outcome: 'FAIL',
  reason: 'Wrong menu: "For sales, press 2" was heard.',
  expectedTranscript: 'For billing, press 1 & hold <now>',
  transcript: 'For sales, press 2 ]]> "quoted"',
  similarity: 0.42,
  startMs: 3210,
};
export const optionalOffer: StepResult = {
  name: 'Offer',
  outcome: 'FAIL',
  reason: 'The offer was not heard.',
  optional: true,
};
export const notReached: readonly StepResult[] = ['PIN', 'End'].map((name) => ({
  name,
  outcome: 'INCONCLUSIVE' as const,
  reason: 'Not reached.',
}));

/** A report with one of everything. */
export const sample: Report = {
  startedAt: '2026-03-02T09:00:00.000Z',
  version: '0.1.0',
  tests: [
    {
      path: 'tests/bank.calltest.json',
      name: 'Opening hours',
      line: 2,
      stepLines: [8, 12],
      runs: [scripted('PASS', [dial, { name: 'Hours', outcome: 'PASS' }])],
    },
    {
      path: 'tests/bank.calltest.json',
      name: 'Billing',
      line: 20,
      stepLines: [24, 31, 40],
      runs: [
        scripted(
          'FAIL',
          [dial, wrongMenu, optionalOffer],
          {
            hangUp: {
              by: 'them',
              q850: 16,
              sentence: 'They hung up after "Goodbye" (Q.850 cause 16, normal clearing).',
            },
          },
          2,
        ),
        scripted('PASS', [dial, { ...wrongMenu, outcome: 'PASS' }], {}, 3),
        scripted('FAIL', [dial, wrongMenu], {}, 4),
      ],
    },
    {
      path: 'tests/bank.calltest.json',
      name: 'Balance',
      line: 50,
      stepLines: [54, 58, 62],
      runs: [
        scripted('PASS', [dial], { row: { account: '1001', pin: '••••' }, runType: 'param' }, 5),
        scripted(
          'ERROR',
          [{ name: 'Dial', outcome: 'ERROR', reason: 'Busy here (486).' }, ...notReached],
          { row: { account: '1002', pin: '••••' }, runType: 'param', reason: 'Step “Dial”: Busy here (486).' },
          6,
        ),
      ],
    },
    {
      path: './tests/refund é.mission.json',
      name: 'Refund "quick"',
      line: 1,
      acceptanceLine: 6,
      runs: [
        mission({
          verdict: 'fail',
          judgeReasoning: 'The agent never confirmed the refund.',
          reason: 'Nothing on offer fits the mission.',
          passEvidence: [{ quote: "we can't help with that", startMs: 8123 }],
          unstable: true,
          compliance: [
            { check: 'recording-notice', verdict: 'inconclusive' },
            { check: 'human-handoff', verdict: 'pass' },
          ],
        }),
      ],
    },
    {
      path: './tests/refund é.mission.json',
      name: 'Hours',
      acceptanceLine: 6,
      runs: [mission({ verdict: 'inconclusive', reason: 'The call ended before the goal was reached.' }, 10)],
    },
  ],
  missing: [{ path: 'tests/broken.calltest.json', line: 3, reason: 'The number is not in the dial plan.' }],
};

/** The sample's flaky test was as flaky before, its row has got worse, and its mission was always like that. */
export const withBaseline: Report = {
  ...sample,
  missing: [],
  baseline: {
    tests: [
      { file: './tests\\bank.calltest.json', name: 'Billing', passed: 2, of: 3 },
      { file: 'tests/bank.calltest.json', name: 'Balance [account=1002, pin=••••]', passed: 20, of: 20 },
      { file: 'tests/bank.calltest.json', name: 'Opening hours', passed: 0, of: 20 },
      { file: 'tests/refund é.mission.json', name: 'Refund "quick"', passed: 1, of: 3 },
      { file: 'tests/refund é.mission.json', name: 'Hours', passed: 0, of: 1 },
      { file: 'tests/old.calltest.json', name: 'Old branch', passed: 19, of: 20 },
    ],
  },
};

const undecided: StepResult = {
  ...wrongMenu,
  outcome: 'INCONCLUSIVE',
  reason: 'Wrong menu. That may be our own doing: this machine was too busy.',
};
const maskedRow = (row: number): ReportRun => ({ ...scripted('PASS', [dial], { row: { pin: '••••' } }), row });

/** A run that was cut off: with an outage, steps that weren't reached, masked rows, and many tests that are gone. */
export const cutOff: Report = {
  cutOff: 'The run was interrupted.',
  tests: [
    {
      path: 'a.json',
      name: 'Billing',
      line: 3,
      stepLines: [5, undefined, 9],
      runs: [scripted('FAIL', [dial, wrongMenu, ...notReached])],
    },
    {
      path: 'a.json',
      name: 'Busy',
      runs: [
        scripted('INCONCLUSIVE', [dial, undecided, ...notReached], { reason: 'Step “Billing menu”: undecided.' }),
        scripted('INCONCLUSIVE', [dial, undecided, { name: 'PIN', outcome: 'PASS' }, ...notReached.slice(1)]),
      ],
    },
    { path: 'rows.json', name: 'Rows', runs: [maskedRow(0), maskedRow(1), maskedRow(0)] },
  ],
  missing: [{ path: 'a.json', name: 'Billing', reason: 'The run ended. 2 of its 3 calls were not placed.', calls: 2 }],
  baseline: {
    tests: [
      { file: 'a.json', name: 'Billing', passed: 1, of: 1 },
      ...Array.from({ length: 12 }, (_none, index) => ({ file: 'gone.json', name: `Gone ${index}`, passed: 0, of: 3 })),
    ],
  },
};
