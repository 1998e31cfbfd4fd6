import type { ReportSnapshot } from '../../contract/reportPanel.ts';

/**
 * Leaves out what gives access or works only in the editor: the signed address of the recording, the address that waits
 * for a call, the key that gave consent, the test, other runs, and a second verdict, which only the panel keeps.
 */
export function savedSnapshot({ name, rule, run, mission }: ReportSnapshot, hasSound: boolean): ReportSnapshot {
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
