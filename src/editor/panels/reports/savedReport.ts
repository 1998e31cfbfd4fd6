import { randomBytes } from 'node:crypto';
import { savedPage, type PageFiles } from '../../../base/savedPage.ts';
import type { ReportSnapshot } from '../../../contract/reportPanel.ts';

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

/**
 * Leaves out what gives access or works only in the editor: the signed address of the recording, the address that waits
 * for a call, the key that gave consent, the test, other runs, and a second verdict, which only the panel keeps.
 */
function savedSnapshot({ name, rule, run, mission }: ReportSnapshot, hasSound: boolean): ReportSnapshot {
  const { configId: _config, testConfigId: _test, catalogueTestId: _probe, awaitsCallAt: _address, ...shown } = run;
  return {
    type: 'snapshot',
    name,
    ...(rule !== undefined && { rule }),
    run: withoutAccess(shown),
    ...(mission && { mission: withoutAccess(mission) }),
    hasFile: false,
    acceptable: [],
    history: [],
    saved: hasSound ? 'withSound' : run.audioUrl === undefined ? 'noRecording' : 'withoutSound',
  };
}

const withoutAccess = <Run extends { readonly audioUrl?: unknown; readonly consentedBy?: unknown }>({
  audioUrl: _audio,
  consentedBy: _key,
  ...shown
}: Run): Omit<Run, 'audioUrl' | 'consentedBy'> => shown;
