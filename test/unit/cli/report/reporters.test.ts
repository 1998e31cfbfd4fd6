import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { summarise } from '../../../../src/cli/report/cases.ts';
import { findingsOf } from '../../../../src/cli/report/findings.ts';
import { jsonReportSchema, readBaseline } from '../../../../src/cli/report/jsonReport.ts';
import type { Report, ReportTest } from '../../../../src/cli/report/report.ts';
import { isReporterName, reporterNames, reporters } from '../../../../src/cli/report/reporters.ts';
import { uriOf } from '../../../../src/cli/report/sarifReport.ts';
import { colours, noColours, paletteFor, specReport } from '../../../../src/cli/report/specReport.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import { assertGolden } from '../../../support/goldenText.ts';
import { readJUnit } from './junitReaders.ts';
import { dial, mission, notReached, sample, scripted, withBaseline, wrongMenu } from './sampleReport.ts';

const golden = (name: string): URL => new URL(`./golden/${name}`, import.meta.url);
const oneTest = (test: Partial<ReportTest>): Report => ({ files: [{ path: 'a.json', tests: [{ name: 'A', runs: [], ...test }] }], missing: [] });
const sarifOf = (report: Report) => JSON.parse(reporters.sarif(report));

describe('the reports of a run', () => {
  const extensions = { spec: 'txt', json: 'json', junit: 'xml', sarif: 'sarif' } as const;
  for (const name of reporterNames) {
    it(`${name} is as it was looked at`, () => {
      assertGolden(reporters[name](sample), golden(`sample.${extensions[name]}`));
      assertGolden(reporters[name](withBaseline), golden(`baseline.${extensions[name]}`));
    });
  }

  it('are known by name', () => {
    assert.deepEqual(['spec', 'json', 'junit', 'sarif', 'html', 'toString'].map(isReporterName), [true, true, true, true, false, false]);
  });

  it('hold for whatever is heard', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('<', '&', ']]>', '"', '\'', '\u0000', '\u001b[31m', '\n', '\r', '\t', '\ud800', '\ufffe', '💶', ' ', 'a') }));
    await fc.assert(fc.asyncProperty(text, text, text, async (name, heard, file) => {
      const report: Report = { files: [{ path: file, tests: [{ name, line: 1, runs: [scripted('FAIL', [{ ...wrongMenu, name, transcript: heard, reason: heard }])] }] }], missing: [{ path: file, name, reason: heard }] };
      await readJUnit(reporters.junit(report));
      assert.equal(jsonReportSchema.safeParse(JSON.parse(reporters.json(report))).success, true);
      assert.equal(sarifOf(report).runs[0].results.length, 2);
      assert.doesNotMatch(reporters.spec(report), /[\u0000-\u0009\u000b-\u001f]/);
    }));
  });
});

describe('what fails a run', () => {
  const exit = (report: Report): number => summarise(report).exitCode;

  it('is a test that did not pass each time', () => {
    assert.equal(exit(oneTest({ runs: [scripted('PASS', [dial])] })), 0);
    for (const outcome of ['FAIL', 'ERROR', 'INCONCLUSIVE'] as const) assert.equal(exit(oneTest({ runs: [scripted('PASS', [dial]), scripted(outcome, [dial])] })), 1);
    assert.equal(exit(oneTest({ runs: [mission({ verdict: 'pass' })] })), 0);
    assert.equal(exit(oneTest({ runs: [mission({ status: 'running' })] })), 1);
  });

  it('is a call that was not made, and a run of nothing', () => {
    assert.equal(exit(oneTest({ runs: [] })), 1);
    assert.equal(exit({ ...oneTest({ runs: [scripted('PASS', [dial])] }), missing: [{ path: 'b.json', reason: 'It is no JSON.' }] }), 1);
    assert.equal(exit({ files: [], missing: [] }), 1);
  });

  it('is with a baseline only a regression, and a test that the baseline does not know', () => {
    const failing = { runs: Array.from({ length: 3 }, () => scripted('FAIL', [wrongMenu])) };
    const baseline = (passed: number, of: number) => ({ tests: [{ file: 'a.json', name: 'A', passed, of }] });
    assert.equal(exit({ ...oneTest(failing), baseline: baseline(3, 3) }), 1);
    assert.equal(exit({ ...oneTest(failing), baseline: baseline(1, 3) }), 0);
    assert.equal(exit({ ...oneTest({ runs: failing.runs.slice(1, 2) }), baseline: baseline(1, 1) }), 0);
    assert.equal(exit({ ...oneTest(failing), baseline: { tests: [] } }), 1);
    assert.equal(exit({ ...oneTest({ runs: [] }), baseline: baseline(0, 3) }), 1);
  });

  it('is decided row by row', () => {
    const row = (account: string, outcome: 'PASS' | 'FAIL') => scripted(outcome, [dial], { row: { account } });
    const { cases } = summarise(oneTest({ runs: [row('1', 'PASS'), row('2', 'FAIL'), row('1', 'PASS'), row('2', 'FAIL')] }));
    assert.deepEqual(cases.map(({ name, passed, of, flakiness }) => [name, passed, of, flakiness.state]), [['A [account=1]', 2, 2, 'steady pass'], ['A [account=2]', 0, 2, 'steady fail']]);
  });

  it('keeps rows apart whose values are masked alike', () => {
    const row = (index: number) => ({ ...scripted('PASS', [dial], { row: { pin: '••••' } }), row: index });
    assert.deepEqual(summarise(oneTest({ runs: [row(0), row(1), row(0)] })).cases.map(({ name, of }) => [name, of]), [['A [pin=••••]', 2], ['A [pin=••••] (2)', 1]]);
  });
});

