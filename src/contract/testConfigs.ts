import * as z from 'zod';
import {
  descriptionSchema,
  dialTargetSchema,
  expectedVersionSchema,
  fromFileSchema,
  isoDateSchema,
  languageSchema,
  nameSchema,
  tagsSchema,
} from './common.ts';
import { expectedAfterHangUp } from './expectedAfterHangUp.ts';
import { limits } from './limits.ts';
import { endKindSchema } from './tree.ts';
import { unmeasuredBounds } from './unmeasured.ts';

const seconds = (most: number) => z.number().min(0).max(most);

/** How a call may be expected to end. */
export const expectedEndSchema = endKindSchema.exclude(['input']);
export type ExpectedEnd = z.output<typeof expectedEndSchema>;

/** What a step does. `{column}` in keys and texts stands for a value of the row, in a param test. */
export const stepActionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dial') }).strict(),
  z
    .object({
      type: z.literal('press'),
      keys: z
        .string()
        .regex(
          /^(?:[0-9*#,]|\{\w+\}){1,64}$/,
          'Keys are 0-9, * and #; a comma waits half a second; {column} stands for a value of the row.',
        ),
    })
    .strict(),
  z.object({ type: z.literal('say'), text: z.string().min(1).max(500) }).strict(),
  z.object({ type: z.literal('wait'), seconds: seconds(600) }).strict(),
  z
    .object({ type: z.literal('expect') })
    .strict()
    .describe('Only listens'),
  z
    .object({ type: z.literal('collect'), name: z.string().regex(/^\w{1,40}$/), pattern: z.string().min(1).max(200) })
    .strict()
    .describe('Keeps what the pattern finds in what is heard, for later steps'),
  z.object({ type: z.literal('hangUp') }).strict(),
]);
export type StepAction = z.output<typeof stepActionSchema>;

export const testStepSchema = z
  .object({
    name: nameSchema,
    action: stepActionSchema,
    expectedTranscript: z.string().min(1).max(limits.missionText.max).optional(),
    passThreshold: z.number().min(0).max(1).default(0.8).describe('Least similarity, from 0 to 1'),
    expectedEnd: expectedEndSchema
      .optional()
      .describe(
        'How the call goes on behind what is heard: hangup, they hang up; transfer-ringback, it rings; hold-music; voicemail, a tone after the words; human, somebody answers in person; busy and fax, their tones; dead-air, silence',
      ),
    optional: z.boolean().optional().describe('A failure does not fail the test'),
    language: languageSchema.optional().describe('Default: that of the test'),
    secret: z.boolean().optional().describe('What is pressed, said or collected never reaches a log or a report'),
    timing: z
      .object({
        answerWithinSeconds: seconds(120)
          .optional()
          .describe('A dial step: from the first INVITE to the answer (post-dial delay)'),
        promptWithinSeconds: seconds(120)
          .optional()
          .describe(
            'From the end of what we did to the first sound of the answer; a step that expects no words listens for that alone',
          ),
        silenceAtMostSeconds: seconds(120).optional().describe('The longest silence within a step that listens'),
      })
      .strict()
      .optional(),
  })
  .strict();
export type TestStep = z.output<typeof testStepSchema>;

const stepsSchema = z.array(testStepSchema).min(limits.steps.min).max(limits.steps.max);
/** Speech is recognised, read and spoken in English alone. */
export const isSpokenLanguage = (tag: string): boolean => /^en(?:-|$)/.test(tag);
export const otherLanguage =
  'Prompts are understood, and texts are said, in English alone. Give en-US or another en tag, or leave it out.';
/** A word, a sign that is read as one, or a `*`. */
const hasWords = (text: string): boolean => /[\p{L}\p{N}#*&@%+]/u.test(text);

/** Not asked of what is stored: that stays readable. */
const newStepsSchema = stepsSchema.superRefine((steps, context) => {
  for (const [index, step] of steps.entries()) {
    const refuse = (path: readonly string[], message: string): void => {
      context.addIssue({ code: 'custom', path: [index, ...path], message });
    };
    for (const { member, message } of expectedAfterHangUp(step)) refuse([member], message);
    for (const { bound, message } of unmeasuredBounds(step)) refuse(['timing', bound], message);
    if (step.expectedTranscript !== undefined && !hasWords(step.expectedTranscript))
      refuse(['expectedTranscript'], 'There are no words in this. Write what must be heard; "*" alone is any words.');
    if (step.language !== undefined && !isSpokenLanguage(step.language)) refuse(['language'], otherLanguage);
  }
});
const rowSchema = z.record(z.string().regex(/^\w{1,40}$/), z.string().max(500));
export const rowsSchema = z.array(rowSchema).min(limits.rows.min).max(limits.rows.max);

/** A scripted test. With rows it is a param test: one run a row. */
export const testConfigSchema = z
  .object({
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
    fromFile: fromFileSchema.describe('Its last edit put a file in its place; absent where it was edited here'),
  })
  .strict();
export type TestConfig = z.output<typeof testConfigSchema>;

const editable = {
  name: nameSchema,
  description: descriptionSchema.optional(),
  phoneNumber: dialTargetSchema,
  language: languageSchema
    .refine(isSpokenLanguage, otherLanguage)
    .optional()
    .describe('Default en-US; English alone is understood'),
  steps: newStepsSchema,
  rows: rowsSchema.optional().describe('Makes it a param test'),
  profileId: z.uuid().optional(),
  tags: tagsSchema.optional(),
  fromFile: fromFileSchema.describe('The text lies in a file; without it this counts as an edit made here'),
};
/** A file that carries its id keeps it, where the workspace does not hold it yet. */
export const createTestConfigSchema = z.object({ id: z.uuid().optional(), ...editable }).strict();
export const updateTestConfigSchema = z
  .object(editable)
  .partial()
  .extend({
    id: z.uuid(),
    description: descriptionSchema.nullable().optional().describe('null takes it away'),
    rows: rowsSchema.nullable().optional().describe('Makes it a param test; null takes them away'),
    expectedUpdatedAt: expectedVersionSchema,
  })
  .strict();
