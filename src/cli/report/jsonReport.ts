import * as z from 'zod';
import { parsedJson } from '../../base/parsedJson.ts';
import { describeIssues, HumanError } from '../../contract/errors.ts';
import { runOutcomeSchema } from '../../contract/testRuns.ts';
import { summarise } from './cases.ts';
import { runOutcomeOf } from './findings.ts';
import type { Baseline, Report } from './report.ts';

const seconds = z.number().transform((value) => Math.round(value * 1000) / 1000);
const intervalSchema = z.object({ low: z.number(), high: z.number() });
const findingSchema = z.object({
  kind: z.enum(['step', 'acceptance', 'compliance', 'run']),
  outcome: runOutcomeSchema.exclude(['PASS']),
  optional: z.boolean(),
  title: z.string(),
  message: z.string(),
  line: z.int().optional(),
  times: z.int(),
  details: z.array(z.object({ label: z.string(), text: z.string() })),
});

const baselineTestSchema = z.object({
  file: z.string(),
  name: z.string(),
  id: z.string().optional(),
  row: z.string().optional(),
  passed: z.int().min(0),
  of: z.int().min(0),
});

/**
 * The report for machines, also used as the baseline of a later run. Properties can be added, but none changes its
 * meaning within a version.
 */
export const jsonReportSchema = z.object({
  version: z.literal(1),
  startedAt: z.string().optional(),
  passed: z.boolean().describe('Whether the exit code was 0'),
  cutOff: z.string().optional().describe('Why tests or calls were left out, or why a call was cut off'),
  retries: z.int().optional().describe('How often failed calls were retried at most'),
  nothing: z.string().optional().describe('Why there was nothing to run'),
  calls: z.int(),
  seconds,
  tests: z.array(
    z.object({
      file: z.string(),
      name: z.string(),
      id: z.string().optional().describe('The id in the test file'),
      row: z.string().optional().describe('Identifies the row of a param test'),
      line: z.int().optional(),
      outcome: runOutcomeSchema,
      fails: z.boolean(),
      passed: z.int().min(0),
      of: z.int().min(0),
      interval: intervalSchema.describe('95 % Wilson confidence interval of the pass rate'),
      state: z.enum(['steady pass', 'steady fail', 'flaky', 'once', 'not run']),
      seconds,
      baseline: z
        .object({
          passed: z.int(),
          of: z.int(),
          change: z.enum(['regressed', 'improved', 'same', 'unclear']),
          difference: z.number(),
          interval: intervalSchema,
        })
        .optional(),
      new: z.literal(true).optional().describe('True if there is a baseline that does not contain this test'),
      findings: z.array(findingSchema),
      notReached: z.array(z.string()).optional().describe('Names of the steps that no run reached'),
      runs: z.array(z.object({ id: z.string(), outcome: runOutcomeSchema, seconds })),
    }),
  ),
  missing: z.array(
    z.object({
      file: z.string(),
      name: z.string().optional(),
      id: z.string().optional(),
      line: z.int().optional(),
      reason: z.string(),
      calls: z.int().optional().describe('Number of calls; 1 if absent'),
      skipped: z.literal(true).optional().describe('True if --fail-fast left it out'),
    }),
  ),
  gone: z.array(baselineTestSchema).optional().describe('Tests that are in the baseline, but not in this run'),
});

export function jsonReport(report: Report): string {
  const { cases, missing, gone, exitCode, ...totals } = summarise(report);
  // The schema leaves out what isn't part of the report.
  const content = jsonReportSchema.parse({
    ...report,
    ...totals,
    version: 1,
    passed: exitCode === 0,
    tests: cases.map(({ flakiness, comparison, isNew, findings, unreached, runs, ...one }) => ({
      ...one,
      ...flakiness,
      ...(comparison && { baseline: { ...comparison, ...comparison.baseline } }),
      ...(isNew && { new: true }),
      findings: findings.map((finding) => ({
        ...finding,
        details: finding.details.map(([label, text]) => ({ label, text })),
      })),
      ...(unreached.length > 0 && { notReached: unreached.map(({ name }) => name) }),
      runs: runs.map(({ results, seconds }) => ({ id: results.id, outcome: runOutcomeOf(results), seconds })),
    })),
    missing: missing.map((one) => ({ ...one, file: one.path })),
    ...(gone.length > 0 && { gone }),
  });
  return `${JSON.stringify(content, null, 2)}\n`;
}

const baselineSchema = z.object({
  version: z.literal(1),
  cutOff: z.string().optional(),
  tests: z.array(baselineTestSchema.refine(({ passed, of }) => passed <= of, 'passed is larger than of.')),
});

/** Reads an earlier JSON report as a baseline. Throws a HumanError that names the file if the text isn't a report. */
export function readBaseline(text: string, file: string): Baseline {
  const content = parsedJson(text);
  const result = baselineSchema.safeParse(content);
  if (!result.success)
    throw new HumanError(
      content === undefined
        ? `${file} isn't JSON. Give the file that an earlier \`dialtree run --reporter json\` wrote.`
        : `${file} isn't a report of \`dialtree run --reporter json\`: ${describeIssues(result.error)}`,
      { status: 400 },
    );
  if (result.data.cutOff !== undefined)
    throw new HumanError(
      `${file} is the report of a run that was cut off, so it can't be a baseline. Create a baseline with --write-baseline in a run that calls all tests.`,
      { status: 400 },
    );
  return { tests: result.data.tests };
}
