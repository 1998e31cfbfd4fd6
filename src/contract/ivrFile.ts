import * as z from 'zod';
import { phoneNumberSchema } from './common.ts';
import { findGraphProblems } from './ivrGraph.ts';
import { menuKeySchema } from './menu.ts';

/** The practice IVR file, `*.ivr.json`: an IVR that Dialtree plays. */

const stateNameRule = 'A state name has 1 to 80 letters, digits, dots, hyphens and underscores.';
const stateNameSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/, stateNameRule);
const millisecondsSchema = z.int().min(0).max(600_000);

const recordingSchema = z.strictObject({ wav: z.string().min(1), text: z.string().min(1).max(4000) });
const promptOf = (text: z.ZodString) =>
  z.union([text.max(4000), recordingSchema], {
    error: 'A prompt must be text to say, or {"wav": file, "text": what it says}.',
  });
export const promptSchema = promptOf(z.string().min(1));
export type Prompt = z.output<typeof promptSchema>;

/** The message for an invalid name of a record's entry. */
const named = (message: string) => ({
  error: (issue: { readonly code?: string | undefined }) => (issue.code === 'invalid_key' ? message : undefined),
});

const retrySchema = z.strictObject({ prompt: promptSchema.optional(), next: stateNameSchema.optional() });

const collectSchema = z
  .strictObject({
    min: z.int().min(0).max(64).default(1),
    max: z.int().min(1).max(64),
    terminator: z.enum(['#', '*']).optional(),
    accept: z.array(z.string().regex(/^[0-9*#]+$/)).optional(),
    next: stateNameSchema,
    onReject: stateNameSchema.optional(),
  })
  .refine((collect) => collect.min <= collect.max, { path: ['min'], message: 'min is larger than max. Swap them.' });

const ivrEndSchema = z.enum([
  'hangup',
  'transfer-ringback',
  'human',
  'hold-music',
  'voicemail',
  'busy',
  'fax',
  'dead-air',
]);

export const endSounds = {
  'transfer-ringback': 'ringback',
  'hold-music': 'music',
  voicemail: 'beep',
  busy: 'busy',
  fax: 'fax',
} as const satisfies Partial<Record<z.output<typeof ivrEndSchema>, string>>;

export const ivrStateSchema = z.strictObject({
  prompt: promptOf(z.string()).describe('What the IVR says in this state; can be empty in a state with an end'),
  keys: z.record(menuKeySchema, stateNameSchema, named('Keys are 0 to 9, * and #.')).optional(),
  speech: z.record(z.string().min(1).max(200), stateNameSchema, named('A phrase has 1 to 200 characters.')).optional(),
  collect: collectSchema.optional(),
  next: stateNameSchema.optional(),
  end: ivrEndSchema.optional(),
  sound: recordingSchema
    .optional()
    .describe('Replaces the ring tone, music, beep, busy or fax tone of an end, e.g. by music with announcements'),
  pauseMs: millisecondsSchema.optional(),
  bargeIn: z.boolean().optional(),
  greeting: z
    .boolean()
    .optional()
    .describe('For the ends human and voicemail: whether a greeting follows the prompt; default true'),
  timeoutMs: millisecondsSchema.optional(),
  maxTries: z.int().min(1).max(20).optional(),
  onTimeout: retrySchema.optional(),
  onInvalid: retrySchema.optional(),
  onExhausted: stateNameSchema.optional(),
});
export type IvrState = z.output<typeof ivrStateSchema>;

export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give a time of day as HH:MM.');

export const faultsSchema = z.strictObject({
  loss: z.number().min(0).max(1).default(0),
  jitterMs: z.number().min(0).max(1000).default(0),
  /** Level of added noise relative to full scale; null adds none. */
  noiseDb: z.number().min(-100).max(0).nullable().default(null),
  rejectRate: z.number().min(0).max(1).default(0),
  rejectWith: z.int().min(400).max(699).default(486),
  deadAirState: stateNameSchema.nullable().default(null),
  dropCallAfterMs: z.int().min(0).nullable().default(null),
  seed: z.int().default(1),
});
export type Faults = z.output<typeof faultsSchema>;

export const ivrFileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).max(200),
    number: phoneNumberSchema.optional(),
    language: z.string().default('en-US'),
    voice: z.string().optional(),
    answerAfterMs: millisecondsSchema.default(0),
    /** While the IVR rings, the caller hears the ring tone from it (SIP 183 with early media) instead of SIP 180. */
    earlyMedia: z.boolean().default(false),
    bargeIn: z.boolean().default(true),
    /** Replaces the silence at the beginning of every prompt. */
    leadMs: millisecondsSchema.optional(),
    digitBufferMs: millisecondsSchema.default(3000),
    start: stateNameSchema,
    states: z.record(stateNameSchema, ivrStateSchema, named(stateNameRule)),
    hours: z.array(z.strictObject({ from: timeOfDaySchema, to: timeOfDaySchema, start: stateNameSchema })).default([]),
    faults: faultsSchema.prefault({}),
  })
  .superRefine((ivr, context) => {
    for (const [name, { prompt, end, sound }] of Object.entries(ivr.states)) {
      if (prompt === '' && end === undefined)
        context.addIssue({
          code: 'custom',
          path: ['states', name, 'prompt'],
          message: 'Only a state with "end" can have an empty prompt. Write what the IVR says.',
        });
      if (sound && (end === undefined || !(end in endSounds)))
        context.addIssue({
          code: 'custom',
          path: ['states', name, 'sound'],
          message: `Only a state with one of these ends can have a sound: ${Object.keys(endSounds).join(', ')}.`,
        });
    }
    for (const problem of findGraphProblems(ivr))
      context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
  });
export type IvrFile = z.output<typeof ivrFileSchema>;

export const promptText = (prompt: Prompt): string => (typeof prompt === 'string' ? prompt : prompt.text);

/** Returns the user part of the SIP address of an IVR with this name. */
export const ivrSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'ivr';
