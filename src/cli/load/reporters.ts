import { htmlLoadReport } from './htmlReport.ts';
import { specLoadReport, type LoadReport } from './report.ts';
import { junitText, timestampOf } from '../report/junitReport.ts';
import { xmlElement } from '../report/xml.ts';
import type { Palette } from '../terminal/palette.ts';

export const loadReporterNames = ['spec', 'json', 'junit', 'html', 'csv'] as const;
export type LoadReporterName = (typeof loadReporterNames)[number];

export const loadReporters: Readonly<
  Record<LoadReporterName, (report: LoadReport, palette?: Palette) => string | Promise<string>>
> = { spec: specLoadReport, json: jsonLoadReport, junit: junitLoadReport, html: htmlLoadReport, csv: csvLoadReport };

/** Formats the calls of each second as a table: RFC 4180, with the names of the columns in the first row. */
function csvLoadReport({ test }: LoadReport): string {
  const rows = (test.stats?.timeline ?? []).map(({ second, placed, answered, active, failed }) =>
    [second, placed, answered, active, failed].join(','),
  );
  return ['second,placed,answered,active,failed', ...rows, ''].join('\r\n');
}

/** Formats the load test as the interface returns it. */
function jsonLoadReport({ file, name, target, test, failures }: LoadReport): string {
  return `${JSON.stringify({ file, name, target, passed: failures.length === 0, failures, loadTest: test }, null, 2)}\n`;
}

/** Formats the load test as JUnit XML: one suite, with a case for the test itself and one for each criterion. */
function junitLoadReport({
  file,
  name,
  target,
  test: { status, reason, stats, startedAt, completedAt },
  failures,
}: LoadReport): string {
  const seconds = completedAt === undefined ? 0 : (Date.parse(completedAt) - Date.parse(startedAt)) / 1000;
  const { outcome, criteria = [], reason: whyNot } = stats?.verdict ?? {};
  const own = failures.filter((failure) => failure !== whyNot || criteria.every(({ met }) => met));
  const failureOf = (message: string, type: string) => xmlElement('failure', { message, type }, [message]);
  const cases = [
    xmlElement('testcase', { name, classname: file, time: seconds.toFixed(3) }, [
      ...(own.length === 0 ? [] : [failureOf(own.join(' '), status.toUpperCase())]),
      xmlElement('system-out', {}, [
        [target, reason, ...(stats?.warnings ?? [])].filter((line) => line !== undefined).join('\n'),
      ]),
    ]),
    ...criteria.map(({ name: criterion, met, text }) =>
      xmlElement(
        'testcase',
        { name: `${name}, ${criterion}`, classname: file, time: '0.000' },
        met ? [xmlElement('system-out', {}, [text])] : [failureOf(text, outcome === 'fail' ? 'FAIL' : 'INCONCLUSIVE')],
      ),
    ),
  ];
  const failed = String(Number(own.length > 0) + criteria.filter(({ met }) => !met).length);
  const totals = { tests: String(cases.length), failures: failed, errors: '0', time: seconds.toFixed(3) };
  const suite = xmlElement(
    'testsuite',
    { name: file, ...totals, skipped: '0', timestamp: timestampOf(startedAt), file },
    cases,
  );
  return junitText([suite], seconds);
}
