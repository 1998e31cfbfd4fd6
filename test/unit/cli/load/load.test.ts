import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../../../../src/cli/command.ts';
import { load, readCriteria } from '../../../../src/cli/load/load.ts';
import { followLoad } from '../../../../src/cli/load/follow.ts';
import { loadPlanJson, loadPlanText, type PlannedLoad } from '../../../../src/cli/load/plan.ts';
import { reportLoad, specLoadReport } from '../../../../src/cli/load/report.ts';
import { loadReporters } from '../../../../src/cli/load/reporters.ts';
import { readRequest } from '../../../../src/cli/load/request.ts';
import { readLoadTarget } from '../../../../src/cli/load/target.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import type { PlannedCalls } from '../../../../src/contract/callPlan.ts';
import { LoadJudge } from '../../../../src/engine/load/loadJudge.ts';
import {
  loadTestSchema,
  type LoadCriteria,
  type LoadStats,
  type LoadTest,
} from '../../../../src/contract/loadTests.ts';
import { CliProcess, dialtree, repositoryFile, type CliResult } from '../dialtree.ts';
import { FakeService } from '../fakeService.ts';

const id = '11111111-1111-4111-8111-111111111111';
const percentiles = (p50: number, p95: number, p99: number): { p50: number; p95: number; p99: number } => ({
  p50,
  p95,
  p99,
});
const stats: LoadStats = {
  callsPlaced: 200,
  callsAnswered: 198,
  setupSuccess: 0.99,
  outcomes: { answered: 198, 'rejected 503': 2 },
  callSeconds: 2580.5,
  callsWithoutPrompt: 3,
  callsEndedEarly: 1,
  hangUps: { us: 197, them: 1 },
  peakConcurrency: 197,
  setupsPerSecond: 19.9,
  answerSeconds: percentiles(0.2, 0.25, 0.3),
  promptSeconds: percentiles(0.21, 0.4, 1.2345),
  audio: {
    packetsSent: 120_000,
    packetsReceived: 119_400,
    packetsLost: 600,
    packetsLate: 12,
    framesConcealed: 700,
    lossShare: 0.0051,
    jitterMs: percentiles(1, 2, 3),
    roundTripMs: percentiles(20, 30, 45.5),
    packetsLostThere: 41,
  },
  estimatedMos: { median: 4.3, p5: 4.1, worst: 3.9 },
  caller: { tickLatenessMs: percentiles(0.5, 1.5, 3), ticksMissed: 0, limited: false },
  warnings: ['A warning.'],
  timeline: [
    [40, 0],
    [80, 0],
    [120, 0],
    [197, 2],
    [197, 2],
  ].map(([active = 0, failed = 0], index) => ({
    second: index + 1,
    placed: Math.min(200, 50 * (index + 1)),
    answered: active,
    active,
    failed,
  })),
};
const ended: LoadTest = {
  id,
  phoneNumber: '+12025550101',
  concurrency: 200,
  rampSeconds: 4,
  holdSeconds: 10,
  callsPerSecond: 50,
  status: 'completed',
  stats,
  startedAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:15.500Z',
};
const judged = (test: LoadTest, criteria?: LoadCriteria): LoadTest =>
  criteria && test.stats
    ? { ...test, stats: { ...test.stats, verdict: new LoadJudge(criteria).judge(15, test.stats) } }
    : test;
const reportOn = (test: LoadTest, criteria?: LoadCriteria) =>
  reportLoad({ file: 'a.calltest.json', name: 'One', target: '+12025550101', test: judged(test, criteria) });

describe('the criteria of a load test', () => {
  it('come from the options', () =>
    assert.deepEqual(readCriteria({ 'min-passed': '0.99', 'max-jitter-p95': '30', 'min-mos': '4' }), {
      minPassed: 0.99,
      maxJitterP95Ms: 30,
      minMos: 4,
    }));

  it('accept numbers within reason only', () => {
    for (const [name, value] of [
      ['min-setup-success', '99'],
      ['min-mos', '5'],
      ['max-loss', '-1'],
      ['max-answer-p95', '2s'],
      ['max-jitter-p95', ''],
    ] as const)
      assert.throws(() => readCriteria({ [name]: value }), UsageError, `${name} ${value}`);
  });
});

