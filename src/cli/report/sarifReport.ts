import { pathToFileURL } from 'node:url';
import { baselineText, goneText } from './baseline.ts';
import type { Case } from './case.ts';
import { rateText, summarise } from './cases.ts';
import type { ReportFinding, Report } from './report.ts';

const rules = [
  { id: 'step-failed', name: 'StepFailed', text: 'A step of a scripted test failed.' },
  { id: 'acceptance-not-met', name: 'AcceptanceNotMet', text: "A mission didn't meet its acceptance criterion." },
  { id: 'compliance-check-failed', name: 'ComplianceCheckFailed', text: "A compliance check didn't pass." },
  { id: 'run-failed', name: 'RunFailed', text: 'A run ended without a verdict on its steps or its criterion.' },
  { id: 'not-called', name: 'NotCalled', text: "A planned call wasn't placed." },
] as const;
const ruleOf: Readonly<Record<ReportFinding['kind'], number>> = { step: 0, acceptance: 1, compliance: 2, run: 3 };
const notCalled = 4;

/**
 * Formats SARIF 2.1.0 (OASIS, 27 March 2020, errata 01), as GitHub's code scanning reads it: a result for each step,
 * criterion or check that didn't pass, at its line. The level is `error` if it fails the run, `warning` if it doesn't
 * (not worse than the baseline) or couldn't be decided, and `note` if the step is optional.
 */
export function sarifReport(report: Report): string {
  const { cases, missing, gone, exitCode } = summarise(report);
  const uriIn = (path: string): string => sarifUriOf(report.repositoryPaths?.get(path) ?? path);
  const location = (path: string, line: number | undefined): object => ({
    physicalLocation: {
      artifactLocation: { uri: uriIn(path) },
      ...(line === undefined ? {} : { region: { startLine: line } }),
    },
  });
  const results = [
    ...cases.flatMap((one) =>
      one.findings.map((finding) => ({
        ...result(one, finding),
        locations: [location(one.file, finding.line ?? one.line)],
        partialFingerprints: { 'test/v1': `${uriIn(one.file)}#${one.name}#${finding.kind}#${finding.title}` },
        occurrenceCount: finding.times,
      })),
    ),
    ...missing.map(({ path, name, line, reason, skipped }) => ({
      ruleId: rules[notCalled].id,
      ruleIndex: notCalled,
      level: skipped === true ? 'note' : 'error',
      message: { text: messageText(name === undefined ? reason : `${name}: ${reason}`) },
      locations: [location(path, line)],
      partialFingerprints: { 'test/v1': `${uriIn(path)}#${name ?? ''}#not-called` },
    })),
  ];
  const notifications = [
    ...(report.cutOff === undefined
      ? []
      : [{ level: 'error', message: { text: messageText(`The run was cut off: ${report.cutOff}`) } }]),
    ...gone.map((one) => ({
      level: 'warning',
      message: { text: messageText(`${one.name}: ${goneText(one)}`) },
      locations: [location(one.file, undefined)],
    })),
  ];
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Dialtree',
            ...(report.version === undefined ? {} : { semanticVersion: report.version }),
            rules: rules.map(({ id, name, text }) => ({ id, name, shortDescription: { text } })),
          },
        },
        automationDetails: { id: 'dialtree/' },
        invocations: [
          {
            executionSuccessful: report.cutOff === undefined,
            exitCode,
            ...(report.startedAt === undefined ? {} : { startTimeUtc: report.startedAt }),
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result(one: Case, { kind, outcome, optional, title, message, details }: Case['findings'][number]): object {
  const rule = ruleOf[kind];
  const level = optional ? 'note' : one.fails && outcome !== 'INCONCLUSIVE' ? 'error' : 'warning';
  const head = title === one.name ? one.name : `${one.name}, ${title}`;
  const text = [
    `${head}: ${message}`,
    ...details.map(([label, detail]) => `${label}: ${detail}`),
    rateText(one),
    baselineText(one),
  ]
    .filter((part) => part !== '')
    .join('\n');
  return { ruleId: rules[rule]?.id, ruleIndex: rule, level, message: { text: messageText(text) } };
}

/**
 * Braces would be placeholders (section 3.11.5). Brackets are escaped only if they would form a link (3.11.6), because
 * many viewers show the backslashes.
 */
function messageText(text: string): string {
  const braced = text.replace(/[{}]/g, '$&$&');
  return /\]\s*\(/.test(braced) ? braced.replace(/[\\[\]]/g, '\\$&') : braced;
}

/** Relative paths stay relative to the root of the repository, as code scanning expects. */
export function sarifUriOf(path: string): string {
  const slashed = path.toWellFormed().replaceAll('\\', '/');
  if (/^[A-Za-z]:\//.test(slashed))
    return `file:///${slashed
      .split('/')
      .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
      .join('/')}`;
  if (slashed.startsWith('/')) return pathToFileURL(slashed).href;
  return slashed
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
}
