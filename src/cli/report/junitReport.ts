import { baselineText, goneText } from './baseline.ts';
import type { Case } from './case.ts';
import { findingText, isFlaky, rateText, summarise } from './cases.ts';
import type { BaselineTest, MissingTest, Report } from './report.ts';
import { xmlElement, type Element } from './xml.ts';

/**
 * Formats JUnit XML by Jenkins' schema (junit-10.xsd of its xUnit plugin), which GitLab, GitHub's actions and Azure
 * also read: a suite per file, a case per test, and a skipped case for each step that wasn't reached and each baseline
 * test that is gone. What fails the run is a `failure`, or an `error` if it couldn't be decided. What failed but isn't
 * worse than its baseline is `skipped`, so that the colour agrees with the exit code.
 */
export function junitReport(report: Report): string {
  const { cases, missing, gone, seconds } = summarise(report);
  const suites = [
    ...new Set([...cases.map(({ file }) => file), ...missing.map(({ path }) => path), ...gone.map(({ file }) => file)]),
  ].map((path) => {
    const own = cases.filter(({ file }) => file === path);
    const called = new Set(own.map(({ name }) => name));
    const all = [
      ...own.flatMap((one) => [testCase(one), ...unreachedCases(one)]),
      ...missing.filter((one) => one.path === path).map((one) => missingCase(one, called)),
      ...gone.filter(({ file }) => file === path).map(goneCase),
    ];
    return suite(
      path,
      all,
      own.reduce((sum, one) => sum + one.seconds, 0),
      report.startedAt,
    );
  });
  return junitText(suites, seconds);
}

/** Returns the whole document of these suites. */
export function junitText(suites: readonly Element[], seconds: number): string {
  const sum = (name: string): string =>
    String(suites.reduce((total, { attributes }) => total + Number(attributes[name]), 0));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement('testsuites', { name: 'dialtree', tests: sum('tests'), failures: sum('failures'), errors: sum('errors'), time: seconds.toFixed(3) }, suites).text()}\n`;
}

function suite(file: string, all: readonly Element[], seconds: number, startedAt: string | undefined): Element {
  const count = (kind: string): string =>
    String(
      all.filter(({ children }) => children.some((child) => typeof child !== 'string' && child.name === kind)).length,
    );
  return xmlElement(
    'testsuite',
    {
      name: file,
      tests: String(all.length),
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
      time: seconds.toFixed(3),
      ...(startedAt !== undefined && { timestamp: timestampOf(startedAt) }),
      file,
    },
    all,
  );
}

/** The schema allows neither fractions of a second nor a time zone. */
export const timestampOf = (iso: string): string => iso.replace(/(?:\.\d+)?Z$/, '');

function testCase(one: Case): Element {
  const skipped = !one.fails && one.outcome !== 'PASS';
  const notes = [
    rateText(one),
    skipped ? '' : baselineText(one),
    ...one.findings.filter(({ optional }) => optional || isFlaky(one)).map((finding) => describe(one, [finding])),
  ]
    .filter((note) => note !== '')
    .join('\n');
  return xmlElement('testcase', { name: one.name, classname: one.file, time: one.seconds.toFixed(3) }, [
    ...verdict(one),
    ...(notes === '' ? [] : [xmlElement('system-out', {}, [notes])]),
  ]);
}

function verdict(one: Case): Element[] {
  if (!one.fails && one.outcome === 'PASS') return [];
  const findings = one.findings.filter(({ optional }) => !optional);
  const text = describe(one, findings);
  if (!one.fails) return [xmlElement('skipped', { message: baselineText(one) }, [text])];
  const first = findings.find(({ outcome }) => outcome === one.outcome) ?? findings[0];
  const message = first ? findingText(one, first) : baselineText(one);
  return [
    xmlElement(one.outcome === 'FAIL' || one.outcome === 'PASS' ? 'failure' : 'error', { message, type: one.outcome }, [
      text,
    ]),
  ];
}

const unreachedCases = ({ name, file, unreached }: Case): Element[] =>
  unreached.map((step) =>
    xmlElement('testcase', { name: `${name}, step ${step.number}: ${step.name}`, classname: file, time: '0.000' }, [
      xmlElement('skipped', { message: 'Not reached.' }),
    ]),
  );

/** A test with at least one call already has a case with its name. */
const missingCase = ({ path, name = path, line, reason, skipped }: MissingTest, called: ReadonlySet<string>): Element =>
  xmlElement('testcase', { name: called.has(name) ? `${name}, not called` : name, classname: path, time: '0.000' }, [
    skipped === true
      ? xmlElement('skipped', { message: reason })
      : xmlElement('error', { message: reason, type: 'NOT_CALLED' }, [
          line === undefined ? reason : `${reason}\n  at ${path}:${line}`,
        ]),
  ]);

const goneCase = (one: BaselineTest): Element =>
  xmlElement('testcase', { name: one.name, classname: one.file, time: '0.000' }, [
    xmlElement('skipped', { message: goneText(one) }),
  ]);

function describe({ file }: Case, findings: Case['findings']): string {
  return findings
    .flatMap(({ title, message, details, line, times, optional, outcome }) => [
      `${optional ? 'optional, ' : ''}${outcome}${times > 1 ? ` (${times} times)` : ''}: ${title}: ${message}`,
      ...details.map(([label, text]) => `  ${label}: ${text}`),
      ...(line === undefined ? [] : [`  at ${file}:${line}`]),
    ])
    .join('\n');
}
