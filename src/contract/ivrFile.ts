import * as z from 'zod';
import { phoneNumberSchema } from './common.ts';
import { schemaReferenceSchema } from './fileMembers.ts';
import { findGraphProblems } from './ivrGraph.ts';
import { promptNodes, promptSchema, promptTexts, recordingSchema, silentPromptSchema } from './ivrPrompt.ts';

/** The practice IVR file, `*.ivr.json`: an IVR that Dialtree plays. */

const stateNameRule = 'A state name has 1 to 80 letters, digits, dots, hyphens and underscores.';
const stateNameSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/, stateNameRule);
const millisecondsSchema = z.int().min(0).max(600_000);

/** The message for an invalid name of a record's entry. */
const named = (message: string) => ({
  error: (issue: { readonly code?: string | undefined }) => (issue.code === 'invalid_key' ? message : undefined),
});

const retrySchema = z.strictObject({
  prompt: promptSchema.optional().describe('What the IVR says then'),
  next: stateNameSchema.optional().describe('State to continue with; default: this state again'),
});

const keysSchema = z.string().regex(/^[0-9*#X]{1,8}$/);
const keysRule = named('Keys are 0 to 9, * and #, or up to 8 of them in a row. X stands for any digit.');

const entrySchema = z.string().regex(/^[0-9*#]+$/);
const callerRule = 'Give a caller ID as it arrives, such as +12025550101 or anonymous, or its beginning and *.';
const branchSchema = z.strictObject({
  entered: z
    .array(entrySchema)
    .min(1)
    .optional()
    .describe('Entries for which this branch applies; default: every entry of the right length'),
  callers: z
    .array(z.string().regex(/^[\w.+-]+\*?$/, callerRule))
    .min(1)
    .optional()
    .describe('Caller IDs for which this branch applies, or their beginning and *; default: every caller'),
  next: stateNameSchema.describe('State to continue with'),
});

const collectSchema = z
  .strictObject({
    min: z.int().min(0).max(64).default(1).describe('Minimum number of digits'),
    max: z.int().min(1).max(64).describe('Maximum number of digits'),
    terminator: z.enum(['#', '*']).optional().describe('Key that completes the entry'),
    accept: z.array(entrySchema).optional().describe('Valid entries; default: every entry of the right length'),
    next: stateNameSchema.describe('State after a valid entry'),
    onReject: stateNameSchema.optional().describe('State after any other entry'),
  })
  .refine((collect) => collect.min <= collect.max, { path: ['min'], message: 'min is larger than max. Swap them.' });

export const ivrEndSchema = z.enum([
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

const menuOf = 'A menu, with the state that each';

export const ivrStateSchema = z
  .strictObject({
    prompt: silentPromptSchema.describe('What the IVR says in this state; can be empty in a state with an end'),
    keys: z
      .record(keysSchema, stateNameSchema, keysRule)
      .optional()
      .describe(`${menuOf} key leads to. Several keys in a row are one option; X is any digit`),
    speech: z
      .record(z.string().min(1).max(200), stateNameSchema, named('A phrase has 1 to 200 characters.'))
      .optional()
      .describe(`${menuOf} phrase leads to`),
    collect: collectSchema.optional().describe('The caller enters digits'),
    branches: z
      .array(branchSchema)
      .min(1)
      .optional()
      .describe('With collect or next: other states to continue with. The first branch that applies is used'),
    next: stateNameSchema.optional().describe('State to continue with after the prompt'),
    end: ivrEndSchema.optional().describe('How the call ends here'),
    then: z
      .strictObject({
        afterMs: millisecondsSchema.describe('How long the end lasts, in milliseconds'),
        next: stateNameSchema.describe('State to continue with'),
      })
      .optional()
      .describe('What follows the end if the caller waits, such as a person after music; default: nothing'),
    sound: recordingSchema
      .optional()
      .describe('Replaces the ring tone, music, beep, busy or fax tone of an end, e.g. by music with announcements'),
    pauseMs: millisecondsSchema.optional().describe('Pause before next, in milliseconds; default 0'),
    bargeIn: z.boolean().optional().describe('Whether a key stops the prompt; default: the setting of the file'),
    greeting: z
      .boolean()
      .optional()
      .describe('For the ends human and voicemail: whether a greeting follows the prompt; default true'),
    timeoutMs: millisecondsSchema.optional().describe('Time for an answer, in milliseconds; default 4000'),
    maxTries: z.int().min(1).max(20).optional().describe('Failures in a row until onExhausted; default 3'),
    stay: stateNameSchema
      .optional()
      .describe('State for a caller who stays on the line: doing nothing is an option, not a failure'),
    onTimeout: retrySchema.optional().describe('What happens if the caller does nothing'),
    onInvalid: retrySchema.optional().describe('What happens after any other key or phrase'),
    onKey: z
      .record(keysSchema, retrySchema, keysRule)
      .optional()
      .describe('What happens after these wrong keys instead of onInvalid'),
    onExhausted: stateNameSchema.optional().describe('State after the last try; default: the IVR hangs up'),
  })
  .superRefine((state, context) => {
    for (const { path, message } of findMemberProblems(state)) context.addIssue({ code: 'custom', path, message });
  });
export type IvrState = z.output<typeof ivrStateSchema>;

export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give a time of day as HH:MM.');

export const faultsSchema = z.strictObject({
  loss: z.number().min(0).max(1).default(0).describe('Share of the packets that are lost'),
  jitterMs: z.number().min(0).max(1000).default(0).describe('Maximum delay of a packet, in milliseconds'),
  noiseDb: z
    .number()
    .min(-100)
    .max(0)
    .nullable()
    .default(null)
    .describe('Level of added noise relative to full scale; null adds none'),
  rejectRate: z.number().min(0).max(1).default(0).describe('Share of the calls that are rejected'),
  rejectWith: z.int().min(400).max(699).default(486).describe('SIP status of a rejected call'),
  deadAirState: stateNameSchema.nullable().default(null).describe('State that says nothing'),
  dropCallAfterMs: z.int().min(0).nullable().default(null).describe('Hangs up this long after the answer'),
  seed: z.int().default(1).describe('Seed of the random faults'),
});
export type Faults = z.output<typeof faultsSchema>;

export const defaultMaxTries = 3;

const problem = (message: string, ...path: (string | number)[]) => ({ path, message });
const isMenu = ({ keys, speech }: IvrState): boolean => keys !== undefined || speech !== undefined;

/** Finds members of a state that would have no effect, because of its other members. */
function* findMemberProblems(state: IvrState): Generator<ReturnType<typeof problem>> {
  const { prompt, end, sound, then, keys = {}, collect, stay, onTimeout, onKey } = state;
  if (end === undefined && promptTexts(prompt).every((text) => text === ''))
    yield problem('Only a state with "end" can have an empty prompt. Write what the IVR says.', 'prompt');
  if (sound && (end === undefined || !(end in endSounds)))
    yield problem(
      `Only a state with one of these ends can have a sound: ${Object.keys(endSounds).join(', ')}.`,
      'sound',
    );
  if (then && (end === undefined || end === 'hangup'))
    yield problem('Only a state with an "end" other than "hangup" can have "then".', 'then');
  if (stay !== undefined && !isMenu(state) && !collect)
    yield problem('Only a state with "keys", "speech" or "collect" can have "stay".', 'stay');
  if (stay !== undefined && onTimeout)
    yield problem('With "stay", doing nothing isn\'t a failure. Remove "stay" or "onTimeout".', 'onTimeout');
  if (onKey && !isMenu(state)) yield problem('Only a state with "keys" or "speech" can have "onKey".', 'onKey');
  for (const key of Object.keys(onKey ?? {}))
    if (Object.hasOwn(keys, key)) yield problem(`"keys" contains ${key}, so it isn't a wrong key.`, 'onKey', key);
  yield* findBranchProblems(state);
  yield* findPromptProblems(state);
}

function* findBranchProblems({ branches = [], collect, next }: IvrState): Generator<ReturnType<typeof problem>> {
  if (branches.length > 0 && !collect && next === undefined)
    yield problem('Only a state with "collect" or "next" can have "branches".', 'branches');
  for (const [index, { entered, callers }] of branches.entries()) {
    const path = ['branches', index];
    if (!entered && !callers)
      yield problem('A branch needs "entered" or "callers". Otherwise, it always applies.', ...path);
    if (entered && !collect) yield problem('Callers enter digits only in a state with "collect".', ...path, 'entered');
    const { min = 1, max = Infinity, terminator = ' ' } = collect ?? {};
    for (const [place, entry] of (entered ?? []).entries())
      if (entry.length < min || entry.length > max || entry.includes(terminator))
        yield problem(
          `Callers can't enter this value. An entry has ${String(min)} to ${String(max)} keys, without the terminator.`,
          ...[...path, 'entered', place],
        );
  }
}

function* findPromptProblems(state: IvrState): Generator<ReturnType<typeof problem>> {
  const { prompt, end, collect, onTimeout, onInvalid, onKey = {}, maxTries = defaultMaxTries } = state;
  const places: [path: string[], retry: IvrState['onTimeout']][] = [[[], { prompt }]];
  places.push([['onTimeout'], onTimeout], [['onInvalid'], onInvalid]);
  for (const [key, retry] of Object.entries(onKey)) places.push([['onKey', key], retry]);
  for (const [place, retry] of places) {
    const times = !isMenu(state) && !collect ? 1 : place.length > 0 ? maxTries - 1 : maxTries;
    for (const node of promptNodes(retry?.prompt ?? '')) {
      if (typeof node !== 'object') continue;
      if ('byTry' in node && node.byTry.length > times)
        yield problem(
          `"byTry" has ${String(node.byTry.length)} prompts, but this state plays at most ${String(times)} of them. Remove the others, or increase "maxTries" in a state that waits for input.`,
          ...[...place, 'prompt'],
        );
      if ('say' in node && end !== undefined)
        yield problem('In a state with "end", keys have no effect. Write the prompt without "bargeIn".', 'prompt');
    }
  }
}

export const ivrFileSchema = z
  .strictObject({
    $schema: schemaReferenceSchema,
    name: z.string().min(1).max(200).describe('Name of the IVR'),
    number: phoneNumberSchema.optional(),
    language: z.string().default('en-US').describe('For information only'),
    voice: z.string().optional().describe('Voice that speaks the texts: rms, awb, kal, kal16 or slt'),
    answerAfterMs: millisecondsSchema.default(0).describe('How long the IVR rings, in milliseconds'),
    earlyMedia: z
      .boolean()
      .default(false)
      .describe('While the IVR rings, the caller hears the ring tone from it (SIP 183 with early media)'),
    announcement: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe('Text that is said before the answer, and before a rejection (SIP 183 with early media)'),
    bargeIn: z.boolean().default(true).describe('Whether a key stops a prompt'),
    leadMs: millisecondsSchema.optional().describe('Silence at the beginning of every prompt, in milliseconds'),
    digitBufferMs: millisecondsSchema.default(3000).describe('How long an early key is kept, in milliseconds'),
    start: stateNameSchema.describe('State where a call begins'),
    states: z.record(stateNameSchema, ivrStateSchema, named(stateNameRule)).describe('States by name'),
    hours: z
      .array(
        z.strictObject({
          from: timeOfDaySchema.describe('Local time, HH:MM'),
          to: timeOfDaySchema.describe('Local time, HH:MM'),
          start: stateNameSchema.describe('State where a call begins at these times'),
        }),
      )
      .default([])
      .describe('Other start states, depending on the local time'),
    faults: faultsSchema.prefault({}).describe('Simulated faults'),
  })
  .superRefine((ivr, context) => {
    for (const problem of findGraphProblems(ivr))
      context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
  });
export type IvrFile = z.output<typeof ivrFileSchema>;

/** Returns the user part of the SIP address of an IVR with this name. */
export const ivrSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'ivr';

/** Returns what identifies the IVR of a file: its path. A sample is the same in each version of the extension. */
export const ivrIdentity = (file: string): string =>
  file.replace(/(?<=[\\/][\w-]+\.dialtree)-\d[^\\/]*(?=[\\/]media[\\/]samples[\\/][^\\/]+$)/i, '');
