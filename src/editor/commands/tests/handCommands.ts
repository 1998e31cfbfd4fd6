import * as z from 'zod';
import { dialTargetSchema } from '../../../contract/common.ts';
import { mappingPlaceSchema, practiceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { PracticeIvr } from '../../host/practice.ts';
import type { Samples } from '../../host/samples.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import type { Target, TargetQuestion } from '../targets/pickTarget.ts';
import type { CallByHandParts } from './callByHand.ts';

interface HandCommandParts extends CallByHandParts {
  readonly store: Pick<MappingStore, 'loadRuns'>;
  readonly samples: Samples;
  readonly startPractice: (file: string) => Promise<PracticeIvr>;
  /** Throws a HumanError if the service in use can't call the practice IVRs of this machine. */
  readonly assertCallsFromHere: () => void;
  readonly pickTarget: (question: TargetQuestion) => Promise<Target | undefined>;
}

/** A number or SIP address, a practice IVR, or a mapping; also the rows of the views. */
const calledSchema = z.union([z.object({ target: dialTargetSchema }), practiceSchema, mappingPlaceSchema]);

export function handCommands(parts: HandCommandParts): HandlersOf<'call'> {
  const { store, samples, startPractice, assertCallsFromHere, pickTarget, l10n } = parts;
  const targetOf = async (value: unknown): Promise<string | undefined> => {
    const called = readArgument(calledSchema, value);
    if (!called) return (await pickTarget({ title: l10n.t('Call by Hand'), tests: true }))?.target;
    if ('target' in called) return called.target;
    if ('jobId' in called) return (await store.loadRuns(called.jobId)).job.phoneNumber;
    assertCallsFromHere();
    return (await startPractice('file' in called ? called.file : samples.fileOf(called.sample, l10n))).uri;
  };
  return {
    'dialtree.call.start': async (value) => {
      const target = await targetOf(value);
      if (target === undefined) return;
      const { callByHand } = await import('./callByHand.ts');
      await callByHand(target, parts);
    },
  };
}
