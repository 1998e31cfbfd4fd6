import * as z from 'zod';
import { createMissionTestConfigSchema, votesSchema } from './missionConfigs.ts';
import { columnNameSchema, createTestConfigSchema, givenStepSchema, newRowsSchema } from './testConfigs.ts';
import {
  consentedBySchema,
  cursorSchema,
  dialTargetSchema,
  filterTargetSchema,
  filterTimeSchema,
  endedBySchema,
  expectedVersionSchema,
  isoDateSchema,
  limitSchema,
  numberPartSchema,
  pageSchemaOf,
  partSchema,
  sortDirSchema,
} from './common.ts';
import { launchLineSchema } from './lines.ts';
import { ours, partsSchema, untrusted } from './untrusted.ts';

/** Load runs are a separate resource. */
export const runTypeSchema = z.enum(['mission', 'compliance', 'standard', 'param'], {
  error: 'runType must be mission, compliance, standard or param. Use listLoadTests for load tests.',
});
export type RunType = z.output<typeof runTypeSchema>;
export const runOutcomeSchema = z.enum(['PASS', 'FAIL', 'ERROR', 'INCONCLUSIVE']);
export type RunOutcome = z.output<typeof runOutcomeSchema>;
export const verdictSchema = z.enum(['pass', 'fail', 'inconclusive', 'error']);
export type Verdict = z.output<typeof verdictSchema>;

/** A row of a list: it contains ids, but not the names of tests. */
export const testRunSchema = z.strictObject({
  id: z.uuid(),
  runType: runTypeSchema,
  status: z.enum(['running', 'completed']),
  outcome: runOutcomeSchema.optional().describe('Absent until the run ends'),
  phoneNumber: dialTargetSchema,
  configId: z.uuid().optional().describe('The mission or scripted test that was run'),
  testConfigId: z.uuid().optional().describe('The scripted test that was run'),
  catalogueTestId: ours(z.string()).optional(),
  startedAt: isoDateSchema,
  completedAt: isoDateSchema.optional(),
  endedBy: endedBySchema.optional(),
  consentedBy: consentedBySchema.optional(),
  guided: z.boolean().optional().describe('It gets steps during its call'),
});
export type TestRun = z.output<typeof testRunSchema>;
export const testRunPageSchema = pageSchemaOf(testRunSchema);

const heardWordSchema = z.strictObject({
  word: untrusted(z.string()),
  startMs: z.number(),
  endMs: z.number(),
  confidence: z.number().min(0).max(1).optional(),
});

export const stepResultSchema = z.strictObject({
  name: untrusted(z.string()),
  outcome: runOutcomeSchema,
  reason: untrusted(z.string()).optional(),
  reasonParts: partsSchema,
  expectedTranscript: untrusted(z.string()).optional(),
  transcript: untrusted(z.string()).optional(),
  similarity: z.number().min(0).max(1).optional().describe('Share of the expected transcript that was heard'),
  passThreshold: z.number().min(0).max(1).optional().describe('The similarity that the step needs to pass'),
  words: z.array(heardWordSchema).optional(),
  startMs: z.number().optional().describe("Position in the call's audio, in milliseconds"),
  endMs: z.number().optional(),
  latencyMs: z
    .number()
    .min(0)
    .optional()
    .describe("From the end of the caller's action to the first sound of the prompt, measured from the audio"),
  optional: z.boolean().optional().describe("A failure of this step doesn't fail the run"),
});
export type StepResult = z.output<typeof stepResultSchema>;

export const turnSchema = z.strictObject({
  speaker: z.enum(['us', 'them']),
  text: untrusted(z.string()),
  startMs: z.number().optional(),
  endMs: z.number().optional(),
  beforeAnswer: z
    .boolean()
    .optional()
    .describe(
      'Said before the answer. Its times are negative, or times of the recording if the call was never answered',
    ),
});
export type Turn = z.output<typeof turnSchema>;
export const evidenceSchema = z.strictObject({
  quote: untrusted(z.string()),
  startMs: z.number().optional(),
  endMs: z.number().optional(),
});

/** Who ended the call and why, in SIP terms and in one sentence. */
export const hangUpSchema = z.strictObject({
  by: z.enum(['us', 'them', 'network']),
  status: z.int().optional().describe('SIP status of a rejected call'),
  q850: z.int().optional().describe('ITU-T Q.850 cause of a Reason header (RFC 3326)'),
  atMs: z
    .number()
    .optional()
    .describe("Position in the call's audio, in milliseconds; absent if the call wasn't answered"),
  transferTo: untrusted(z.string())
    .optional()
    .describe('Address to which the called side transferred the call by REFER; Dialtree never calls it'),
  sentence: untrusted(z.string()),
  sentenceParts: partsSchema,
});
export type HangUp = z.output<typeof hangUpSchema>;