describe('what is found in a run', () => {
  const test: ReportTest = { name: 'A', line: 3, stepLines: [5, undefined, 9], runs: [] };

  it('is something for each run that did not pass', () => {
    for (const run of [scripted('FAIL', [dial]), scripted('ERROR', []), scripted('INCONCLUSIVE', [{ ...wrongMenu, optional: true }]), mission({ verdict: 'fail' }), mission({ verdict: 'error' }), mission({ status: 'running' })]) {
      const findings = findingsOf(test, run);
      assert.ok(findings.some(({ optional, line }) => !optional && line === 3), JSON.stringify(findings));
    }
    assert.deepEqual(findingsOf(test, scripted('PASS', [dial])), []);
    assert.deepEqual(findingsOf(test, mission({ verdict: 'pass' })), []);
  });

  it('stands at the step\'s line', () => {
    assert.deepEqual(findingsOf(test, scripted('FAIL', [wrongMenu, wrongMenu, wrongMenu])).map(({ line }) => line), [5, undefined, 9]);
  });

  it('is the step that failed, not those behind it that were not reached', () => {
    const run = scripted('FAIL', [dial, wrongMenu, ...notReached]);
    assert.deepEqual(findingsOf(test, run).map(({ title }) => title), ['Billing menu']);
    const report = oneTest({ runs: [run] });
    assert.match(specReport(report), /\n {6}not reached {2}PIN, End\n/);
    assert.equal(specReport(report).match(/not reached/gi)?.length, 1);
    assert.equal(sarifOf(report).runs[0].results.length, 1);
    assert.deepEqual(jsonReportSchema.parse(JSON.parse(reporters.json(report))).tests[0]?.notReached, ['PIN', 'End']);
    const others = [{ ...dial, name: 'PIN' }, { ...dial, name: 'End' }];
    assert.deepEqual(summarise(oneTest({ runs: [run, scripted('PASS', [dial, dial, ...others])] })).cases[0]?.unreached, [], 'another run came there');
  });

  it('is said once where it is repeated', () => {
    const { cases } = summarise(oneTest({ runs: [1, 2, 3].map((number) => scripted('FAIL', [wrongMenu], {}, number)) }));
    assert.deepEqual(cases[0]?.findings.map(({ times }) => times), [3]);
  });
});

