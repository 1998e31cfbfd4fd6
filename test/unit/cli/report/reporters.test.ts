import assert from 'node:assert/strict';
import fc from 'fast-check';
import { callsToTell, thinBaselineText, thinComparisonText } from '../../../../src/cli/report/baseline.ts';
import { summarise } from '../../../../src/cli/report/cases.ts';
import { findingsOf } from '../../../../src/cli/report/findings.ts';
import { markdownSummary } from '../../../../src/cli/report/githubReport.ts';
import { jsonReportSchema, readBaseline } from '../../../../src/cli/report/jsonReport.ts';
import { readReporter } from '../../../../src/cli/report/readReporter.ts';
import type { Report, ReportTest } from '../../../../src/cli/report/report.ts';
import { reporterNames, reporters } from '../../../../src/cli/report/reporters.ts';
import { sarifUriOf } from '../../../../src/cli/report/sarifReport.ts';
import { specReport } from '../../../../src/cli/report/specReport.ts';
import { colours, noColours, paletteFor } from '../../../../src/cli/terminal/palette.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import { assertGolden } from '../../../support/goldenText.ts';
import { readJUnit } from './junitReaders.ts';
import { cutOff, dial, mission, sample, scripted, withBaseline, wrongMenu } from './sampleReport.ts';

const oneTest = (test: Partial<ReportTest>): Report => ({
  tests: [{ path: 'a.json', name: 'A', runs: [], ...test }],
  missing: [],
});
const sarifOf = (report: Report) => JSON.parse(reporters.sarif(report));

const textNames = reporterNames.filter((name) => name !== 'html');
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('the reporters', () => {
  const extensions = { spec: 'txt', json: 'json', junit: 'xml', sarif: 'sarif', github: 'log' } as const;
  for (const name of textNames) {
    it(`${name} matches its reviewed output, of a whole run and of one that was cut off`, () => {
      const whole = { ...withBaseline, missing: sample.missing };
      for (const [file, report] of Object.entries({ report: whole, cutOff }))
        // What github prints begins as what spec prints.
        assertGolden(
          reporters[name](report).replace(name === 'github' ? reporters.spec(report) : '', ''),
          new URL(`./golden/${file}.${extensions[name]}`, import.meta.url),
        );
    });
  }

  it('answer to their names, and to no others', () => {
    for (const name of reporterNames) assert.equal(readReporter(name, reporterNames, false), name);
    for (const name of ['pdf', 'toString'])
      assert.throws(() => readReporter(name, reporterNames, false), {
        name: 'UsageError',
        message: /spec, json, junit, sarif/,
      });
  });

  it('work for anything that is heard', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          '<',
          '</script>',
          '&',
          '::error::',
          '##[',
          '|',
          ']]>',
          '"',
          "'",
          '\u0000',
          '\u001b[31m',
          '\n',
          '\r',
          '\t',
          '\ud800',
          '\ufffe',
          '💶',
          ' ',
          'a',
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, heard, file) => {
        const report: Report = {
          tests: [
            {
              path: file,
              name,
              line: 1,
              runs: [scripted('FAIL', [{ ...wrongMenu, name, transcript: heard, reason: heard }])],
            },
          ],
          missing: [{ path: file, name, reason: heard }],
        };
        await readJUnit(reporters.junit(report));
        assert.equal(jsonReportSchema.safeParse(JSON.parse(reporters.json(report))).success, true);
        assert.equal(sarifOf(report).runs[0].results.length, 2);
        assert.doesNotMatch(reporters.spec(report), /[\u0000-\u0009\u000b-\u001f]/);
        assert.equal(countOf(reporters.github(report), /^\s*::|##\[/gm), 2, 'commands to GitHub');
        assert.equal(countOf(markdownSummary(report), /(?<!\\)\||\n/g), 4 * 5 + 6, 'cells and lines');
        assert.equal(countOf(reporters.html(report), /<\/?script/gi), 10, 'scripts');
      }),
    );
  });
});