export const runResultsSchema = testRunSchema
  .extend({
    reason: untrusted(z.string()).optional(),
    reasonParts: partsSchema,
    awaitsCallAt: ours(z.string())
      .optional()
      .describe(
        'SIP address at which a probe waits for a call: point your test campaign, PBX or dialler at it. Absent once the call has arrived',
      ),
    steps: z
      .array(stepResultSchema)
      .describe(
        "For a mission, its turns: who spoke (us is Dialtree's caller, them the called side) and what was said. Each turn passes. The last step of an ended run is the verdict on the whole call",
      ),
    transcript: z.array(turnSchema).optional(),
    /** The words so far of an utterance that isn't over. Only while a guided run waits for a step. */
    hearing: untrusted(z.string()).optional(),
    row: z
      .record(z.string(), untrusted(z.string()))
      .optional()
      .describe('The row of a param test; secret values are masked'),
    hangUp: hangUpSchema.optional(),
    postDialMs: z.number().min(0).optional().describe('From the first INVITE to the answer'),
    callSeconds: z.number().min(0).optional(),
    audioUrl: z
      .url()
      .optional()
      .describe(
        'The call as a stereo WAV: the caller on the left, the called side on the right; secrets are silenced. If the call was never answered, what was said before it was refused. The address is signed and valid for about an hour: read the run again for a new one',
      ),
  })
  .strict();
export type RunResults = z.output<typeof runResultsSchema>;
/** Without single words, times and the recording. The steps contain what was heard. */
export const briefResults = ({ steps, transcript: _all, audioUrl: _recording, ...run }: RunResults): object => ({
  ...run,
  steps: steps.map(({ words: _words, startMs: _start, endMs: _end, ...step }) => step),
});

export const missionTestRunSchema = z.strictObject({
  id: z.uuid(),
  configId: z.uuid(),
  phoneNumber: dialTargetSchema,
  status: z.enum(['running', 'completed']),
  verdict: verdictSchema.optional().describe('Absent until the run ends'),
  passReasoning: untrusted(z.string()).optional(),
  passReasoningParts: partsSchema,
  passEvidence: z.array(evidenceSchema).optional().describe('Quotes from the transcript'),
  judgeReasoning: untrusted(z.string()).optional(),
  judgeReasoningParts: partsSchema,
  judgedBy: ours(z.string())
    .optional()
    .describe('"rules", or the language model with the version of its instructions; absent if no call was judged'),
  gaveUp: z
    .boolean()
    .optional()
    .describe(
      "The caller left before the call was over, because it found no branch to take, had no turns or time left, heard nothing more, or its machine was too busy. What was still missing at that point doesn't count as a failure",
    ),
  unstable: z.boolean().optional().describe("The judge's votes disagreed"),
  checks: z
    .array(
      z.strictObject({
        check: untrusted(z.string()),
        checkParts: partsSchema,
        verdict: verdictSchema,
        reason: untrusted(z.string()),
        reasonParts: partsSchema,
        evidence: evidenceSchema.optional(),
      }),
    )
    .optional(),
  compliance: z
    .array(z.strictObject({ check: ours(z.string()), verdict: verdictSchema, evidence: evidenceSchema.optional() }))
    .optional(),
  transcript: z.array(turnSchema),
  reason: untrusted(z.string()).optional(),
  reasonParts: partsSchema,
  endedBy: endedBySchema.optional(),
  hangUp: hangUpSchema.optional(),
  postDialMs: z.number().min(0).optional(),
  callSeconds: z.number().min(0).optional(),
  turnLatencyMs: z
    .strictObject({ median: z.number(), worst: z.number() })
    .optional()
    .describe("From the end of the caller's speech or keys to the first sound of the answer, measured from the audio"),
  audioUrl: z.url().optional().describe('The call as a stereo WAV; the address is signed and valid for about an hour'),
  consentedBy: consentedBySchema.optional(),
  startedAt: isoDateSchema,
  completedAt: isoDateSchema.optional(),
});
export type MissionTestRun = z.output<typeof missionTestRunSchema>;
/** Without the recording, and without times of what was said. */
export const briefMission = ({ transcript, audioUrl: _recording, ...run }: MissionTestRun): object => ({
  ...run,
  transcript: transcript.map(({ startMs: _start, endMs: _end, ...turn }) => turn),
});

/** Judges the stored call again. Nothing is called and nothing is stored. */
export const rejudgeRunSchema = z.strictObject({
  runId: z.uuid().describe('Id of the mission run'),
  acceptance: z
    .string()
    .trim()
    .min(1)
    .max(8000)
    .optional()
    .describe('Default: the current criterion of the saved mission'),
  votes: votesSchema
    .optional()
    .describe('How many times the judge votes; default: the value in the saved mission, or 1'),
});

