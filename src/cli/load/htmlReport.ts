import { randomBytes } from 'node:crypto';
import { savedPage } from '../../base/savedPage.ts';
import type { LoadSnapshot } from '../../contract/loadPanel.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import { readPageFiles } from '../report/pageFiles.ts';
import type { LoadReport } from './report.ts';

/** Formats the load test as one HTML file: the editor's page of it, which needs neither the editor nor a network. */
export async function htmlLoadReport({ name, test }: LoadReport): Promise<string> {
  const nonce = randomBytes(16).toString('base64');
  const snapshot: LoadSnapshot = { type: 'snapshot', name, test: withoutRecordings(test), saved: true };
  return savedPage({ title: name, subject: test.id, snapshot, ...(await readPageFiles('load')), nonce });
}

/** Their addresses expire. */
function withoutRecordings({ stats, ...test }: LoadTest): LoadTest {
  if (!stats?.tested) return { ...test, ...(stats && { stats }) };
  const { references: _references, failures, ...tested } = stats.tested;
  const listed = failures.map(({ recording: _recording, ...failure }) => failure);
  return { ...test, stats: { ...stats, tested: { ...tested, failures: listed } } };
}