describe('the failure of a run', () => {
  const exit = (report: Report): number => summarise(report).exitCode;

  it("results from a test that didn't pass every time", () => {
    assert.equal(exit(oneTest({ runs: [scripted('PASS', [dial])] })), 0);
    for (const outcome of ['FAIL', 'ERROR', 'INCONCLUSIVE'] as const)
      assert.equal(exit(oneTest({ runs: [scripted('PASS', [dial]), scripted(outcome, [dial])] })), 1);
    assert.equal(exit(oneTest({ runs: [mission({ verdict: 'pass' })] })), 0);
    assert.equal(exit(oneTest({ runs: [mission({ status: 'running' })] })), 1);
  });

  it("results from a call that wasn't made, from a run that was cut off, and from an empty run", () => {
    assert.equal(exit({ ...oneTest({ runs: [scripted('PASS', [dial])] }), cutOff: 'The run was interrupted.' }), 1);
    assert.equal(
      exit({
        ...oneTest({ runs: [scripted('PASS', [dial])] }),
        missing: [{ path: 'b.json', reason: 'It is no JSON.' }],
      }),
      1,
    );
    assert.equal(exit({ tests: [], missing: [] }), 1);
  });

  it('results only from a regression or a new test if there is a baseline', () => {
    const failing = { runs: Array.from({ length: 3 }, () => scripted('FAIL', [wrongMenu])) };
    const baseline = (passed: number, of: number) => ({ tests: [{ file: 'a.json', name: 'A', passed, of }] });
    assert.equal(exit({ ...oneTest(failing), baseline: baseline(3, 3) }), 1);
    assert.equal(exit({ ...oneTest(failing), baseline: baseline(1, 3) }), 0);
    assert.equal(exit({ ...oneTest({ runs: failing.runs.slice(1) }), baseline: baseline(1, 2) }), 0);
    assert.equal(exit({ ...oneTest(failing), baseline: { tests: [] } }), 1);
  });

  it('results from an outage with any number of calls: all passed in the baseline, and none passes now', () => {
    const runs = (...outcomes: ('PASS' | 'FAIL')[]) =>
      outcomes.map((outcome) => scripted(outcome, outcome === 'PASS' ? [dial] : [wrongMenu]));
    const against = (passed: number, of: number, ...outcomes: ('PASS' | 'FAIL')[]): Report => ({
      ...oneTest({ runs: runs(...outcomes) }),
      baseline: { tests: [{ file: 'a.json', name: 'A', passed, of }] },
    });
    assert.equal(
      summarise(against(1, 1, 'FAIL')).cases[0]?.comparison?.change,
      'unclear',
      'chance alone cannot be ruled out',
    );
    assert.deepEqual(
      [against(1, 1, 'FAIL'), against(2, 2, 'FAIL', 'FAIL'), against(2, 2, 'PASS', 'FAIL'), against(0, 1, 'FAIL')].map(
        exit,
      ),
      [1, 1, 0, 0],
    );
  });

  it('depends on each row separately', () => {
    const row = (account: string, outcome: 'PASS' | 'FAIL') => scripted(outcome, [dial], { row: { account } });
    const { cases } = summarise(
      oneTest({ runs: [row('1', 'PASS'), row('2', 'FAIL'), row('1', 'PASS'), row('2', 'FAIL')] }),
    );
    assert.deepEqual(
      cases.map(({ name, passed, of, flakiness }) => [name, passed, of, flakiness.state]),
      [
        ['A [account=1]', 2, 2, 'steady pass'],
        ['A [account=2]', 0, 2, 'steady fail'],
      ],
    );
  });
});