describe('the report for people', () => {
  it('has colours only on a terminal that wants them', () => {
    const chosen = (isTTY: boolean, environment: Record<string, string>): boolean => paletteFor({ isTTY }, environment) === colours;
    assert.deepEqual([chosen(true, {}), chosen(false, {}), chosen(true, { NO_COLOR: '1' }), chosen(true, { NO_COLOR: '' }), chosen(true, { TERM: 'dumb' }), chosen(false, { FORCE_COLOR: '1' }), chosen(true, { FORCE_COLOR: '0' }), chosen(false, { FORCE_COLOR: '1', NO_COLOR: '1' })],
      [true, false, false, true, false, true, false, false]);
    assert.equal(specReport(sample, colours).replace(/\u001b\[\d+m/g, ''), specReport(sample, noColours));
    assert.match(specReport(sample, colours), /\u001b\[31m/);
  });

  it('lets nothing that was heard move the cursor', () => {
    assert.doesNotMatch(specReport(oneTest({ runs: [scripted('FAIL', [{ ...wrongMenu, transcript: 'a\u001b[2Jb\r\u009bc\u2028d' }])] })), /[\u001b\r\u009b\u2028]/);
  });
});

describe('the JUnit report', () => {
  const odd = 'a <b> & "c" \'d\' ]]> \t e\r\n f 💶 é';

  it('agrees with the exit code', async () => {
    for (const report of [sample, withBaseline, oneTest({ runs: [scripted('PASS', [dial])] }), oneTest({}), { files: [], missing: [] }]) {
      const { failures, errors, tests } = await readJUnit(reporters.junit(report));
      if (Number(tests) > 0) assert.equal(Number(failures) + Number(errors) > 0 ? 1 : 0, summarise(report).exitCode);
    }
  });

  it('gives every character that XML can hold as it was', async () => {
    const report = oneTest({ name: '<"A"\n&>', runs: [scripted('FAIL', [{ ...wrongMenu, reason: odd, transcript: `${odd}\u0000\ud800\ufffe` }])] });
    const [one] = (await readJUnit(reporters.junit(report))).testsuite?.[0]?.testcase ?? [];
    assert.equal(one?.name, '<"A"\n&>');
    assert.equal(one.failure?.[0]?.message, `Billing menu: ${odd}`);
    assert.ok(one.failure[0].inner?.includes(`heard: ${odd}\ufffd\ufffd\ufffd\n`), one.failure[0].inner);
  });

  it('has a case a test or row, and each ending as readers know it', async () => {
    const { testsuite: [scripts, missions, broken] = [] } = await readJUnit(reporters.junit(sample));
    const endings = (suite: typeof scripts) => suite?.testcase?.map(({ name, failure, error, skipped }) => [name, failure ? 'failure' : error ? error[0]?.type : skipped ? 'skipped' : 'passed']);
    assert.deepEqual(endings(scripts), [
      ['Opening hours', 'passed'], ['Billing', 'failure'], ['Balance [account=1001, pin=••••]', 'passed'], ['Balance [account=1002, pin=••••]', 'ERROR'],
      ['Balance [account=1002, pin=••••], step 2: PIN', 'skipped'], ['Balance [account=1002, pin=••••], step 3: End', 'skipped'],
    ]);
    assert.deepEqual(endings(missions), [['Refund "quick"', 'failure'], ['Hours', 'INCONCLUSIVE']]);
    assert.deepEqual(endings(broken), [['tests/broken.calltest.json', 'NOT_CALLED']]);
    assert.deepEqual(scripts?.testcase?.[1]?.['system-out'], ['1 of 3 passed (95 % interval 6 to 79 %)\noptional, FAIL: Offer: The offer was not heard.\n  at tests/bank.calltest.json:40'], 'repeats are one case');
    const [known, , , worse] = (await readJUnit(reporters.junit(withBaseline))).testsuite?.[0]?.testcase ?? [];
    assert.match(known?.['system-out']?.[0] ?? '', /Better than the baseline/);
    assert.match(worse?.['system-out']?.[0] ?? '', /Regression: 20 of 20/);
  });
});

describe('the SARIF report', () => {
  it('has a rule, a place and a stable fingerprint for each result', () => {
    for (const report of [sample, withBaseline]) {
      const [run] = sarifOf(report).runs;
      for (const result of run.results) {
        assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
        assert.ok(['error', 'warning', 'note'].includes(result.level) && result.message.text.length > 0);
        assert.ok(URL.canParse(result.locations[0].physicalLocation.artifactLocation.uri, 'file:///root/'));
      }
      assert.equal(run.results.some(({ level }: { level: string }) => level === 'error'), summarise(report).exitCode === 1);
      const prints = run.results.map(({ partialFingerprints }: { partialFingerprints: object }) => JSON.stringify(partialFingerprints));
      assert.equal(new Set(prints).size, prints.length);
    }
  });

  it('names files as URIs', () => {
    assert.deepEqual(['./a b/c#.json', 'a\\b.json', 'C:\\x y\\z.json', '/x y/z.json'].map(uriOf), ['a%20b/c%23.json', 'a/b.json', 'file:///C:/x%20y/z.json', 'file:///x%20y/z.json']);
  });
});

describe('the JSON report', () => {
  it('keeps its schema, and is the baseline of a later run', () => {
    const text = reporters.json(sample);
    const { tests } = jsonReportSchema.parse(JSON.parse(text));
    const baseline = readBaseline(text, 'before.json');
    assert.deepEqual(baseline.tests.map(({ name, passed, of }) => [name, passed, of]), tests.map(({ name, passed, of }) => [name, passed, of]));
    assert.equal(summarise({ ...sample, missing: [], baseline }).exitCode, 0);
  });

  it('is refused as a baseline where it is none', () => {
    for (const text of ['', '[]', '{"version":2,"tests":[]}', '{"version":1,"tests":[{"file":"a","name":"b","passed":2,"of":1}]}']) {
      assert.throws(() => readBaseline(text, 'before.json'), (error) => error instanceof HumanError && error.message.includes('before.json'));
    }
  });
});