describe('the report of a load test', () => {
  it('shows the figures and a small timeline', () =>
    assert.equal(
      specLoadReport(reportOn(ended, { minSetupSuccess: 0.95, minMos: 4.2 })),
      [
        'a.calltest.json  One  +12025550101',
        '  completed in 15.5 s',
        '',
        '  calls            200 placed, 198 answered, 197 simultaneous at the peak, 19.9 per second, 43.0 minutes',
        '  set-up success   99 %',
        '  outcomes         198 answered, 2 rejected 503',
        '  ended            197 us, 1 them',
        '  ended early      1, before Dialtree hung up',
        '  without a prompt 3',
        '',
        '                           p50        p95        p99',
        '  answer               0.200 s    0.250 s    0.300 s',
        '  prompt               0.210 s    0.400 s    1.234 s',
        '  jitter                1.0 ms     2.0 ms     3.0 ms',
        '  round trip           20.0 ms    30.0 ms    45.5 ms',
        '  timer delay           0.5 ms     1.5 ms     3.0 ms',
        '',
        '  packets          119,400 received, 120,000 sent',
        '  loss             0.51 %: 600 lost, 12 late',
        '  reported loss    41 lost on the way to the called side',
        '  estimated MOS    4.30 median, 4.10 or more in 19 of 20 calls, worst 3.90 (E-model, not a listening test)',
        '',
        '  held             ▂▄▅██  1–5 s, maximum 197',
        '  failed              █   2 in all',
        '',
        '  ! A warning.',
        '  ✔ Set-up success is 99 %. Required: ≥ 95 %.',
        '  ✖ Estimated MOS in 19 of 20 calls is 4.1. Required: ≥ 4.2. Broken since second 15.',
        'not passed',
        '',
      ].join('\n'),
    ));

  it('escapes terminal sequences from files and callees', () => {
    const report = reportLoad({
      file: 'a\u001b.json',
      name: 'One\u001b[31m\nnot passed',
      target: '\u009b2J',
      test: {
        ...ended,
        status: 'failed',
        reason: '\u0007No.',
        stats: { ...stats, outcomes: { 'rejected \u001b': 1 }, warnings: ['\u001b[2J'] },
      },
    });
    assert.doesNotMatch(specLoadReport(report), /(?!\n)\p{Cc}/u);
    assert.equal(specLoadReport(report).match(/^not passed$/gm)?.length, 1);
  });

  it('passes only if the test was completed, and answered', () => {
    assert.deepEqual(reportOn(ended).failures, []);
    assert.deepEqual(reportOn({ ...ended, status: 'aborted', reason: 'Cancelled.' }).failures, [
      "The test wasn't completed: Cancelled.",
    ]);
    const dead: LoadStats = {
      callsPlaced: 2,
      callsAnswered: 0,
      setupSuccess: 0,
      outcomes: { unreachable: 2 },
      callSeconds: 1,
    };
    assert.deepEqual(reportOn({ ...ended, stats: dead }).failures, ['No call was answered.']);
    const early: LoadStats = { ...dead, callsAnswered: 2, callsEndedEarly: 2 };
    assert.match(reportOn({ ...ended, stats: early }).failures.join(), /^Every call ended before Dialtree hung up\./);
    const { stats: _none, ...lost } = ended;
    assert.deepEqual(reportOn({ ...lost, status: 'failed', reason: 'Its figures are lost.' }).failures, [
      "The test wasn't completed: Its figures are lost.",
    ]);
    assert.match(specLoadReport(reportOn({ ...lost, status: 'failed' })), /failed in 15\.5 s/);
  });

  it('keeps a long timeline within sixty columns', () => {
    const long = Array.from({ length: 300 }, (_none, index) => ({
      second: index * 12,
      placed: 1,
      answered: 1,
      active: index === 150 ? 9 : 1,
      failed: 0,
    }));
    const line =
      specLoadReport(reportOn({ ...ended, stats: { ...stats, timeline: long } }))
        .split('\n')
        .find((one) => one.startsWith('  held')) ?? '';
    assert.equal([...line.matchAll(/[▁-█]/g)].length, 60);
    assert.equal([...line.matchAll(/█/g)].length, 1, 'a peak of one point is seen');
  });

  it("contains the interface's resource, as JSON", async () => {
    const { passed, failures, loadTest } = JSON.parse(await loadReporters.json(reportOn(ended, { minMos: 4.2 }))) as {
      passed: boolean;
      failures: string[];
      loadTest: object;
    };
    assert.equal(passed, false);
    assert.deepEqual(failures, [
      'Estimated MOS in 19 of 20 calls is 4.1. Required: ≥ 4.2. It has been broken since second 15.',
    ]);
    assert.deepEqual(loadTestSchema.parse(loadTest), judged(ended, { minMos: 4.2 }));
  });

  it('says that the test was inconclusive if the calling machine was the bottleneck', async () => {
    const limited: LoadStats = { ...stats, caller: { ...stats.caller!, limited: true } };
    const report = reportOn({ ...ended, stats: limited }, { minMos: 4.2 });
    assert.equal(report.failures.length, 1);
    assert.match(specLoadReport(report), /\? Estimated MOS.* bottleneck.*\ninconclusive\n$/);
    assert.match(await loadReporters.junit(report), /<failure message="Estimated MOS[^"]*" type="INCONCLUSIVE">/);
  });

  it('writes a JUnit suite with one case per criterion', async () => {
    const xml = await loadReporters.junit(
      reportOn(
        { ...ended, status: 'aborted', reason: '20 of 40 calls failed; <50 %>' },
        { minSetupSuccess: 0.9, minMos: 4.2 },
      ),
    );
    assert.match(xml, /<testsuite name="a\.calltest\.json" tests="3" failures="2" errors="0" time="15\.500"/);
    assert.match(
      xml,
      /<testcase name="One" [^>]*>\n\s*<failure message="The test wasn't completed: 20 of 40 calls failed; &lt;50 %&gt;" type="ABORTED">/,
    );
    assert.match(xml, /<testcase name="One, minMos"[^>]*>\n\s*<failure message="Estimated MOS/);
    assert.match(xml, /<testcase name="One, minSetupSuccess"[^>]*>\n\s*<system-out>Set-up success is 99 %/);
  });
});

describe('the CSV report of a load test', () => {
  it('lists the calls of each second', async () =>
    assert.equal(
      await loadReporters.csv(reportOn(ended)),
      'second,placed,answered,active,failed\r\n1,50,40,40,0\r\n2,100,80,80,0\r\n3,150,120,120,0\r\n4,200,197,197,2\r\n5,200,197,197,2\r\n',
    ));
});

describe('the plan of a load test', () => {
  const target = { file: 'a.calltest.json', name: 'One', kind: 'test', phoneNumber: '+12025550101' } as const;
  const request = { concurrency: 10, rampSeconds: 0, holdSeconds: 10, callsPerSecond: 50 };
  const planned: PlannedCalls = {
    phoneNumber: '+12025550101',
    route: 'trunk.example.com',
    calls: 10,
    secondsAtMost: 150,
    bounded: true,
    needsConsent: false,
    forbiddenKeys: [],
    riskyKeys: [],
    budget: { fits: true, left: {} },
  };
  const planOf = (change: Partial<PlannedLoad['request']>, rest: Partial<PlannedLoad> = {}): PlannedLoad => ({
    target,
    request: { ...request, ...change },
    plan: planned,
    testRows: 0,
    isLive: false,
    ...rest,
  });

  it('describes each stage, and says why a ramp is stretched', () => {
    const stages = [
      { concurrency: 60, rampSeconds: 5, holdSeconds: 120 },
      { concurrency: 1, rampSeconds: 0, holdSeconds: 30 },
    ];
    const plan = planOf({ callsPerSecond: 5, stages });
    const { rampSecondsAtLeast, secondsAtMost } = loadPlanJson(plan);
    assert.deepEqual([secondsAtMost, rampSecondsAtLeast], [175, 1.8]);
    assert.match(
      loadPlanText(plan),
      new RegExp(
        [
          '    10 calls at the same time, started over 1.8 s at up to 5 per second, then held for 10 s',
          '    The ramp of 0 s becomes 1.8 s: the maximum is 5 calls per second \\(--calls-per-second\\)\\.',
          '    then 60 calls, reached over 9.8 s, then held for 120 s',
          '    The ramp of 5 s becomes 9.8 s.*',
          '    then 1 call, reached over 0 s, then held for 30 s',
          '',
        ].join('\n'),
      ),
    );
    assert.doesNotMatch(loadPlanText(planOf({ rampSeconds: 2 })), /becomes/);
    assert.doesNotMatch(loadPlanText(plan), /cut off/);
    assert.match(loadPlanText(planOf({ stages }, { testRows: 1 })), /A call isn't cut off/);
  });

  it('says that the calls of a mission are heard live, without reference calls', () => {
    const plan = planOf({}, { testRows: 1, isLive: true });
    assert.equal(loadPlanJson(plan).referenceCalls, 0);
    assert.match(
      loadPlanText(plan),
      /carries out the mission\. .* at most \d simultaneous calls, because each call is heard live\.\n/,
    );
  });

  it("contains the service's figures and refusal, and the service that calls", () => {
    const plan = planOf(
      {},
      {
        plan: {
          ...planned,
          cost: { amount: 0.741, currency: 'EUR', perMinute: 0.3 },
          refusal: { status: 402, code: 'budget_exceeded', message: 'The day is used up.' },
        },
        service: 'https://dialtree.example.com/v1',
      },
    );
    const { callsAtMost, callMinutesAtMost, costAtMost, currency, refusal } = loadPlanJson(plan);
    assert.deepEqual(
      [callsAtMost, callMinutesAtMost, costAtMost, currency, refusal?.code],
      [10, 2.5, 0.75, 'EUR', 'budget_exceeded'],
    );
    assert.match(
      loadPlanText(plan),
      /called by the service at https:\/\/dialtree\.example\.com\/v1\n[^]*\n {4}Up to 10 calls, 2\.5 min and 0\.75 EUR\.\n {4}The service would refuse this request: The day is used up\.$/,
    );
  });
});

describe('the rows of a load test', () => {
  it('accept only an order that exists', () => {
    assert.equal(readRequest({ 'row-order': 'random' }).rowOrder, 'random');
    assert.throws(() => readRequest({ 'row-order': 'sorted' }), UsageError);
  });
});

describe('following a load test', () => {
  const running: LoadTest = { ...ended, status: 'running', progress: { placed: 3, answered: 2, active: 2, failed: 0 } };
  const request = { phoneNumber: '+12025550101', concurrency: 3 };

  it('shows its progress, each state once', async () => {
    const told: string[] = [];
    const { status } = await followLoad(
      {
        call: () => Promise.resolve(running as never),
        waitForLoadTest: (_id, options) => {
          for (const state of [running, running, ended]) options?.onChange?.(state);
          return Promise.resolve(ended);
        },
      },
      request,
      { signal: new AbortController().signal, tell: (line) => told.push(line) },
    );
    assert.deepEqual([status, told], ['completed', ['3 placed, 2 answered, 2 active, 0 failed']]);
  });

  it('cancels at Ctrl+C and reports what was measured', async () => {
    const stop = new AbortController();
    const calls: string[] = [];
    const { status } = await followLoad(
      {
        call: (name) => {
          calls.push(name);
          return Promise.resolve({ ...ended, status: 'aborted' } as never);
        },
        waitForLoadTest: () => {
          stop.abort(new Error('stop'));
          return Promise.reject(stop.signal.reason as Error);
        },
      },
      request,
      { signal: stop.signal, tell: () => undefined },
    );
    assert.deepEqual([status, calls], ['aborted', ['runLoadTest', 'cancelLoadTest']]);
  });

  it("cancels a test that it can't follow any more, and names it if that fails too", async () => {
    const told: string[] = [];
    const gone = new ServiceError('The service cannot be reached.');
    await assert.rejects(
      followLoad(
        {
          call: (name) => (name === 'runLoadTest' ? Promise.resolve(running as never) : Promise.reject(gone)),
          waitForLoadTest: () => Promise.reject(gone),
        },
        request,
        { signal: new AbortController().signal, tell: (line) => told.push(line) },
      ),
      gone,
    );
    assert.match(told.join('\n'), new RegExp(`Couldn't cancel the load test ${id}`));
  });
});

describe('dialtree load', function () {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-load-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const run = (...args: string[]): Promise<CliResult> => dialtree(['load', ...args], '', { cwd: folder });
  const put = (name: string, content: object): Promise<void> =>
    writeFile(path.join(folder, name), JSON.stringify(content));
  const steps = [{ name: 'Call', action: { type: 'dial' } }];

  it('takes the number from a test, a mission or a practice IVR', async () => {
    await put('a.calltest.json', { name: 'A', phoneNumber: '+12025550101', steps });
    await put('b.mission.json', { name: 'B', ivr: 'shop.ivr.json', mission: 'm', acceptance: 'a' });
    await put('shop.ivr.json', {
      name: 'Shop',
      start: 'main',
      states: { main: { prompt: 'Welcome.', end: 'hangup' } },
    });
    const { script, ...target } = await readLoadTarget('a.calltest.json', folder);
    assert.equal(script?.source.test.name, 'A');
    assert.deepEqual(target, { file: 'a.calltest.json', name: 'A', kind: 'test', phoneNumber: '+12025550101' });
    const ivr = { name: 'Shop', file: path.join(folder, 'shop.ivr.json') };
    const { script: mission, ...called } = await readLoadTarget('b.mission.json', folder);
    assert.equal(mission?.source.kind, 'mission');
    assert.deepEqual(called, { file: 'b.mission.json', name: 'B', kind: 'test', ivr });
    assert.deepEqual(await readLoadTarget('shop.ivr.json', folder), {
      file: 'shop.ivr.json',
      name: 'Shop',
      kind: 'ivr',
      ivr,
    });
  });

  it('prints the plan without calling or writing', async () => {
    const { code, stdout } = await run(
      repositoryFile('media/samples/bank.calltest.json'),
      '--dry-run',
      '--concurrency',
      '200',
      '--keys',
      '1.5:1#',
      '--keys',
      '4:2',
      '--stage',
      '400:10:60',
      '--stage',
      '20:0:1.5',
      '--min-mos',
      '3.5',
      '--reporter',
      'json',
    );
    assert.equal(code, 0);
    const { ivr, concurrency, keys, stages, rampSecondsAtLeast, criteria, onlyCalls } = JSON.parse(stdout) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      { ivr, concurrency, keys, stages, rampSecondsAtLeast, criteria, onlyCalls },
      {
        ivr: 'Harbour Bank',
        concurrency: 200,
        keys: [
          { afterSeconds: 1.5, digits: '1#' },
          { afterSeconds: 4, digits: '2' },
        ],
        stages: [
          { concurrency: 400, rampSeconds: 10, holdSeconds: 60 },
          { concurrency: 20, rampSeconds: 0, holdSeconds: 1.5 },
        ],
        rampSecondsAtLeast: 3.98,
        criteria: { minMos: 3.5 },
        onlyCalls: true,
      },
    );
  });

  it('writes the plan to --output, and no report', async () => {
    await put('a.calltest.json', { name: 'A\u001b[31m', ivr: 'shop.ivr.json', steps });
    await put('shop.ivr.json', {
      name: 'Shop\u0007\u009b2J',
      start: 'main',
      states: { main: { prompt: 'Welcome.', end: 'hangup' } },
    });
    const { code, stdout } = await run('a.calltest.json', '--dry-run', '--output', 'out/plan.txt');
    const plan = await readFile(path.join(folder, 'out/plan.txt'), 'utf8');
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(plan, /^a\.calltest\.json {2}A \[31m\n {4}practice IVR Shop 2J, [^]*\nNo calls were placed\.\n$/);
    assert.doesNotMatch(plan, /(?!\n)\p{Cc}/u);
    for (const [args, told] of [
      [['--dry-run', '--reporter', 'junit'], /--dry-run prints a plan, not a report/],
      [['--output', 'out'], /Couldn't write out: it's a folder\./],
      [['--output', 'a.calltest.json/x'], /Couldn't write a\.calltest\.json\/x\./],
    ] as const) {
      const refused = await run('a.calltest.json', ...args);
      assert.deepEqual([refused.code, refused.stdout], [2, ''], args.join(' '));
      assert.match(refused.stderr, told);
    }
  });

  it('reports wrong usage', async () => {
    await put('a.calltest.json', { name: 'A', phoneNumber: '+12025550101', steps });
    await put('bad.calltest.json', { name: 'A', phoneNumber: '+12025550101' });
    await put('bad.ivr.json', { name: 'Shop', start: 'nowhere', states: {} });
    await put('m.mission.json', { name: 'M', phoneNumber: '+12025550101', mission: 'm', acceptance: 'a' });
    const named = (name: string): string => path.join(folder, name);
    for (const [args, told] of [
      [[], /Give one \*\.calltest\.json/],
      [[named('a.calltest.json'), named('bad.calltest.json')], /Give one/],
      [['notes.txt'], /doesn't name a number or a practice IVR/],
      [[named('none.calltest.json')], /none\.calltest\.json: Couldn't read the file/],
      [[named('bad.calltest.json')], /bad\.calltest\.json:1:1: steps/],
      [[named('bad.ivr.json')], /bad\.ivr\.json/],
      [[named('a.calltest.json'), '--concurrency', '0'], /--concurrency takes a whole number from 1 to 2000/],
      [
        [named('a.calltest.json'), '--concurrency', '2001'],
        /up to 2000 calls, .* several load tests on several machines/,
      ],
      [
        [named('a.calltest.json'), '--stage', '2001:1:1'],
        /up to 2000 calls, .* several load tests on several machines/,
      ],
      [[named('a.calltest.json'), '--calls-per-second', '0'], /from 0\.1 to 50/],
      [[named('a.calltest.json'), '--hold', '1e3'], /--hold takes a number/],
      [[named('a.calltest.json'), '--keys', '1'], /seconds after the answer, a colon and keys/],
      [[named('a.calltest.json'), '--keys', '1:x'], /Keys are 0–9/],
      [[named('a.calltest.json'), '--stage', '10:5'], /--stage takes a number of calls, .* such as 50:10:60/],
      [[named('a.calltest.json'), '--stage', '10:5:28801'], /--stage 10:5:28801: holdSeconds/],
      [[named('a.calltest.json'), ...Array.from({ length: 21 }, () => ['--stage', '1:1:1']).flat()], /up to 20 times/],
      [
        [named('a.calltest.json'), '--hold', '20000', '--stage', '1:0:28800'],
        /All ramps and holds together can take up to 43200 s/,
      ],
      [[named('m.mission.json'), '--steps'], /can have at most \d simultaneous calls, because each call is heard live/],
      [[named('a.calltest.json'), '--min-mos', '7'], /--min-mos takes a number from 1 to 4\.5/],
      [[named('a.calltest.json'), '--reporter', 'sarif'], /one of spec, json, junit/],
      [[named('a.calltest.json'), '--json', '--reporter', 'junit'], /Leave out one of the two options/],
      [[named('a.calltest.json'), '--url', 'https://x.example.com', '--routes', '{}'], /has its own/],
    ] as const) {
      await assert.rejects(load.run(args), (error: Error) => {
        assert.ok(
          error instanceof UsageError || (error instanceof HumanError && error.status === 400),
          `${args.join(' ')}: ${error.stack ?? ''}`,
        );
        assert.match(error.message, told);
        return true;
      });
    }
    assert.equal((await dialtree(['load', 'notes.txt'])).code, 2);
  });

  it("doesn't call the public network, and says who can", async () => {
    await put('a.calltest.json', { name: 'A', phoneNumber: '+14155550101', steps });
    const routes = ['--routes', '{"+1*":{"uri":"sip:{number}@trunk.example.com","costPerMinute":0.5}}'];
    const plan = await run('a.calltest.json', '--dry-run', ...routes);
    assert.equal(plan.code, 0, plan.stderr);
    assert.match(
      plan.stdout,
      /Up to 10 calls, \d+(?:\.\d)? min and \d+\.\d\d [A-Z]{3}\.\n.*has no consent for \+14155550101\. Use --url/,
    );
    assert.match(
      (await run('a.calltest.json', '--dry-run')).stdout,
      /would refuse this request: No line or route serves/,
    );
    const { code, stderr } = await run('a.calltest.json', ...routes);
    assert.equal(code, 1);
    assert.match(stderr, /has no consent for \+14155550101\. Use --url/);
  });

  describe('on a service', () => {
    const service = new FakeService();
    const command = async (...args: string[]): Promise<CliProcess> => {
      await put('a.calltest.json', { name: 'A', phoneNumber: '+12025550101', steps });
      const env = { DIALTREE_API_KEY: 'dt_test' };
      const url = await service.start();
      return new CliProcess(['load', 'a.calltest.json', '--url', url, ...args], { cwd: folder, env });
    };
    afterEach(() => service.close());

    it("starts the load test even if the service doesn't say what it would use", async () => {
      service.refuse = (name) =>
        name === 'planCalls' ? { status: 404, body: { message: 'no such path', requestId: 'r' } } : undefined;
      const { code, stderr } = await (await command()).result();
      assert.deepEqual([code, service.changes], [1, ['runLoadTest']]);
      assert.match(
        stderr,
        /^a\.calltest\.json {2}A\n {4}\+12025550101, called by the service at [^]*does not know runLoadTest/,
      );
    });

    it('ends at once at Ctrl+C while the service plans', async () => {
      service.reset();
      const asked = Promise.withResolvers<undefined>();
      const answered = Promise.withResolvers<undefined>();
      service.before = async () => {
        asked.resolve(undefined);
        await answered.promise;
      };
      const planning = await command('--dry-run');
      await asked.promise;
      planning.signal('SIGINT');
      const { code, stdout, stderr } = await planning.result();
      answered.resolve(undefined);
      assert.deepEqual([code, stdout, stderr], [1, '', 'Cancelled before any call was placed.\n']);
    });
  });
});