const filters = {
  runType: runTypeSchema.optional(),
  outcome: runOutcomeSchema.optional(),
  phoneNumber: filterTargetSchema,
  configId: z.uuid().optional().describe('Mission or scripted test'),
  catalogueTestId: z.string().max(100).optional().describe('Id of a compliance probe'),
  startedAfter: filterTimeSchema,
  startedBefore: filterTimeSchema,
};

export const listTestRunsSchema = z.strictObject({
  ...filters,
  testConfigId: z.uuid().optional().describe('Scripted test; standard and param runs only'),
  completedAfter: filterTimeSchema,
  completedBefore: filterTimeSchema,
  configName: partSchema
    .optional()
    .describe("Case-insensitive substring of the test's name; standard and param runs only"),
  configPhoneNumber: numberPartSchema
    .optional()
    .describe('Substring of the number dialled; standard and param runs only'),
  sort: z.enum(['startedAt', 'completedAt']).default('startedAt'),
  sortDir: sortDirSchema,
  cursor: cursorSchema,
  limit: limitSchema,
});
export type ListTestRuns = z.output<typeof listTestRunsSchema>;

const groupBySchema = z.enum(['outcome', 'runType', 'configId', 'catalogueTestId', 'phoneNumber']);
const timeBucketSchema = z.enum(['day', 'week', 'month']);

export const aggregateTestRunsSchema = z.strictObject({
  groupBy: groupBySchema,
  timeBucket: timeBucketSchema.optional().describe('Counts each day, week or month separately'),
  ...filters,
});
export type AggregateTestRuns = z.output<typeof aggregateTestRunsSchema>;

export const aggregateSchema = z.strictObject({
  groups: z
    .array(
      z.strictObject({
        key: ours(z.string()).describe('"unknown": runs without a value for the grouped field'),
        bucket: ours(z.string())
          .optional()
          .describe('UTC, ISO 8601: 2026-11-21, 2026-W47 or 2026-11; only with timeBucket'),
        count: z.int().min(0),
        share: z.number().min(0).max(1).describe('count divided by total'),
      }),
    )
    .describe('By count, descending; up to 100'),
  total: z.int().min(0).describe('Runs that match the filters, including those in omitted groups'),
  truncated: z.boolean().describe('Some groups were left out'),
});
export type Aggregate = z.output<typeof aggregateSchema>;

/** Rows that are given here replace the saved ones for this launch. */
interface Launch {
  readonly configId?: string | undefined;
  readonly test?: { readonly id?: string | undefined } | undefined;
}
const namesTest = ({ configId, test }: Launch): boolean => configId !== undefined || test !== undefined;
const hasOneId = ({ configId, test }: Launch): boolean =>
  configId === undefined || test?.id === undefined || configId.toLowerCase() === test.id.toLowerCase();
const noTest = 'Give configId or test.';
const twoIds = 'configId and the id in test differ. Leave out one of them.';
const configIdSchema = z.uuid().optional().describe('Id of the saved test');

export const guidedSchema = z.boolean().optional().describe('Stays on the call for steps of guideTestRun');

/** The values of `${secret:NAME}` in a launch, by name. */
const launchSecretsSchema = z
  .record(columnNameSchema, z.string().min(1).max(500))
  .optional()
  .describe('Values of ${secret:NAME} in keys and texts; used for these calls only, and never stored');
export type LaunchSecrets = Readonly<Record<string, string>>;

/** A launch means a saved test, or brings the test itself, which replaces the saved test with its id. */
export const runTestSchema = z
  .strictObject({
    configId: configIdSchema,
    test: createTestConfigSchema.optional().describe('As for createTestConfig; saved first'),
    rows: newRowsSchema.optional().describe('Replaces its rows in this launch'),
    guided: guidedSchema,
    line: launchLineSchema,
    secrets: launchSecretsSchema,
    expectedUpdatedAt: expectedVersionSchema,
  })
  .refine(namesTest, noTest)
  .refine(hasOneId, twoIds);
export const guideTestRunSchema = z.strictObject({
  runId: z.uuid().describe('Id of the run'),
  step: givenStepSchema,
});
export const runMissionTestSchema = z
  .strictObject({
    configId: configIdSchema,
    test: createMissionTestConfigSchema.optional().describe('As for createMissionTestConfig; saved first'),
    votes: votesSchema.optional().describe('Votes of the judge in this run; default: as in the mission, or 1'),
    line: launchLineSchema,
    expectedUpdatedAt: expectedVersionSchema,
  })
  .refine(namesTest, noTest)
  .refine(hasOneId, twoIds);
/** One run, or one per row. They run one after the other. */
export const launchedRunsSchema = z.strictObject({ items: z.array(testRunSchema) });
