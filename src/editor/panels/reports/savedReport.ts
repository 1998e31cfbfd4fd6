import { randomBytes } from 'node:crypto';
import { savedPage, type PageFiles } from '../../../base/savedPage.ts';
import type { ReportSnapshot } from '../../../contract/reportPanel.ts';
import { savedSnapshot } from '../../../model/report/savedSnapshot.ts';

/** @param wav the recording, or undefined if the file doesn't contain it */
export function savedReport(shown: ReportSnapshot, wav: Buffer | undefined, page: PageFiles): string {
  const snapshot = savedSnapshot(shown, wav !== undefined);
  return savedPage({
    ...page,
    title: snapshot.name,
    subject: snapshot.run.id,
    snapshot,
    wav: wav?.toString('base64'),
    nonce: randomBytes(16).toString('base64'),
  });
}
