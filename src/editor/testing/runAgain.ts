import { HumanError } from '../../contract/errors.ts';
import { ownIdIn } from '../../contract/probeFile.ts';
import type { TestRun, RunResults } from '../../contract/testRuns.ts';
import type { WithConsent } from '../calls/consent.ts';
import type { L10n } from '../basics/localise.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { rowOfRun } from './running/rowKeys.ts';

type Again = Pick<RunResults, 'configId' | 'catalogueTestId' | 'phoneNumber' | 'runType' | 'row'>;

interface RunAgainParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly l10n: L10n;
  readonly withConsent: WithConsent;
  /** Runs the file that contains the test. Resolves with false if there is none, otherwise when the run has ended. */
  readonly runInFile: (run: Again, launched: (runId: string) => void) => Promise<boolean>;
  readonly openReport: (runId: string) => void;
}

/** Runs what a run was of, and opens the report: a test of a file, otherwise the saved test, or a compliance probe. */
export async function runAgain(parts: RunAgainParts, run: Again): Promise<void> {
  let isOpen = false;
  const open = (runId: string): void => {
    if (!isOpen) parts.openReport(runId);
    isOpen = true;
  };
  if (await parts.runInFile(run, open)) return;
  const launched = await launchSaved(parts, run);
  if (launched) open(launched.id);
}

async function launchSaved(
  { client, l10n, withConsent }: RunAgainParts,
  run: Again,
): Promise<Pick<TestRun, 'id'> | undefined> {
  const { configId, catalogueTestId, phoneNumber, runType, row } = run;
  if (ownIdIn(catalogueTestId) !== undefined)
    throw new HumanError(l10n.t('No file of this workspace contains the probe of this run.'), { code: 'no_file' });
  if (catalogueTestId !== undefined)
    return withConsent({ catalogueTestId, phoneNumber }, () =>
      client.call('runComplianceTest', { catalogueTestId, phoneNumber }),
    );
  if (configId === undefined) return undefined;
  if (runType === 'mission')
    return withConsent({ missionConfigId: configId }, () => client.call('runMissionTest', { configId }));
  const test = row && (await client.call('getTestConfig', { id: configId }));
  const wanted = test?.rows?.[rowOfRun(test, row ?? {})];
  if (row && !wanted) throw new HumanError(l10n.t('The test no longer has the row of this run.'), { code: 'no_row' });
  const rows = wanted && { rows: [wanted] };
  return withConsent({ testConfigId: configId, ...rows }, async () => {
    const { items } = await client.call('runTest', { configId, ...rows });
    return items[0];
  });
}
