import * as z from 'zod';
import { isoDateSchema, languageSchema, nameSchema } from './common.ts';
import { limits } from './limits.ts';
import { lineCallerIdSchema, lineDtmfSchema, lineNameSchema } from './lines.ts';
import { isSpokenLanguage, otherLanguage } from './testConfigs.ts';

const { profiles: bounds } = limits;
const within = ({ min, max }: { readonly min: number; readonly max: number }): z.ZodInt => z.int().min(min).max(max);

export const voiceSchema = z.enum(['rms', 'awb', 'kal', 'kal16', 'slt']);

const always = {
  name: nameSchema.describe('Name of the profile'),
  language: languageSchema
    .refine(isSpokenLanguage, otherLanguage)
    .describe('Language of the calls; Dialtree understands only English'),
  voice: voiceSchema.describe('Built-in voice of the caller'),
  keyToneMs: within(bounds.keyToneMs).describe('Length of each tone'),
  keyGapMs: within(bounds.keyGapMs).describe('Silence after each key'),
};
const optional = {
  patienceSeconds: z
    .number()
    .min(bounds.patienceSeconds.min)
    .max(bounds.patienceSeconds.max)
    .describe(
      "Seconds of silence after which the caller stops waiting for speech, or for more speech after words that don't ask for anything; absent: the default of each kind of run",
    ),
  callerId: lineCallerIdSchema.describe('Caller ID: a number or extension that the line lists'),
  line: lineNameSchema.describe('Line for the calls; it must serve the number'),
  dtmf: lineDtmfSchema.describe('How keys are sent, whatever the line says'),
  concurrency: within(bounds.concurrency).describe('Maximum simultaneous calls of a run'),
};

export const profileSchema = z.strictObject({
  id: z.uuid(),
  isDefault: z.boolean().describe("Used by everything that doesn't name a profile"),
  ...always,
  ...z.object(optional).partial().shape,
  createdAt: isoDateSchema,
  updatedAt: isoDateSchema,
});
export type Profile = z.output<typeof profileSchema>;

/** The part of its profile that a run keeps from the start. */
export const callerSchema = profileSchema.omit({ id: true, isDefault: true, createdAt: true, updatedAt: true });
export type CallerProfile = z.output<typeof callerSchema>;

/** The default profile of a workspace that hasn't changed it. */
export const defaultCaller: CallerProfile = {
  name: 'Default',
  language: 'en-US',
  voice: 'rms',
  keyToneMs: bounds.keyToneMs.default,
  keyGapMs: bounds.keyGapMs.default,
};

export const createProfileSchema = z.strictObject({
  name: always.name,
  language: always.language.default(defaultCaller.language),
  voice: always.voice.default(defaultCaller.voice),
  keyToneMs: always.keyToneMs.default(defaultCaller.keyToneMs),
  keyGapMs: always.keyGapMs.default(defaultCaller.keyGapMs),
  ...z.object(optional).partial().shape,
});

const nullable = <Value extends z.ZodType>(value: Value) => value.nullable().optional();
/** null removes a value. */
export const updateProfileSchema = z
  .object(always)
  .partial()
  .extend({
    id: z.uuid().describe('Id of the profile'),
    patienceSeconds: nullable(optional.patienceSeconds),
    callerId: nullable(optional.callerId),
    line: nullable(optional.line),
    dtmf: nullable(optional.dtmf),
    concurrency: nullable(optional.concurrency),
  })
  .strict();
