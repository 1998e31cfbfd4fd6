import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { savedPage } from '../../base/savedPage.ts';
import { HumanError } from '../../contract/errors.ts';
import type { LoadSnapshot } from '../../contract/loadPanel.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import { findInstallation } from '../../service/basics/installation.ts';
import type { LoadReport } from './report.ts';

/** Formats the load test as one HTML file: the editor's page of it, which needs neither the editor nor a network. */
export async function htmlLoadReport({ name, test }: LoadReport): Promise<string> {
  const [script, style] = await Promise.all(['load.js', 'load.css'].map((file) => readPageFile(file)));
  const nonce = randomBytes(16).toString('base64');
  const snapshot: LoadSnapshot = { type: 'snapshot', name, test: withoutRecordings(test), saved: true };
  return savedPage({ title: name, subject: test.id, snapshot, script: script ?? '', style: style ?? '', nonce });
}

/** Their addresses expire. */
function withoutRecordings({ stats, ...test }: LoadTest): LoadTest {
  if (!stats?.tested) return { ...test, ...(stats && { stats }) };
  const { references: _references, failures, ...tested } = stats.tested;
  const listed = failures.map(({ recording: _recording, ...failure }) => failure);
  return { ...test, stats: { ...stats, tested: { ...tested, failures: listed } } };
}

async function readPageFile(name: string): Promise<string> {
  const file = path.join(findInstallation().pagesDir, name);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new HumanError(`Couldn't read ${file}, which the HTML report needs. Reinstall Dialtree.`, {
      status: 503,
      code: 'assets_missing',
      cause,
    });
  }
}
