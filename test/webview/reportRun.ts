import type { HandSnapshot } from '../../src/contract/handPanel.ts';
import type { ReportSnapshot } from '../../src/contract/reportPanel.ts';
import type { MissionTestRun, RunResults } from '../../src/contract/testRuns.ts';

const id = '00000000-0000-4000-8000-000000000001';

/** A scripted test of a bank in which one step heard another text. */
export const failedRun = (values: Partial<RunResults> = {}): ReportSnapshot => ({
  type: 'snapshot',
  name: 'Harbour Bank: balance by keypad',
  hasFile: true,
  acceptable: [2],
  history: [
    { id, outcome: 'FAIL', startedAt: '2026-11-21T10:00:00Z' },
    { id: '00000000-0000-4000-8000-000000000009', outcome: 'PASS', startedAt: '2026-11-20T10:00:00Z' },
  ],
  run: {
    id,
    runType: 'standard',
    status: 'completed',
    outcome: 'FAIL',
    phoneNumber: '+12025550101',
    configId: '00000000-0000-4000-8000-000000000002',
    startedAt: '2026-11-21T10:00:00Z',
    completedAt: '2026-11-21T10:00:31Z',
    reason: 'Step 3, “Balance”, heard another text.',
    hangUp: { by: 'them', status: 200, q850: 16, atMs: 29_400, sentence: 'The called side hung up after “Good bye.”' },
    postDialMs: 640,
    callSeconds: 29.4,
    transcript: [
      {
        speaker: 'them',
        text: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
        startMs: 400,
        endMs: 6100,
      },
      { speaker: 'us', text: '[keys 1]', startMs: 6600, endMs: 6800 },
      { speaker: 'them', text: 'You have reached accounts. For your balance, press 1.', startMs: 7600, endMs: 11_900 },
      { speaker: 'us', text: '[keys 1]', startMs: 12_300, endMs: 12_500 },
      {
        speaker: 'them',
        text: 'We are sorry, all of our lines are busy. Please enter your account number later.',
        startMs: 13_400,
        endMs: 21_000,
      },
      { speaker: 'them', text: 'Good bye.', startMs: 28_000, endMs: 29_000 },
    ],
    steps: [
      {
        name: 'Greeting',
        outcome: 'PASS',
        expectedTranscript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
        transcript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
        similarity: 1,
        startMs: 0,
        endMs: 6500,
      },
      {
        name: 'Accounts',
        outcome: 'PASS',
        expectedTranscript: 'You have reached accounts. For the balance, press 1.',
        transcript: 'You have reached accounts. For your balance, press 1.',
        similarity: 0.89,
        passThreshold: 0.8,
        startMs: 6600,
        endMs: 12_200,
        latencyMs: 800,
      },
      {
        name: 'Balance',
        outcome: 'FAIL',
        reason: 'Another text was heard.',
        expectedTranscript: 'Please enter your eight digit account number followed by the pound key.',
        transcript: 'We are sorry, all of our lines are busy. Please enter your account number later.',
        similarity: 0.42,
        passThreshold: 0.8,
        startMs: 12_300,
        endMs: 21_500,
        latencyMs: 900,
      },
      {
        name: 'A word of thanks',
        outcome: 'FAIL',
        optional: true,
        reason: 'Nothing was heard.',
        expectedTranscript: 'Thank you.',
        transcript: '',
        similarity: 0,
        startMs: 21_500,
        endMs: 28_000,
      },
    ],
    ...values,
  },
});

export const runningRun = (): ReportSnapshot => {
  const { run, ...rest } = failedRun();
  const {
    outcome: _outcome,
    completedAt: _completedAt,
    reason: _reason,
    hangUp: _hangUp,
    callSeconds: _callSeconds,
    transcript = [],
    ...begun
  } = run;
  return {
    ...rest,
    run: { ...begun, status: 'running', steps: run.steps.slice(0, 1), transcript: transcript.slice(0, 2) },
  };
};

export const missionRun = (): ReportSnapshot => {
  const { run, ...rest } = failedRun();
  const { reason: _reason, ...told } = run;
  const acceptance = 'The bank tells the balance, or says why it cannot.';
  const mission: MissionTestRun = {
    id,
    configId: '00000000-0000-4000-8000-000000000003',
    phoneNumber: run.phoneNumber,
    status: 'completed',
    verdict: 'inconclusive',
    unstable: true,
    transcript: run.transcript ?? [],
    startedAt: run.startedAt,
    turnLatencyMs: { median: 800, worst: 900 },
    passReasoning: 'The bank asked for the account number, but its lines were busy.',
    judgeReasoning: 'Two of three votes found the evidence too thin.',
    passEvidence: [{ quote: 'all of our lines are busy', startMs: 13_400, endMs: 17_000 }],
    compliance: [
      { check: 'Says that calls are recorded', verdict: 'fail' },
      { check: 'Names the company', verdict: 'pass', evidence: { quote: 'Welcome to Harbour Bank', startMs: 400 } },
    ],
  };
  return {
    ...rest,
    name: 'Find out the balance',
    acceptable: [],
    mission,
    acceptance,
    run: { ...told, runType: 'mission', outcome: 'INCONCLUSIVE', steps: [] },
  };
};

/** The same run after its call was judged by another criterion. */
export const judgedAgain = (acceptance = 'The bank says that its lines are busy.'): ReportSnapshot => {
  const snapshot = missionRun();
  const { unstable: _unstable, ...run } = snapshot.mission!;
  return {
    ...snapshot,
    again: {
      acceptance,
      run: {
        ...run,
        verdict: 'pass',
        passReasoning: 'The bank said so in its own words.',
        judgeReasoning: 'The bank said so in its own words.',
        passEvidence: [{ quote: 'We are sorry, all of our lines are busy.', startMs: 13_400, endMs: 17_000 }],
      },
    },
  };
};

/** A call by hand before the answer. */
export function ringingCall(): HandSnapshot {
  const { answeredMs: _answered, run, ...rest } = handCall();
  return { ...rest, run: { ...run, transcript: [] } };
}

/** A call by hand that is up. */
export const handCall = (values: Partial<HandSnapshot> = {}): HandSnapshot => ({
  type: 'snapshot',
  name: 'Harbour Bank',
  answeredMs: 12_300,
  run: { ...runningRun().run, transcript: failedRun().run.transcript?.slice(0, 4) },
  ...values,
});

/** A mission whose checks passed, failed and stayed open. */
export function checkedRun(): ReportSnapshot {
  const { mission, ...rest } = missionRun();
  if (!mission) throw new Error('a mission without its run');
  return {
    ...rest,
    mission: {
      ...mission,
      checks: [
        {
          check: 'It offers “accounts” on key 1.',
          verdict: 'pass',
          reason: 'It offers “accounts” on key 1.',
          evidence: { quote: 'For accounts, press 1.', startMs: 2400, endMs: 5200 },
        },
        {
          check: 'It gives balance.',
          verdict: 'fail',
          reason: "It doesn't give balance.",
          evidence: { quote: 'all of our lines are busy', startMs: 13_400, endMs: 17_000 },
        },
        {
          check: 'A person answers. Within 180 s.',
          verdict: 'inconclusive',
          reason: "The call ended without a person. But the call doesn't show its end.",
        },
      ],
    },
  };
}
