import * as z from 'zod';
import { dialTargetSchema } from '../../../contract/common.ts';
import { HumanError } from '../../../contract/errors.ts';
import { problemText } from '../../../model/files/fileProblem.ts';
import { readTestFile } from '../../../model/tests/testFile.ts';
import { guidedTest, launchGuided, plainStep, type GuidedTest } from '../../../runner/guided.ts';
import { testIdOf } from '../../../runner/testId.ts';
import { mappingPlaceSchema, practiceSchema, readArgument } from '../../basics/commandArguments.ts';
import type { HandlersOf } from '../../basics/commandTable.ts';
import type { L10n } from '../../basics/localise.ts';
import type { WithConsent } from '../../calls/consent.ts';
import type { MappingActions } from '../../calls/mappingActions.ts';
import type { TestSource } from '../../folders/testSource.ts';
import type { PracticeIvr } from '../../host/practiceNotes.ts';
import type { Samples } from '../../host/samples.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import type { HandTest } from '../../panels/hand/handPanel.ts';
import type { MappingStore } from '../../store/mappingStore.ts';
import { rowKeys } from '../../testing/running/rowKeys.ts';
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
  readonly openHand: (runId: string, test?: HandTest) => void;
  readonly sourceOf: (uri: string) => TestSource;
  /** Starts the practice IVR that a file names, and returns its address. */
  readonly play: (besideFile: string, ivr: string) => Promise<string>;
  /** Identifies this window's workspace. All its calls by hand share one saved test. */
  readonly workspaceId: string;
  readonly l10n: L10n;
}

/** A number or SIP address, a practice IVR, or a mapping; also the rows of the views. */
const calledSchema = z.union([z.object({ target: dialTargetSchema }), practiceSchema, mappingPlaceSchema]);
/** The URI of a scripted test, and the key of a row; the first row by default. @see rowKeys */
const steppedSchema = z.object({ test: z.string().min(1), row: z.string().optional() });
type Stepped = z.output<typeof steppedSchema>;

export function handCommands(parts: HandCommandParts): HandlersOf<'call'> {
  const { client, actions, store, samples, startPractice, withConsent, l10n } = parts;
  const answer = plainStep({ name: l10n.t('Answer'), action: { type: 'dial' } });

  const targetOf = async (called: z.output<typeof calledSchema> | undefined): Promise<string | undefined> => {
    if (!called) return (await parts.pickTarget({ title: l10n.t('Call by Hand'), tests: true }))?.target;
    if ('target' in called) return called.target;
    if ('jobId' in called) return (await store.loadRuns(called.jobId)).job.phoneNumber;
    parts.assertCallsFromHere();
    return (await startPractice('file' in called ? called.file : samples.fileOf(called.sample, l10n))).uri;
  };
  const launch = async (test: GuidedTest, shown?: HandTest): Promise<void> => {
    await actions.assertServed(test.phoneNumber);
    const runId = await launchGuided({ client, withConsent }, test);
    if (runId !== undefined) parts.openHand(runId, shown);
  };

  const callStepByStep = async (stepped: Stepped): Promise<void> => {
    const source = parts.sourceOf(stepped.test);
    const file = await readTestFile(await source.read(), source.file, source.readBeside);
    if ('problems' in file)
      throw new HumanError(file.problems.map(problemText).join(' '), { status: 400, code: 'bad_file' });
    if (file.kind !== 'calltest')
      throw new HumanError(l10n.t('Only scripted tests can be run step by step. A mission decides its own steps.'), {
        status: 400,
        code: 'bad_file',
      });
    const { id, name, phoneNumber, ivr = '', rows = [] } = file.test;
    const row = rows[stepped.row === undefined ? 0 : rowKeys(file).indexOf(stepped.row)];
    if (!row && stepped.row !== undefined)
      throw new HumanError(l10n.t('The file of the test no longer contains this row.'), {
        status: 404,
        code: 'bad_file',
      });
    const { test, steps } = guidedTest(file, {
      id: await testIdOf(id, source.path),
      name: l10n.t('{0}, step by step', name.slice(0, 150)),
      phoneNumber: phoneNumber ?? (await parts.play(source.file, ivr)),
      row: row ?? {},
      answer,
    });
    await launch(test, { steps, callAgain: () => callStepByStep(stepped) });
  };

  return {
    'dialtree.call.start': async (value) => {
      const called = readArgument(z.union([steppedSchema, calledSchema]), value);
      if (called && 'test' in called) return callStepByStep(called);
      const phoneNumber = await targetOf(called);
      if (phoneNumber === undefined) return;
      const id = await testIdOf(undefined, `${parts.workspaceId}#call-by-hand`);
      await launch({ id, name: l10n.t('Call by hand'), phoneNumber, steps: [answer] });
    },
  };
}
