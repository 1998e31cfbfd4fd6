import { env, l10n, window } from 'vscode';
import { isRecord } from '../../../base/isRecord.ts';
import { practiceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { MappingActions } from '../../calls/mappingActions.ts';
import type { PracticeIvrs } from '../../host/practice.ts';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import type { Samples } from '../../host/samples.ts';
import { pickPracticeFile } from '../targets/pickTarget.ts';

interface PracticeCommandParts {
  readonly practice: Pick<PracticeIvrs, 'running' | 'find' | 'stop'>;
  readonly startPractice: (file: string) => Promise<PracticeIvr>;
  readonly samples: Samples;
  readonly actions: MappingActions;
  /** Throws a HumanError if the service in use can't call the practice IVRs of this machine. */
  readonly assertCallsFromHere: () => void;
  readonly openTree: (place: { jobId: string }) => Promise<void>;
}

export function practiceCommands(parts: PracticeCommandParts): HandlersOf<'practice'> {
  const { practice, startPractice, samples, actions, assertCallsFromHere, openTree } = parts;
  const fileOf = (value: unknown): string | undefined => {
    const choice = readArgument(practiceSchema, value);
    if (!choice) return undefined;
    return 'file' in choice ? choice.file : samples.fileOf(choice.sample, l10n);
  };
  const pickRunning = async (value: unknown, offered = practice.running): Promise<PracticeIvr | undefined> => {
    const file = fileOf(value);
    if (file !== undefined) return practice.find(file);
    const chosen = await window.showQuickPick(
      offered.map((ivr) => ({ label: ivr.name, description: ivr.uri, ivr })),
      { placeHolder: l10n.t('Which practice IVR do you want to use?') },
    );
    return chosen?.ivr;
  };
  return {
    'dialtree.practice.start': async (value) => {
      // The title of the view passes the selected row, which is already running.
      const file = fileOf(isRecord(value) && 'uri' in value ? undefined : value) ?? (await pickPracticeFile(samples));
      return file === undefined ? undefined : startPractice(file);
    },
    'dialtree.practice.stop': async (value) => {
      const own = practice.running.filter(({ isElsewhere }) => isElsewhere !== true);
      const ivr = await pickRunning(value, own);
      if (ivr) await practice.stop(ivr.file);
    },
    'dialtree.practice.map': async (value) => {
      assertCallsFromHere();
      const file = fileOf(value) ?? (await pickPracticeFile(samples));
      if (file === undefined) return undefined;
      const { uri, name } = await startPractice(file);
      const jobId = await actions.create({ target: uri, name });
      // The tree grows while it is open.
      if (jobId !== undefined) await openTree({ jobId });
      return jobId;
    },
    'dialtree.practice.copyAddress': async (value) => {
      const ivr = await pickRunning(value);
      if (ivr) await env.clipboard.writeText(ivr.uri);
    },
  };
}
