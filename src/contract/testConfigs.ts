import * as z from 'zod';
import {
  cursorSchema,
  descriptionSchema,
  dialTargetSchema,
  expectedVersionSchema,
  fromFileSchema,
  isoDateSchema,
  languageSchema,
  limitSchema,
  nameSchema,
  pageSchemaOf,
  profileIdSchema,
  tagsSchema,
} from './common.ts';
import { checkProblems } from './checkProblems.ts';
import { checksSchema } from './checks.ts';
import { expectedAfterHangUp } from './expectedAfterHangUp.ts';
import { limits } from './limits.ts';
import { outlines } from './outlines.ts';
import { endKindSchema } from './tree.ts';
import { unmeasuredBounds } from './unmeasured.ts';
import { untrusted } from './untrusted.ts';

const seconds = (most: number) => z.number().min(0).max(most);

const keyMs = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max).optional();

export const expectedEndSchema = endKindSchema.exclude(['input']);
export type ExpectedEnd = z.output<typeof expectedEndSchema>;

/** The action of a step. In a param test, `{column}` in keys and text is replaced by the row's value. */
export const stepActionSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('dial') }),
  z.strictObject({
    type: z.literal('press'),
    keys: z
      .string()
      .regex(
        /^(?:[0-9*#,]|\{\w+\}|\$\{secret:\w+\}){1,64}$/,
        'Keys are 0-9, * and #; a comma pauses for half a second; {column} stands for a value of the row.',
      )
      .describe('Keys to press: 0-9, * and #; a comma pauses for half a second'),
    keyToneMs: keyMs(limits.profiles.keyToneMs).describe('If longer than in the profile'),
    keyGapMs: keyMs(limits.profiles.keyGapMs).describe('If longer than in the profile'),
    dtmf: z
      .enum(['rfc4733', 'inband'])
      .optional()
      .describe('How these keys are sent: as telephone events or tones; default: as the profile and the line say'),
  }),
  z.strictObject({ type: z.literal('say'), text: untrusted(z.string().min(1).max(500)).describe('Text to say') }),
  z.strictObject({
    type: z.literal('wait'),
    seconds: seconds(600).describe('Seconds to wait'),
    onHold: z.boolean().optional().describe('Holds the call while waiting'),
  }),
  z.strictObject({ type: z.literal('expect') }).describe('Only listens'),
  z
    .strictObject({
      type: z.literal('collect'),
      name: z
        .string()
        .regex(/^\w{1,40}$/, 'A name has 1 to 40 letters, digits and underscores.')
        .describe('Name of the value for later steps'),
      pattern: untrusted(z.string().min(1).max(200)).describe('Regular expression'),
    })
    .describe('Keeps what the pattern matches, for later steps'),
  z.strictObject({ type: z.literal('hangUp') }),
]);
export type StepAction = z.output<typeof stepActionSchema>;

/** The similarity that a step needs unless it says otherwise. */
export const defaultPassThreshold = 0.8;

export const testStepSchema = z.strictObject({
  name: nameSchema.describe('Name of the step'),
  action: stepActionSchema.describe('press needs keys, say text, wait seconds, collect name and pattern'),
  expectedTranscript: untrusted(z.string().min(1).max(limits.missionText.max))
    .optional()
    .describe('Words that must be heard; * stands for any words'),
  heardBeforeAnswer: untrusted(z.string().min(1).max(limits.missionText.max))
    .optional()
    .describe(
      'Words before the answer, in a dial step; they must be heard before the call is answered or refused; * stands for any words. The step then also passes if the call is refused',
    ),
  passThreshold: z.number().min(0).max(1).default(defaultPassThreshold).describe('Minimum similarity, from 0 to 1'),
  expectedEnd: expectedEndSchema
    .optional()
    .describe(
      'How the call must continue after these words. hangup: the called side hangs up; transfer-ringback: it rings, or the called side transfers the call by REFER; voicemail: a tone after the words; human: a person answers; busy, fax: their tones; dead-air: silence',
    ),
  checks: checksSchema.optional().describe('What the called side must do in this step'),
  optional: z.boolean().optional().describe("A failure of this step doesn't fail the test"),
  language: languageSchema.optional().describe('Default: the language of the test'),
  secret: z.boolean().optional().describe('Masks what is pressed, said or collected'),
  timing: z
    .strictObject({
      answerWithinSeconds: seconds(120).optional().describe('Of a dial step; from the first INVITE to the answer'),
      promptWithinSeconds: seconds(120)
        .optional()
        .describe(
          'From the action to the first sound of the prompt; a step that expects no words listens only for that sound',
        ),
      silenceAtMostSeconds: seconds(120).optional().describe('Maximum silence'),
    })
    .optional()
    .describe('Time limits'),
});
export type TestStep = z.output<typeof testStepSchema>;

