import * as z from 'zod';
import type { PlanCalls } from '../../../contract/callPlan.ts';
import { dialTargetSchema } from '../../../contract/common.ts';
import { testIdOf } from '../../../runner/testId.ts';
import { mappingPlaceSchema, practiceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { L10n } from '../../basics/localise.ts';
import type { WithConsent } from '../../calls/consent.ts';
import type { MappingActions } from '../../calls/mappingActions.ts';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import type { Samples } from '../../host/samples.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';

interface HandCommandParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly actions: Pick<MappingActions, 'assertServed'>;
  readonly store: Pick<MappingStore, 'loadRuns'>;
  readonly samples: Samples;
  readonly startPractice: (file: string) => Promise<PracticeIvr>;
  /** Throws a HumanError if the service in use can't call the practice IVRs of this machine. */
  readonly assertCallsFromHere: () => void;
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
  readonly withConsent: WithConsent;
  readonly openHand: (runId: string) => void;
  /** Identifies this window's workspace. All its calls by hand share one saved test. */
  readonly workspaceId: string;
  readonly l10n: L10n;
}

/** A number or SIP address, a practice IVR, or a mapping; also the rows of the views. */
const calledSchema = z.union([z.object({ target: dialTargetSchema }), practiceSchema, mappingPlaceSchema]);

export function handCommands(parts: HandCommandParts): HandlersOf<'call'> {
  const { client, actions, store, samples, startPractice, withConsent, l10n } = parts;
  const targetOf = async (value: unknown): Promise<string | undefined> => {
    const called = readArgument(calledSchema, value);
    if (!called) return (await parts.pickTarget({ title: l10n.t('Call by Hand'), tests: true }))?.target;
    if ('target' in called) return called.target;
    if ('jobId' in called) return (await store.loadRuns(called.jobId)).job.phoneNumber;
    parts.assertCallsFromHere();
    return (await startPractice('file' in called ? called.file : samples.fileOf(called.sample, l10n))).uri;
  };
  return {
    'dialtree.call.start': async (value) => {
      const phoneNumber = await targetOf(value);
      if (phoneNumber === undefined) return;
      await actions.assertServed(phoneNumber);
      const id = await testIdOf(undefined, `${parts.workspaceId}#call-by-hand`);
      const steps = [{ name: l10n.t('Answer'), action: { type: 'dial' as const }, passThreshold: 0.8 }];
      const test: PlanCalls['test'] = { id, name: l10n.t('Call by hand'), phoneNumber, steps };
      const launch = { configId: id, test, guided: true };
      const started = await withConsent({ test, guided: true }, () => client.call('runTest', launch));
      const run = started?.items[0];
      if (run) parts.openHand(run.id);
    },
  };
}
