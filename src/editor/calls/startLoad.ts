import * as z from 'zod';
import { runLoadTestSchema, type LoadTest, type RunLoadTest } from '../../contract/loadTests.ts';
import { peakCalls } from '../../model/calls/loadCourse.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { WithConsent } from './consent.ts';
import { planWords } from './planWords.ts';

interface StartLoadParts extends Pick<Basics, 'dialogs' | 'formats' | 'l10n'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly withConsent: WithConsent;
  readonly openReport: (loadTestId: string) => void;
}

/**
 * Places the calls and shows their report. Calls that leave this machine are confirmed each time, because many
 * simultaneous calls are never a small matter. Returns undefined if the user declines.
 */
export async function startLoad(
  { client, withConsent, openReport, dialogs, l10n, formats }: StartLoadParts,
  wanted: RunLoadTest,
  notAfter?: AbortSignal,
): Promise<string | undefined> {
  const plan = await client.call('planCalls', { load: wanted });
  const isAsked = plan.route !== undefined && plan.route !== 'lab' && !plan.needsConsent && plan.refusal === undefined;
  if (
    isAsked &&
    !(await dialogs.confirm(
      l10n.t('Place {1} simultaneous calls to {0}?', plan.phoneNumber, peakCalls(wanted)),
      planWords(plan, l10n, formats),
      l10n.t('Start Load Test'),
      l10n.t("Don't Call"),
    ))
  )
    return undefined;
  // An edit since the plan isn't what the user agreed to.
  const agreed = { ...wanted, ...(plan.updatedAt !== undefined && { expectedUpdatedAt: plan.updatedAt }) };
  const test = await withConsent({ load: agreed }, () => client.call('runLoadTest', agreed, notAfter && { notAfter }));
  if (test) openReport(test.id);
  return test?.id;
}

export const repeatLoad = (test: LoadTest): RunLoadTest => {
  const input = z.object(runLoadTestSchema.shape).strip().parse(test);
  // The test contains both: the saved test and its number at the time.
  return input.configId === undefined ? input : { ...input, phoneNumber: undefined };
};