const stepsSchema = z.array(testStepSchema).min(limits.steps.min).max(limits.steps.max);
export const defaultLanguage = 'en-US';
/** Dialtree recognises, reads and speaks only English. */
export const isSpokenLanguage = (tag: string): boolean => /^en(?:-|$)/.test(tag);
export const otherLanguage =
  'Dialtree understands and speaks only English. Use en-US or another English language tag, or leave this out.';
/** A word, a sign that is read as a word, or a `*`. */
const hasWords = (text: string): boolean => /[\p{L}\p{N}#*&@%+]/u.test(text);

/** Only for new steps: stored steps stay readable. */
function checkNewStep(
  step: TestStep,
  refuse: (path: readonly (string | number)[], message: string) => void,
  steps: readonly TestStep[] = [step],
): void {
  const known = new Set(steps.slice(0, steps.indexOf(step) + 1).map(({ name }) => name));
  for (const { path, message } of checkProblems(step.checks ?? [], { steps: known }))
    refuse(['checks', ...path], message);
  if (step.checks && (step.action.type === 'hangUp' || step.action.type === 'collect'))
    refuse(['checks'], 'This step listens to nothing that checks could use. Move them to another step.');
  for (const { member, message } of expectedAfterHangUp(step)) refuse([member], message);
  if (step.heardBeforeAnswer !== undefined) {
    if (step.action.type !== 'dial' || (steps.length > 1 && steps[0] !== step))
      refuse(
        ['heardBeforeAnswer'],
        'Only the first step, a dial step, hears what comes before the answer. Move this there.',
      );
    if (step.expectedTranscript !== undefined || step.checks)
      refuse(
        ['heardBeforeAnswer'],
        'What is heard before the answer needs its own step. Move "expectedTranscript" and "checks" to an "expect" step after it.',
      );
    if (!hasWords(step.heardBeforeAnswer))
      refuse(['heardBeforeAnswer'], 'This has no words. Write what must be heard, or "*" for any words.');
  }
  for (const { bound, message } of unmeasuredBounds(step)) refuse(['timing', bound], message);
  if (step.expectedTranscript !== undefined && !hasWords(step.expectedTranscript))
    refuse(['expectedTranscript'], 'This has no words. Write what must be heard, or "*" for any words.');
  const { action, expectedTranscript = '', heardBeforeAnswer = '' } = step;
  const texts = [
    expectedTranscript,
    heardBeforeAnswer,
    'keys' in action ? action.keys : '',
    'text' in action ? action.text : '',
  ];
  const { names } = limits.steps;
  if (texts.join(' ').split(/\{\w+\}/).length > names + 1)
    refuse([], `This step has more than ${String(names)} {names} in its texts. Use fewer.`);
  if (step.secret !== true && texts.some((text) => text.includes('${secret:')))
    refuse(['secret'], 'A step with ${secret:NAME} must be secret. Add "secret": true.');
  if (step.language !== undefined && !isSpokenLanguage(step.language)) refuse(['language'], otherLanguage);
}
const newStepsSchema = stepsSchema.superRefine((steps, context) => {
  for (const [index, step] of steps.entries())
    checkNewStep(
      step,
      (path, message) => {
        context.addIssue({ code: 'custom', path: [index, ...path], message });
      },
      steps,
    );
});
/** A step of a call that is up. */
export const givenStepSchema = testStepSchema
  .superRefine((step, context) => {
    const refuse = (path: readonly (string | number)[], message: string): void => {
      context.addIssue({ code: 'custom', path: [...path], message });
    };
    checkNewStep(step, refuse);
    if (step.action.type === 'dial') refuse(['action', 'type'], 'The call is already dialled. Give another step.');
  })
  .register(outlines, { outline: 'a step as in createTestConfig; hangUp ends the run' });
export const columnNameSchema = z.string().regex(/^\w{1,40}$/);
const rowSchema = z.record(columnNameSchema, untrusted(z.string().max(500)), {
  error: ({ code }) =>
    code === 'invalid_key' ? 'A column name has 1 to 40 letters, digits and underscores.' : undefined,
});
const rowsSchema = z.array(rowSchema).min(limits.rows.min).max(limits.rows.max);
const { columns: mostColumns } = limits.rows;
/** Only for new rows: stored rows stay readable. */
export const newRowsSchema = rowsSchema.refine(
  (rows) => new Set(rows.flatMap((row) => Object.keys(row))).size <= mostColumns,
  `The rows have more than ${String(mostColumns)} columns. Remove some.`,
);

/** A scripted test. With rows it is a param test, with one run per row. */
export const testConfigSchema = z.strictObject({
  id: z.uuid(),
  name: nameSchema,
  description: descriptionSchema.optional(),
  phoneNumber: dialTargetSchema,
  language: languageSchema,
  type: z.enum(['standard', 'param']),
  steps: stepsSchema,
  rows: rowsSchema.optional(),
  profileId: z.uuid(),
  tags: tagsSchema,
  createdAt: isoDateSchema,
  updatedAt: isoDateSchema.describe('Changes with each edit'),
  fromFile: fromFileSchema.describe('True if the last edit came from a file'),
});
export type TestConfig = z.output<typeof testConfigSchema>;

const listedTestConfigSchema = testConfigSchema.partial({ steps: true });
/** Without a limit, all tests of a workspace; the quotas of its tier limit them. */
export const testConfigListSchema = pageSchemaOf(listedTestConfigSchema);
export const listTestConfigsSchema = z.strictObject({
  detail: z.enum(['full', 'rows']).default('full').describe('rows: without steps'),
  limit: limitSchema.unwrap().optional().describe('Tests per page; default: all'),
  cursor: cursorSchema,
});

const editable = {
  name: nameSchema.describe('Name of the test'),
  description: descriptionSchema.optional().describe('Purpose of the test'),
  phoneNumber: dialTargetSchema,
  language: languageSchema.refine(isSpokenLanguage, otherLanguage).optional().describe('English only'),
  steps: newStepsSchema.describe('The first dials'),
  rows: newRowsSchema.optional().describe('Values for {column} in steps; a run each'),
  profileId: profileIdSchema.optional(),
  tags: tagsSchema.optional(),
  fromFile: fromFileSchema.describe('True if it comes from a file; otherwise it counts as an edit on the service'),
};
/** An id from a file is kept if the workspace doesn't have it yet. */
export const createTestConfigSchema = z.strictObject({
  id: z.uuid().optional().describe('Id to use; default: a new one'),
  ...editable,
  language: editable.language.meta({ default: defaultLanguage }),
});
export const updateTestConfigSchema = z
  .object(editable)
  .partial()
  .extend({
    id: z.uuid().describe('Id of the test'),
    description: descriptionSchema.nullable().optional().describe('null removes it'),
    rows: newRowsSchema.nullable().optional().describe('null removes them'),
    expectedUpdatedAt: expectedVersionSchema,
  })
  .strict();