describe('a test in the baseline', () => {
  const ids = ['7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c', '1c9a0d7e-2b53-4f0a-8d3e-5f6a7b8c9d0e'] as const;
  const failing = [scripted('FAIL', [wrongMenu])];
  const known = { passed: 0, of: 3 };
  const reportOn = (
    baseline: Report['baseline'],
    ...tests: (readonly [path: string, test: Omit<ReportTest, 'path'>])[]
  ): Report => ({
    tests: tests.map(([path, test]) => ({ path, ...test })),
    missing: [],
    ...(baseline && { baseline }),
  });
  const found = (report: Report) => {
    const { cases, gone } = summarise(report);
    return [cases.map(({ isNew }) => !isNew), gone.map(({ name }) => name)];
  };

  it('matches by its ID, even if its file was moved or renamed', () => {
    const baseline = { tests: [{ file: '/home/other/a.json', name: 'Old name', id: ids[0].toUpperCase(), ...known }] };
    assert.deepEqual(found(reportOn(baseline, ['b/c.json', { id: ids[0], name: 'New name', runs: failing }])), [
      [true],
      [],
    ]);
    assert.deepEqual(found(reportOn(baseline, ['b/c.json', { id: ids[1], name: 'New name', runs: failing }])), [
      [false],
      ['Old name'],
    ]);
  });

  it('matches by path and name if the baseline has no ID for it, as in older ones', () => {
    const old = { tests: [{ file: '.\\b\\c.json', name: 'A', ...known }] };
    assert.deepEqual(found(reportOn(old, ['b/c.json', { id: ids[0], name: 'A', runs: failing }])), [[true], []]);
    const other = { tests: [{ file: 'b/c.json', name: 'A', id: ids[1], ...known }] };
    assert.deepEqual(
      found(reportOn(other, ['b/c.json', { id: ids[0], name: 'A', runs: failing }])),
      [[true], []],
      'the file has got a new id',
    );
  });

  it("matches one test only: a moved test isn't confused with its successor", () => {
    const baseline = { tests: [{ file: 'a.json', name: 'A', id: ids[0], ...known }] };
    const report = reportOn(
      baseline,
      ['a.json', { id: ids[1], name: 'A', runs: failing }],
      ['moved.json', { id: ids[0], name: 'A', runs: failing }],
    );
    assert.deepEqual(found(report), [[false, true], []]);
  });

  it('identifies its rows by what distinguishes them', () => {
    const runs = ['1', '2'].map((account, row) => ({
      ...scripted('FAIL', [wrongMenu], { row: { account, pin: '••••' } }),
      row,
    }));
    const written = readBaseline(
      reporters.json(reportOn(undefined, ['a.json', { id: ids[0], name: 'A', runs }])),
      'before.json',
    );
    assert.deepEqual(
      written.tests.map(({ id, row }) => [id, row]),
      [
        [ids[0], 'account=1, pin=••••'],
        [ids[0], 'account=2, pin=••••'],
      ],
    );
    assert.deepEqual(found(reportOn(written, ['b.json', { id: ids[0], name: 'Renamed', runs: runs.slice(1) }])), [
      [true],
      ['A [account=1, pin=••••]'],
    ]);
  });

  it("doesn't fail the run if it is gone, and every reporter says so; one that wasn't called isn't gone", () => {
    const baseline = {
      tests: [
        { file: 'a.json', name: 'A', ...known },
        { file: 'gone.json', name: 'Gone', passed: 2, of: 3 },
      ],
    };
    const report = reportOn(baseline, ['a.json', { name: 'A', runs: [scripted('PASS', [dial])] }]);
    assert.equal(summarise(report).exitCode, 0);
    for (const name of textNames) assert.match(reporters[name](report), /Gone/, name);
    assert.deepEqual(
      found({ ...report, missing: [{ path: './gone.json', name: 'Gone', reason: 'No minutes are left.' }] })[1],
      [],
    );
  });

  it('needs enough calls to show a difference, before and now', () => {
    const passes = (count: number) => ({
      id: ids[0],
      name: 'A',
      runs: Array.from({ length: count }, () => scripted('PASS', [dial])),
    });
    const against = (before: number, now: number): Report =>
      reportOn({ tests: [{ file: 'a.json', name: 'A', passed: before, of: before }] }, ['a.json', passes(now)]);
    const half = reportOn({ tests: [{ file: 'a.json', name: 'A', passed: callsToTell, of: callsToTell }] }, [
      'a.json',
      {
        name: 'A',
        runs: Array.from({ length: callsToTell }, (_none, index) =>
          scripted(index % 2 === 0 ? 'FAIL' : 'PASS', [dial]),
        ),
      },
    ]);
    assert.equal(summarise(half).cases[0]?.comparison?.change, 'regressed', 'as is promised of so many calls');
    assert.match(
      thinBaselineText(summarise(against(1, 1)).cases) ?? '',
      /^With 1 call per test, .* To determine this, it needs 6 calls per test in both/,
    );
    assert.equal(thinBaselineText(summarise(against(1, callsToTell)).cases), undefined);
    assert.match(
      thinComparisonText(summarise(against(20, 2)).cases) ?? '',
      /^With 20 calls per test in the baseline and 2 calls now, /,
    );
    assert.equal(thinComparisonText(summarise(against(callsToTell, callsToTell)).cases), undefined);
    assert.equal(
      thinComparisonText(summarise(reportOn({ tests: [] }, ['a.json', passes(1)])).cases),
      undefined,
      'nothing is compared',
    );
  });
});

