import * as z from 'zod';
import { dialTargetSchema } from '../../../contract/common.ts';
import { HumanError } from '../../../contract/errors.ts';
import { problemText } from '../../../model/files/fileProblem.ts';
import type { LaunchValues } from '../../../model/tests/environment.ts';
import { readTest } from '../../folders/testSource.ts';
import { guidedTest, launchGuided, plainStep, type GuidedTest } from '../../../runner/guided.ts';
import { testIdOf } from '../../../runner/testId.ts';
import { mappingPlaceSchema, practiceSchema } from '../../basics/commandArguments.ts';
import type { L10n } from '../../basics/localise.ts';
import { handTest, storedWords } from '../../basics/words/handNames.ts';
import type { HandTest } from '../../panels/hand/handPanel.ts';
import { rowKeys } from '../../testing/running/rowKeys.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';

/** A number or SIP address, a practice IVR, or a mapping; also the rows of the views. */
const calledSchema = z.union([z.object({ target: dialTargetSchema }), practiceSchema, mappingPlaceSchema]);
/** The URI of a scripted test, and the key of a row; the first row by default. @see rowKeys */
const steppedSchema = z.object({ test: z.string().min(1), row: z.string().optional() });
type Stepped = z.output<typeof steppedSchema>;

export const handCommands = [
  command({
    id: 'dialtree.call.start',
    calls: true,
    args: z.union([steppedSchema, calledSchema]),
    async run(editor, called) {
      if (called && 'test' in called) return callStepByStep(editor, called);
      const phoneNumber = await targetOf(editor, called);
      if (phoneNumber === undefined) return;
      // All calls by hand from this window's workspace share one saved test.
      const id = await testIdOf(undefined, `${editor.workbench.workspaceId()}#call-by-hand`);
      const name = handTest(storedWords);
      await launch(editor, { id, name, phoneNumber, steps: [answer(storedWords)] });
    },
  }),
];

const answer = (l10n: L10n) => plainStep({ name: l10n.t('Answer'), action: { type: 'dial' } });

async function targetOf(
  editor: Editor,
  called: z.output<typeof calledSchema> | undefined,
): Promise<string | undefined> {
  if (!called) return (await editor.pickTarget({ title: editor.l10n.t('Call by Hand'), tests: true }))?.target;
  if ('target' in called) return called.target;
  if ('jobId' in called) return (await editor.store.loadRuns(called.jobId)).job.phoneNumber;
  editor.assertCallsFromHere();
  const file = 'file' in called ? called.file : editor.samples.fileOf(called.sample, editor.l10n);
  return (await editor.startPractice(file)).uri;
}

async function launch(
  { client, actions, consent, openHand }: Editor,
  test: GuidedTest,
  shown?: HandTest,
  values?: LaunchValues,
) {
  await actions.assertServed(test.phoneNumber);
  const runId = await launchGuided({ client, withConsent: consent.planned }, test, values);
  if (runId !== undefined) openHand(runId, shown);
}

async function callStepByStep(editor: Editor, stepped: Stepped): Promise<void> {
  const { l10n, workbench } = editor;
  const source = workbench.sourceOf(stepped.test);
  const file = await readTest(source);
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
    phoneNumber: phoneNumber ?? (await play(editor, source.file, ivr)),
    row: row ?? {},
    answer: answer(l10n),
  });
  await launch(editor, test, { steps, callAgain: () => callStepByStep(editor, stepped) }, file.launch);
}

/** Starts the practice IVR that a file names, and returns its address. */
async function play(editor: Editor, besideFile: string, ivr: string): Promise<string> {
  editor.assertCallsFromHere();
  return (await editor.startPractice(await editor.workbench.besideFile(besideFile, ivr))).uri;
}
