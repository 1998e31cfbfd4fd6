import { appendFile } from 'node:fs/promises';
import { escapeMarkdown } from '../../base/escape.ts';
import { note } from '../terminal/output.ts';
import type { Palette } from '../terminal/palette.ts';
import { baselineText } from './baseline.ts';
import type { Case } from './case.ts';
import { isFlaky, rateText, summarise, type Summary } from './cases.ts';
import type { Report } from './report.ts';
import { specReport } from './specReport.ts';

/** Formats the report for the log of a GitHub job: as `spec` does, then a workflow command for each finding. */
export function githubReport(report: Report, palette?: Palette): string {
  const { cases, missing } = summarise(report);
  const pathOf = (file: string): string => report.repositoryPaths?.get(file) ?? file.replaceAll('\\', '/');
  const commands = [
    ...cases.flatMap((one) =>
      one.findings
        .filter(({ optional }) => !optional)
        .map(({ title, message, details, line }) =>
          command(one.fails ? 'error' : 'warning', {
            file: pathOf(one.file),
            line: line ?? one.line,
            title: isFlaky(one) ? `${one.name} (flaky)` : one.name,
            text: [
              title === one.name ? message : `${title}: ${message}`,
              ...details.map(([label, detail]) => `${label}: ${detail}`),
              rateText(one),
              baselineText(one),
            ]
              .filter((part) => part !== '')
              .join('\n'),
          }),
        ),
    ),
    ...missing
      .filter(({ skipped }) => skipped !== true)
      .map(({ path, name = path, line, reason }) =>
        command('error', { file: pathOf(path), line, title: name, text: reason }),
      ),
  ];
  return `${specReport(report, palette)}${commands.map((one) => `${one}\n`).join('')}`;
}

interface Annotation {
  readonly file: string;
  readonly line: number | undefined;
  readonly title: string;
  readonly text: string;
}

function command(level: 'error' | 'warning', { file, line = 1, title, text }: Annotation): string {
  const value = (property: string): string => data(property).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} file=${value(file)},line=${line},title=${value(title)}::${data(text)}`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** GitHub takes 1 MiB per step. A row has at most about 2 kB. */
const maxRows = 400;
const maxCharacters = 400;

/** Formats one summary of all tests as Markdown. Those that didn't simply pass come first. */
export function markdownSummary(report: Report): string {
  const summary = summarise(report);
  const rows = [...rowsOf(summary)].sort((one, other) => one.rank - other.rank);
  const left = rows.length - maxRows;
  return [
    `## Dialtree: ${headline(summary, report)}`,
    ...(report.cutOff === undefined ? [] : [cell(`Cut off: ${report.cutOff}`)]),
    ...(rows.length === 0
      ? []
      : [
          [
            '| | Test | File | What happened | Time |\n|---|---|---|---|---|',
            ...rows.slice(0, maxRows).map(({ cells }) => `| ${cells.map(cell).join(' | ')} |`),
          ].join('\n'),
        ]),
    ...(left > 0 ? [`${left} more tests aren't listed.`] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The totals of a run in one line. */
export function headline({ cases, missing, passed, flaky, failing, tolerated }: Summary, { nothing }: Report): string {
  const skipped = missing.filter((one) => one.skipped === true).length;
  if (cases.length + missing.length === 0) return nothing ?? 'Nothing was tested.';
  const counts: readonly (readonly [number, string])[] = [
    [flaky, 'flaky'],
    [failing, 'failing'],
    [tolerated, 'failed no worse than before'],
    [missing.length - skipped, 'not called'],
    [skipped, 'skipped'],
  ];
  return [
    `${passed} of ${cases.length} ${cases.length === 1 ? 'test' : 'tests'} passed`,
    ...counts.flatMap(([number, what]) => (number > 0 ? `${number} ${what}` : [])),
  ].join(', ');
}

function* rowsOf({ cases, missing }: Summary): Iterable<{ rank: number; cells: readonly string[] }> {
  for (const one of cases) {
    const why = one.findings.filter(({ optional }) => !optional).map(({ title, message }) => `${title}: ${message}`);
    yield {
      rank: one.fails ? 0 : one.outcome === 'PASS' && !isFlaky(one) ? 3 : 1,
      cells: [
        stateText(one),
        one.name,
        one.file,
        [rateText(one), ...why, baselineText(one)].filter((part) => part !== '').join('. '),
        `${one.seconds.toFixed(1)} s`,
      ],
    };
  }
  for (const { path, name = path, reason, skipped } of missing)
    yield {
      rank: skipped === true ? 2 : 0,
      cells: [skipped === true ? 'skipped' : 'not called', name, path, reason, ''],
    };
}

/** How a test ended, in a word. */
export const stateText = (one: Case): string =>
  isFlaky(one)
    ? 'flaky'
    : ({ PASS: 'passed', FAIL: 'failed', ERROR: 'error', INCONCLUSIVE: 'inconclusive' } as const)[one.outcome];

const cell = (text: string): string =>
  escapeMarkdown(text.length > maxCharacters ? `${text.slice(0, maxCharacters).toWellFormed()}…` : text);

/** Adds the summary to the page of the job, if GitHub runs it. */
export async function addJobSummary(report: Report, env: NodeJS.ProcessEnv): Promise<void> {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, markdownSummary(report));
  } catch (error) {
    note(`Couldn't write the summary of the job (${error instanceof Error ? error.message : String(error)}).`);
  }
}