describe('the findings of a run', () => {
  const test: ReportTest = { path: 'a.json', name: 'A', line: 3, stepLines: [5, undefined, 9], runs: [] };

  it("include one for each run that didn't pass", () => {
    for (const run of [
      scripted('FAIL', [dial]),
      scripted('ERROR', []),
      scripted('INCONCLUSIVE', [{ ...wrongMenu, optional: true }]),
      mission({ verdict: 'fail' }),
      mission({ verdict: 'error' }),
      mission({ status: 'running' }),
    ]) {
      const findings = findingsOf(test, run);
      assert.ok(
        findings.some(({ optional, line }) => !optional && line === 3),
        JSON.stringify(findings),
      );
    }
    assert.deepEqual(findingsOf(test, scripted('PASS', [dial])), []);
    assert.deepEqual(findingsOf(test, mission({ verdict: 'pass' })), []);
  });
});

describe('the report for people', () => {
  it('has colours only on a terminal that supports them', () => {
    const chosen = (isTTY: boolean, environment: Record<string, string>): boolean =>
      paletteFor({ isTTY }, environment) === colours;
    assert.deepEqual(
      [
        chosen(true, {}),
        chosen(false, {}),
        chosen(true, { NO_COLOR: '1' }),
        chosen(true, { NO_COLOR: '' }),
        chosen(true, { TERM: 'dumb' }),
        chosen(false, { FORCE_COLOR: '1' }),
        chosen(true, { FORCE_COLOR: '0' }),
        chosen(false, { FORCE_COLOR: '1', NO_COLOR: '1' }),
      ],
      [true, false, false, true, false, true, false, false],
    );
    assert.equal(specReport(sample, colours).replace(/\u001b\[\d+m/g, ''), specReport(sample, noColours));
    assert.match(specReport(sample, colours), /\u001b\[31m/);
  });

  it('escapes terminal sequences in what was heard', () =>
    assert.doesNotMatch(
      specReport(oneTest({ runs: [scripted('FAIL', [{ ...wrongMenu, transcript: 'a\u001b[2Jb\r\u009bc\u2028d' }])] })),
      /[\u001b\r\u009b\u2028]/,
    ));
});

describe('the JUnit report', () => {
  const odd = 'a <b> & "c" \'d\' ]]> \t e\r\n f 💶 é';

  it('keeps every character that XML allows', async () => {
    const report = oneTest({
      name: '<"A"\n&>',
      runs: [scripted('FAIL', [{ ...wrongMenu, reason: odd, transcript: `${odd}\u0000\ud800\ufffe` }])],
    });
    const [one] = (await readJUnit(reporters.junit(report))).testsuite?.[0]?.testcase ?? [];
    assert.equal(one?.name, '<"A"\n&>');
    assert.equal(one.failure?.[0]?.message, `Billing menu: ${odd}`);
    assert.ok(one.failure[0].inner?.includes(`heard: ${odd}\ufffd\ufffd\ufffd\n`), one.failure[0].inner);
  });

  it('agrees with the exit code', async () => {
    for (const report of [
      sample,
      withBaseline,
      cutOff,
      oneTest({ runs: [scripted('PASS', [dial])] }),
      oneTest({}),
      { tests: [], missing: [] },
    ]) {
      const { failures, errors, tests } = await readJUnit(reporters.junit(report));
      if (Number(tests) > 0) assert.equal(Number(failures) + Number(errors) > 0 ? 1 : 0, summarise(report).exitCode);
    }
  });
});

describe('the SARIF report', () => {
  it('has a rule, a place and a stable fingerprint for each result', () => {
    for (const report of [sample, withBaseline, cutOff]) {
      const [run] = sarifOf(report).runs;
      for (const result of run.results) {
        assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
        assert.ok(['error', 'warning', 'note'].includes(result.level) && result.message.text.length > 0);
        assert.ok(URL.canParse(result.locations[0].physicalLocation.artifactLocation.uri, 'file:///root/'));
      }
      assert.equal(
        run.results.some(({ level }: { level: string }) => level === 'error'),
        summarise(report).exitCode === 1,
      );
      const prints = run.results.map(({ partialFingerprints }: { partialFingerprints: object }) =>
        JSON.stringify(partialFingerprints),
      );
      assert.equal(new Set(prints).size, prints.length);
    }
  });

  it('creates no placeholders or links from what was heard', () => {
    const textOf = (reason: string): string =>
      sarifOf(oneTest({ name: 'A', runs: [scripted('FAIL', [{ name: 'S', outcome: 'FAIL', reason }])] })).runs[0]
        .results[0].message.text;
    assert.equal(textOf('{0} and {branch}'), 'A, S: {{0}} and {{branch}}');
    assert.equal(textOf('see [here](1) or \\[there\\](2)'), 'A, S: see \\[here\\](1) or \\\\\\[there\\\\\\](2)');
    assert.equal(
      textOf('[a=1] was heard (twice)'),
      'A, S: [a=1] was heard (twice)',
      'brackets that are no link are left alone',
    );
  });

  it('names files relative to the root of their repository', () => {
    const report: Report = {
      ...oneTest({ runs: [scripted('FAIL', [wrongMenu])] }),
      missing: [{ path: '/else/where.json', reason: 'No.' }],
      repositoryPaths: new Map([['a.json', 'tests/call s/a.json']]),
    };
    const uris = sarifOf(report).runs[0].results.map(
      ({ locations }: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        locations[0]?.physicalLocation.artifactLocation.uri,
    );
    assert.deepEqual(uris, ['tests/call%20s/a.json', 'file:///else/where.json']);
  });

  it('names files as URIs', () =>
    assert.deepEqual(['./a b/c#.json', 'a\\b.json', 'C:\\x y\\z.json', '/x y/z.json'].map(sarifUriOf), [
      'a%20b/c%23.json',
      'a/b.json',
      'file:///C:/x%20y/z.json',
      'file:///x%20y/z.json',
    ]));
});

describe('the JSON report', () => {
  it('matches its schema, and can be the baseline of a later run', () => {
    const text = reporters.json(sample);
    const { tests } = jsonReportSchema.parse(JSON.parse(text));
    const baseline = readBaseline(text, 'before.json');
    assert.deepEqual(
      baseline.tests.map(({ name, passed, of }) => [name, passed, of]),
      tests.map(({ name, passed, of }) => [name, passed, of]),
    );
    assert.equal(summarise({ ...sample, missing: [], baseline }).exitCode, 0);
  });

  it("can't be a baseline in any other form", () => {
    for (const text of [
      '',
      '[]',
      '{"version":2,"tests":[]}',
      reporters.json(cutOff),
      '{"version":1,"tests":[{"file":"a","name":"b","passed":2,"of":1}]}',
    ]) {
      assert.throws(
        () => readBaseline(text, 'before.json'),
        (error) => error instanceof HumanError && error.message.includes('before.json'),
      );
    }
  });
});
