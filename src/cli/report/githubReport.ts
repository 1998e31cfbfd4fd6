import { appendFile } from 'node:fs/promises';
import { escapeMarkdown } from '../../base/escape.ts';
import { withoutControls } from '../terminal/controlCharacters.ts';
import { note } from '../terminal/output.ts';
import type { Palette } from '../terminal/palette.ts';
import { baselineText } from './baseline.ts';
import { findingText, rateText, summarise } from './cases.ts';
import { testRows } from './overview.ts';
import type { Report } from './report.ts';
import { specReport, totalsLine } from './specReport.ts';

/** Formats the report for the log of a GitHub job: as `spec` does, then a workflow command for each finding. */
export function githubReport(report: Report, palette?: Palette): string {
  const { cases, missing } = summarise(report);
  const annotation = (level: string, file: string, line: number | undefined, title: string, text: string): string => {
    const place = report.repositoryPaths?.get(file) ?? file.replaceAll('\\', '/');
    return `::${level} file=${property(place)},line=${line ?? 1},title=${property(title)}::${data(text)}\n`;
  };
  const annotations = [
    ...cases.flatMap((one) =>
      one.findings
        .filter(({ optional }) => !optional)
        .map((finding) => {
          const details = finding.details.map(([label, detail]) => `${label}: ${detail}`);
          const lines = [findingText(one, finding), ...details, rateText(one), baselineText(one)];
          const text = lines.filter((part) => part !== '').join('\n');
          return annotation(one.fails ? 'error' : 'warning', one.file, finding.line ?? one.line, one.name, text);
        }),
    ),
    ...missing
      .filter(({ skipped }) => skipped !== true)
      .map(({ path, name = path, line, reason }) => annotation('error', path, line, name, reason)),
  ];
  return `${specReport(report, palette)}${annotations.join('')}`;
}

const data = (text: string): string =>
  withoutControls(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** GitHub takes 1 MiB per step. A row has at most 4 kB. */
const maxRows = 250;
const maxCharacters = 400;

/** Formats one summary of all tests as Markdown. */
export function markdownSummary(report: Report): string {
  const summary = summarise(report);
  const rows = testRows(summary).map(
    ({ state, name, file, notes }) => `| ${[state, name, file, notes.join(' · ')].map(cell).join(' | ')} |\n`,
  );
  const cutOff = report.cutOff === undefined ? '' : `\n${cell(`Cut off: ${report.cutOff}`)}\n`;
  const table = `\n| | Test | File | What happened |\n|---|---|---|---|\n${rows.slice(0, maxRows).join('')}`;
  const more = rows.length > maxRows ? `\n${rows.length - maxRows} more tests aren't listed.\n` : '';
  return `## Dialtree: ${cell(totalsLine(summary, report))}\n${cutOff}${rows.length > 0 ? table : ''}${more}`;
}

/** Without the colon, GitHub makes no link of an address. */
const cell = (text: string): string =>
  escapeMarkdown(text.length > maxCharacters ? `${text.slice(0, maxCharacters).toWellFormed()}…` : text).replaceAll(
    ':',
    String.raw`\:`,
  );

/** Adds the summary to the page of the job, if GitHub runs it. */
export async function addJobSummary(
  report: Report,
  { GITHUB_STEP_SUMMARY: file = '' }: NodeJS.ProcessEnv,
): Promise<void> {
  if (file === '') return;
  await appendFile(file, markdownSummary(report)).catch((error: unknown) =>
    note(`Couldn't write the summary of the job (${String(error)}).`),
  );
}
