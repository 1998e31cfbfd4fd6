import { jsonReport } from './jsonReport.ts';
import { junitReport } from './junitReport.ts';
import type { Report } from './report.ts';
import { sarifReport } from './sarifReport.ts';
import type { Palette } from '../terminal/palette.ts';
import { specReport } from './specReport.ts';

export const reporterNames = ['spec', 'json', 'junit', 'sarif'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** Each reporter formats the whole report as text that ends with a line feed. Only `spec` uses colours. */
export const reporters: Readonly<Record<ReporterName, (report: Report, palette?: Palette) => string>> = {
  spec: specReport,
  json: (report) => jsonReport(report),
  junit: (report) => junitReport(report),
  sarif: (report) => sarifReport(report),
};
