import type { Palette } from '../terminal/palette.ts';
import { githubReport } from './githubReport.ts';
import { htmlReport } from './htmlReport.ts';
import { jsonReport } from './jsonReport.ts';
import { junitReport } from './junitReport.ts';
import type { Report } from './report.ts';
import { sarifReport } from './sarifReport.ts';
import { specReport } from './specReport.ts';

export const reporterNames = ['spec', 'json', 'junit', 'sarif', 'html', 'github'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** Each reporter formats the whole report as text that ends with a line feed. `spec` and `github` use colours. */
export const reporters: Readonly<Record<ReporterName, (report: Report, palette?: Palette) => string>> = {
  spec: specReport,
  json: (report) => jsonReport(report),
  junit: (report) => junitReport(report),
  sarif: (report) => sarifReport(report),
  html: (report) => htmlReport(report),
  github: githubReport,
};
