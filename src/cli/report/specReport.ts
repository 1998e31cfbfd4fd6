import { onOneLine as clean } from '../controlCharacters.ts';
import { baselineText } from './baseline.ts';
import type { Case } from './case.ts';
import { rateText, summarise, type Summary } from './cases.ts';
import type { BaselineTest, MissingTest, Report } from './report.ts';

/** Paints text for a terminal, or leaves it plain. */
export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly unsure: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

const paint =
  (code: number, end: number) =>
  (text: string): string =>
    `\u001b[${code}m${text}\u001b[${end}m`;
const plain = (text: string): string => text;
export const colours: Palette = {
  good: paint(32, 39),
  bad: paint(31, 39),
  unsure: paint(33, 39),
  faint: paint(2, 22),
  strong: paint(1, 22),
};
export const noColours: Palette = { good: plain, bad: plain, unsure: plain, faint: plain, strong: plain };

/**
 * Colours only where a person looks, and wants them (https://no-color.org: NO_COLOR set and not empty; FORCE_COLOR as
 * Node reads it; TERM=dumb).
 */
export function paletteFor(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Palette {
  const { NO_COLOR: without, FORCE_COLOR: force, TERM: terminal } = environment;
  if (without !== undefined && without !== '') return noColours;
  if (force !== undefined && force !== '' && force !== '0' && force !== 'false') return colours;
  return stream.isTTY === true && terminal !== 'dumb' && force === undefined ? colours : noColours;
}

/** For people: a line a test, below it what went wrong and where, at the end the sum. */
export function specReport(report: Report, palette: Palette = noColours): string {
  const summary = summarise(report);
  const lines: string[] = [];
  for (const file of new Set(summary.cases.map((one) => one.file))) {
    lines.push(palette.strong(clean(file)));
    for (const one of summary.cases.filter((other) => other.file === file)) lines.push(...caseLines(one, palette));
    lines.push('');
  }
  if (summary.missing.length > 0) {
    lines.push(palette.strong('Not called'));
    for (const missing of summary.missing) lines.push(missingLine(missing, palette));
    lines.push('');
  }
  if (summary.gone.length > 0) {
    lines.push(palette.strong('In the baseline, and not in this run'), ...goneLines(summary.gone, palette), '');
  }
  if (report.cutOff !== undefined) lines.push(palette.bad(`Cut off: ${clean(report.cutOff)}`));
  lines.push(...sumLines(summary, palette));
  return `${lines.join('\n')}\n`;
}

/** The lines of one test, for a caller who prints each as it ends. */
export function caseLines(one: Case, palette: Palette): string[] {
  const mark = one.outcome === 'PASS' ? palette.good('✔') : one.fails ? palette.bad('✖') : palette.unsure('~');
  const rate = rateText(one);
  const flaky = one.flakiness.state === 'flaky' ? palette.unsure('  flaky') : '';
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

function missingLine({ path, name, line, reason }: MissingTest, palette: Palette): string {
  const where = line === undefined ? path : `${path}:${line}`;
  return `  ${palette.bad('✖')} ${name === undefined ? '' : `${clean(name)}  `}${clean(reason)}  ${palette.faint(clean(where))}`;
}

/** A few files of many may be run against the baseline of all. */
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

function sumLines(
  { cases, missing, gone, passed, failing, tolerated, calls, seconds: total }: Summary,
  palette: Palette,
): string[] {
  const parts = [palette.good(`${passed} of ${cases.length} ${cases.length === 1 ? 'test' : 'tests'} passed`)];
  if (failing > 0) parts.push(palette.bad(`${failing} failing`));
  if (tolerated > 0) parts.push(palette.unsure(`${tolerated} failed no worse than before`));
  const fresh = cases.filter(({ isNew }) => isNew).length;
  if (fresh > 0) parts.push(`${fresh} new`);
  if (missing.length > 0) parts.push(palette.bad(`${missing.length} not called`));
  if (gone.length > 0) parts.push(palette.unsure(`${gone.length} of the baseline not in this run`));
  parts.push(`${calls} ${calls === 1 ? 'call' : 'calls'}`, seconds(total));
  return cases.length + missing.length === 0 ? [palette.bad('Nothing was tested.')] : [parts.join(', ')];
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;
