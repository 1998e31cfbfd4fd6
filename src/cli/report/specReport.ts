import { count } from '../../base/count.ts';
import { onOneLine as clean } from '../terminal/controlCharacters.ts';
import { noColours, type Palette } from '../terminal/palette.ts';
import { baselineText } from './baseline.ts';
import type { Case } from './case.ts';
import { rateText, summarise, type Summary } from './cases.ts';
import type { BaselineTest, MissingTest, Report } from './report.ts';

/** Formats the report for people: a line per test, below it what went wrong and where, and the totals at the end. */
export function specReport(report: Report, palette: Palette = noColours): string {
  const summary = summarise(report);
  const lines: string[] = [];
  for (const file of new Set(summary.cases.map((one) => one.file))) {
    lines.push(palette.strong(clean(file)));
    for (const one of summary.cases.filter((other) => other.file === file)) lines.push(...caseLines(one, palette));
    lines.push('');
  }
  const { missing } = summary;
  if (missing.length > 0) {
    const title = missing.every(({ skipped }) => skipped === true) ? 'Skipped' : 'Not called';
    lines.push(palette.strong(title), ...missing.map((one) => missingLine(one, palette)), '');
  }
  if (summary.gone.length > 0) {
    lines.push(palette.strong('In the baseline, but not in this run'), ...goneLines(summary.gone, palette), '');
  }
  if (report.cutOff !== undefined) lines.push(palette.bad(`Cut off: ${clean(report.cutOff)}`));
  lines.push(totalsLine(summary, report, palette));
  return `${lines.join('\n')}\n`;
}

/** Returns the lines of one test, for a caller that prints each test when it ends. */
function caseLines(one: Case, palette: Palette): string[] {
  const mark = one.outcome === 'PASS' ? palette.good('✔') : one.fails ? palette.bad('✖') : palette.unsure('~');
  const rate = rateText(one);
  const flaky = !one.retried && one.flakiness.state === 'flaky' ? palette.unsure('  flaky') : '';
  const lines = [
    `  ${mark} ${clean(one.name)}${rate === '' ? '' : `  ${rate}`}${flaky}  ${palette.faint(seconds(one.seconds))}`,
  ];
  for (const { outcome, optional, title, message, details, line, times } of one.findings) {
    const where = line === undefined ? one.file : `${one.file}:${line}`;
    const head = `${optional ? 'optional, ' : ''}${outcome.toLowerCase()}${times > 1 ? `, ${times} times` : ''}`;
    lines.push(
      `      ${optional ? palette.faint(head) : outcome === 'FAIL' ? palette.bad(head) : palette.unsure(head)}  ${clean(title)}: ${clean(message)}  ${palette.faint(clean(where))}`,
    );
    const wide = Math.max(...details.map(([label]) => label.length), 0);
    for (const [label, text] of details) lines.push(`          ${palette.faint(label.padEnd(wide))}  ${clean(text)}`);
  }
  if (one.unreached.length > 0)
    lines.push(palette.faint(`      not reached  ${clean(one.unreached.map(({ name }) => name).join(', '))}`));
  const against = baselineText(one);
  if (against !== '') lines.push(`      ${one.fails ? palette.bad(against) : palette.faint(against)}`);
  return lines;
}

function missingLine({ path, name, line, reason, skipped }: MissingTest, palette: Palette): string {
  const where = line === undefined ? path : `${path}:${line}`;
  return `  ${skipped === true ? palette.unsure('-') : palette.bad('✖')} ${name === undefined ? '' : `${clean(name)}  `}${clean(reason)}  ${palette.faint(clean(where))}`;
}

/** A run of a few files can be compared with the baseline of all files. */
const goneShown = 10;

const goneLines = (gone: readonly BaselineTest[], palette: Palette): string[] => [
  ...gone
    .slice(0, goneShown)
    .map(
      ({ file, name, passed, of }) =>
        `  ${palette.unsure('-')} ${clean(name)}  ${passed} of ${of} passed  ${palette.faint(clean(file))}`,
    ),
  ...(gone.length > goneShown ? [`  … and ${gone.length - goneShown} more`] : []),
];

/** Returns the totals of a run in one line. */
export function totalsLine(
  { cases, missing, gone, passed, flaky, failing, tolerated, calls, seconds: total }: Summary,
  { nothing }: Report,
  palette: Palette = noColours,
): string {
  if (cases.length + missing.length === 0) return nothing ?? palette.bad('Nothing was tested.');
  const skipped = missing.filter((one) => one.skipped === true).length;
  const counts: readonly (readonly [number, string, ((text: string) => string)?])[] = [
    [flaky, 'flaky', palette.unsure],
    [failing, 'failing', palette.bad],
    [tolerated, 'failed no worse than before', palette.unsure],
    [cases.filter(({ isNew }) => isNew).length, 'new'],
    [missing.length - skipped, 'not called', palette.bad],
    [skipped, 'skipped', palette.unsure],
    [gone.length, 'in the baseline but not in this run', palette.unsure],
  ];
  return [
    palette.good(`${passed} of ${count(cases.length, 'test')} passed`),
    ...counts.flatMap(([number, what, paint = String]) => (number > 0 ? paint(`${number} ${what}`) : [])),
    count(calls, 'call'),
    seconds(total),
  ].join(', ');
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;
