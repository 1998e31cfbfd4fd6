import * as z from 'zod';
import {
  cursorSchema,
  dialTargetSchema,
  endedBySchema,
  expectedVersionSchema,
  isoDateSchema,
  limitSchema,
  pageSchemaOf,
} from './common.ts';
import { limits } from './limits.ts';
import { launchLineSchema } from './lines.ts';
import { createMissionTestConfigSchema } from './missionConfigs.ts';
import { createTestConfigSchema } from './testConfigs.ts';
import { runOutcomeSchema } from './testRuns.ts';
import { outlines } from './outlines.ts';
import { ours, partsOfEachSchema, partsSchema, untrusted } from './untrusted.ts';

const loadTestStatusSchema = z.enum(['running', 'completed', 'failed', 'aborted']);
const percentilesSchema = z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() });
const count = z.int().min(0);
/** The timeline of a long test is thinned out to this many points. */
export const loadTimelinePoints = 300;
const share = z.number().min(0).max(1);
const seconds = z.number().min(0).max(600);

export const timelinePointSchema = z.strictObject({
  second: z.number(),
  placed: count,
  answered: count,
  active: count,
  failed: count,
});
export type TimelinePoint = z.output<typeof timelinePointSchema>;

/** A report lists this many failed calls at most. */
export const loadFailuresAtMost = 100;
const outcomeCounts = { passed: count, failed: count, inconclusive: count, errors: count };
/** A recording of a call, stereo as for test runs. */
const recorded = { audioUrl: z.url().describe('Signed address, valid for about an hour') };
/** The names of these recordings, for programs. `row` counts from 1. */
export const recordingOfCall = (call: number): string => `call-${String(call)}`;
export const recordingOfReference = (row = 1): string => `reference-${String(row)}`;

/** The results of the test that the calls of a load test carry out. */
export const loadTestedSchema = z.strictObject({
  ...outcomeCounts,
  unfinished: count.describe('Cut off by the end of the load test'),
  steps: z
    .array(
      z.strictObject({
        name: untrusted(z.string()),
        ...outcomeCounts,
        notReached: count,
        responseSeconds: percentilesSchema
          .optional()
          .describe("From the end of the caller's action to the first sound of the prompt, measured from the audio"),
      }),
    )
    .describe('In order; empty for a mission or a probe'),
  failures: z
    .array(
      z.strictObject({
        call: z.int().min(1).describe('Counts the calls in the order in which they were placed'),
        second: z.number().describe('When the call was placed'),
        outcome: runOutcomeSchema,
        row: z.int().min(1).optional().describe('Of a test with rows'),
        step: untrusted(z.string()).optional(),
        reason: untrusted(z.string()).optional(),
        reasonParts: partsSchema,
        recording: z
          .strictObject({ ...recorded, stepMs: z.number().describe('Where the failed step begins') })
          .optional()
          .describe('Up to its last minute, for the first five calls'),
      }),
    )
    .max(loadFailuresAtMost)
    .describe('The first calls that did not pass'),
  references: z
    .array(
      z.strictObject({
        ...recorded,
        row: z.int().min(1).optional(),
        stepMs: z.array(z.number()).describe('Where each step begins'),
      }),
    )
    .optional()
    .describe('Recordings of the first reference call, for the rows of these calls'),
  referenceSeconds: z.number().describe('Of both reference calls together; 0 for a mission or a probe'),
});
export type LoadTested = z.output<typeof loadTestedSchema>;

export const loadCriteriaSchema = z.strictObject({
  minPassed: share
    .optional()
    .describe('Calls whose test passed, divided by calls whose test ended; default with configId: 1'),
  minSetupSuccess: share.optional().describe('Answered calls divided by placed calls'),
  maxPostDialP95Seconds: seconds.optional().describe('From the INVITE to ringing'),
  maxAnswerP95Seconds: seconds.optional().describe('From the INVITE to the answer'),
  maxPromptP95Seconds: seconds.optional().describe('From the answer to the first audio'),
  maxResponseP95Seconds: seconds.optional().describe('Of the slowest step with configId'),
  maxLoss: share.optional().describe('audio.lossShare'),
  maxJitterP95Ms: z.number().min(0).max(10_000).optional().describe('audio.jitterMs'),
  minMos: z.number().min(1).max(4.5).optional().describe('estimatedMos.p5'),
});
export type LoadCriteria = z.output<typeof loadCriteriaSchema>;

export const loadVerdictSchema = z.strictObject({
  outcome: z
    .enum(['pass', 'fail', 'inconclusive'])
    .describe(
      'fail: a criterion is broken. inconclusive: a figure is missing, the calling machine was the bottleneck, or the test ended early',
    ),
  reason: untrusted(z.string()).optional().describe('Begins with the criterion that broke first'),
  reasonParts: partsSchema,
  criteria: z.array(
    z.strictObject({
      name: loadCriteriaSchema.keyof(),
      limit: z.number(),
      value: z.number().optional(),
      met: z.boolean(),
      sinceSecond: z.number().optional().describe('It has been broken since this second'),
      text: ours(z.string()),
      textParts: partsSchema,
    }),
  ),
});
export type LoadVerdict = z.output<typeof loadVerdictSchema>;

/**
 * The figures of a load test's calls. Times are seconds unless the name says otherwise. All but the first seven can be
 * absent in older records.
 */
export const loadStatsSchema = z.strictObject({
  callsPlaced: z.int(),
  callsAnswered: z.int(),
  setupSuccess: share.describe('Answered calls divided by placed calls, excluding those that Dialtree cancelled'),
  answerSeconds: percentilesSchema.optional().describe('From the INVITE to the answer'),
  promptSeconds: percentilesSchema
    .optional()
    .describe('From the answer to the first audio above line noise, after the jitter buffer'),
  outcomes: z
    .record(z.string(), z.int())
    .describe(
      'Counts each placed call once, by how its set-up ended: answered, busy, noAnswer, unreachable, notPlaced, rejected 503, …; with the Q.850 cause if there is one, such as busy Q.850 17',
    ),
  callSeconds: z.number().describe('Seconds of all calls together, from INVITE to end'),
  postDialSeconds: percentilesSchema.optional().describe('From the INVITE to the first 18x, for calls that had one'),
  callsWithoutPrompt: count.optional().describe('Answered calls without audio'),
  callsEndedEarly: count.optional().describe('Ended before Dialtree hung up'),
  hangUps: z
    .record(z.string(), z.int())
    .optional()
    .describe(
      'Counts each answered call once, by how it ended: us (Dialtree hung up), them, them Q.850 31, mediaTimeout, protocol, internal',
    ),
  peakConcurrency: count.optional().describe('Maximum number of simultaneous answered calls'),
  setupsPerSecond: z.number().optional().describe('Calls placed per second, from the first call to the last'),
  audio: z
    .strictObject({
      packetsSent: count,
      packetsReceived: count,
      packetsLost: count,
      packetsLate: count.describe('Packets that arrived too late to be played'),
      framesConcealed: count.describe('20 ms frames that were played although packets were missing'),
      lossShare: share.describe('Lost and late packets divided by expected packets'),
      jitterMs: percentilesSchema.describe('Interarrival jitter at the end of each call (RFC 3550)'),
      roundTripMs: percentilesSchema
        .optional()
        .describe('Round trip of the network, by the last RTCP report in each call with one'),
      packetsLostThere: count.optional().describe('Packets from Dialtree that the called side reports as lost (RTCP)'),
    })
    .optional(),
  estimatedMos: z
    .strictObject({
      median: z.number(),
      p5: z.number().describe('5th percentile: 19 of 20 calls were better'),
      worst: z.number(),
    })
    .optional()
    .describe('Mean opinion score per call, by the E-model (ITU-T G.107)'),
  caller: z
    .strictObject({
      tickLatenessMs: percentilesSchema.describe("Delay of Dialtree's 20 ms timer"),
      ticksMissed: count.describe('Timer ticks that were too late to send their packets'),
      limited: z.boolean().describe('The calling machine was the bottleneck'),
    })
    .optional(),
  tested: loadTestedSchema
    .optional()
    .describe('Of the test: passed, failed, inconclusive, errors, unfinished, steps, failures'),
  verdict: loadVerdictSchema
    .optional()
    .describe('By the criteria: outcome (pass, fail, inconclusive), reason, criteria'),
  warnings: z.array(untrusted(z.string())).optional(),
  warningsParts: partsOfEachSchema,
  /** Seconds since the first call was due. The called side was full, so Dialtree halved its rate. */
  rateHalvedAtSeconds: z.array(z.number()).optional(),
  timeline: z
    .array(timelinePointSchema)
    .max(loadTimelinePoints)
    .optional()
    .describe('For each second since the first call was due; active is the value at that time, the others are totals'),
});
export type LoadStats = z.output<typeof loadStatsSchema>;

const { loadTest: bounds } = limits;
export const tooManyCalls = `A load test can have up to ${String(bounds.calls.max)} calls, because one process places them all. For more, start several load tests on several machines.`;
const callCount = z.int().min(bounds.calls.min).max(bounds.calls.max, tooManyCalls);
const within = ({ min, max }: { readonly min: number; readonly max: number }): z.ZodNumber =>
  z.number().min(min).max(max);

/** By default, a load test ends early when half of at least twenty calls have failed. */
export const loadAbortDefaults = { failureShare: 0.5, minimumCalls: 20 } as const;
export const loadAbortSchema = z.strictObject({
  failureShare: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .meta({ default: loadAbortDefaults.failureShare })
    .describe('Share of failed calls: more than 0, up to 1'),
  minimumCalls: z
    .int()
    .min(bounds.calls.min)
    .max(bounds.calls.max)
    .optional()
    .meta({ default: loadAbortDefaults.minimumCalls })
    .describe('failureShare applies only after this many calls were answered or failed'),
  tickLatenessMs: within(bounds.tickLatenessMs)
    .optional()
    .describe(
      "Ends the test when Dialtree's 20 ms timer is this many milliseconds late (p99 of the last 5 s); default: never",
    ),
  criterionBroken: z
    .boolean()
    .optional()
    .describe('Ends the test when a criterion is broken after minimumCalls, or concurrency if lower'),
});
export type LoadAbort = z.output<typeof loadAbortSchema>;

export const loadKeysSchema = z.strictObject({
  afterSeconds: within(bounds.callSeconds).describe('Seconds after the call is answered'),
  digits: z
    .string()
    .min(1)
    .max(bounds.digits)
    .regex(/^[0-9*#A-D,]+$/i, 'Keys are 0–9, *, #, A–D, and a comma for a pause of half a second.')
    .describe('Keys to press; a comma pauses for half a second'),
});

/** A further stage of a load test: the number of calls moves evenly to `concurrency` over the ramp, then stays there. */
export const loadStageSchema = z.strictObject({
  concurrency: callCount.describe('Simultaneous calls'),
  rampSeconds: within(bounds.rampSeconds).describe('To move there evenly'),
  holdSeconds: within(bounds.callSeconds).describe('To stay there'),
});

export type LoadStage = Readonly<z.output<typeof loadStageSchema>>;
/** Returns the seconds of all ramps and holds together. A run of a day would be taken for one that is lost. */
export const requestedSeconds = ({
  stages = [],
  ...first
}: Omit<LoadStage, 'concurrency'> & { readonly stages?: readonly LoadStage[] | undefined }): number =>
  [first, ...stages].reduce((sum, { rampSeconds, holdSeconds }) => sum + rampSeconds + holdSeconds, 0);
export const tooLong = `All ramps and holds together can take up to ${String(bounds.seconds.max)} s.`;

/** Optional properties of a load test, in addition to its size. */
const shape = {
  stages: z
    .array(loadStageSchema)
    .min(bounds.stages.min)
    .max(bounds.stages.max)
    .optional()
    .describe('Further stages after the first ramp and hold, such as steps, or a spike and back')
    .register(outlines, {
      outline: 'such as [{"concurrency": 50, "rampSeconds": 10, "holdSeconds": 60}]',
    }),
  callsPerSecond: within(bounds.callsPerSecond)
    .optional()
    .describe('Maximum new calls per second; stretches the ramp if necessary'),
  callSeconds: within(bounds.callSeconds)
    .optional()
    .describe('Hangs up each call this long after its answer; default: at the end of the hold'),
  replace: z
    .boolean()
    .optional()
    .describe('Replaces each call that ends early; with callSeconds, a steady rate of new calls'),
  keys: z
    .array(loadKeysSchema)
    .min(1)
    .max(bounds.keys)
    .optional()
    .describe("Keys that each call presses. The test shows them, so don't use a PIN")
    .register(outlines, { outline: 'such as [{"afterSeconds": 5, "digits": "1"}]' }),
  rowOrder: z.enum(['inOrder', 'random']).optional().describe('How calls take rows; default: in order'),
  catalogueTestId: ours(z.string()).optional().describe('Compliance probe for every call'),
  abortWhen: loadAbortSchema.optional().describe('When the test ends early').register(outlines, {
    outline: 'default {"failureShare": 0.5, "minimumCalls": 20} (getGuide load)',
  }),
  criteria: loadCriteriaSchema.optional().describe('Limits of the figures, for a verdict').register(outlines, {
    outline: 'such as {"minPassed": 0.95, "maxAnswerP95Seconds": 5} (getGuide load)',
  }),
};
export const loadShapeSchema = z.strictObject(shape);
export type LoadShape = z.output<typeof loadShapeSchema>;

export const loadTestSchema = z.strictObject({
  id: z.uuid(),
  phoneNumber: dialTargetSchema,
  configId: z.uuid().optional(),
  concurrency: callCount,
  rampSeconds: within(bounds.rampSeconds),
  holdSeconds: within(bounds.callSeconds),
  ...shape,
  status: loadTestStatusSchema,
  reason: untrusted(z.string()).optional(),
  reasonParts: partsSchema,
  endedBy: endedBySchema.optional(),
  progress: z
    .strictObject({
      placed: count,
      answered: count,
      active: count,
      failed: count,
      references: count.optional().describe('Reference calls so far, before the others'),
    })
    .optional()
    .describe('Present while the test runs'),
  stats: loadStatsSchema.optional().describe('Percentiles are p50, p95, p99'),
  startedAt: isoDateSchema,
  completedAt: isoDateSchema.optional(),
});
export type LoadTest = z.output<typeof loadTestSchema>;

export const loadTestPageSchema = pageSchemaOf(loadTestSchema);
export const listLoadTestsSchema = z.strictObject({
  status: loadTestStatusSchema.optional(),
  cursor: cursorSchema,
  limit: limitSchema,
});
export type ListLoadTests = z.output<typeof listLoadTestsSchema>;

export const runLoadTestSchema = z
  .strictObject({
    phoneNumber: dialTargetSchema.optional(),
    configId: z.uuid().optional().describe('Saved test or mission for every call; a test after two reference calls'),
    test: createTestConfigSchema.optional().describe('As for createTestConfig; saved first'),
    mission: createMissionTestConfigSchema.optional().describe('As for createMissionTestConfig; saved first'),
    line: launchLineSchema,
    expectedUpdatedAt: expectedVersionSchema,
    concurrency: callCount.describe('Simultaneous calls'),
    rampSeconds: within(bounds.rampSeconds).default(0).describe('Seconds over which the calls start evenly'),
    holdSeconds: within(bounds.holdSeconds).default(10).describe('Seconds for which all calls are held'),
    ...shape,
    callsPerSecond: within(bounds.callsPerSecond)
      .default(bounds.callsPerSecond.max)
      .describe('Maximum new calls per second; stretches the ramp if necessary'),
  })
  .refine(
    ({ phoneNumber, configId, test, mission }) =>
      [phoneNumber, configId, test, mission].filter((one) => one !== undefined).length === 1,
    'Give one of phoneNumber, configId, test and mission.',
  )
  .refine(
    ({ phoneNumber, expectedUpdatedAt }) => expectedUpdatedAt === undefined || phoneNumber === undefined,
    'Give expectedUpdatedAt only with a test.',
  )
  .refine(
    ({ phoneNumber, catalogueTestId }) => phoneNumber !== undefined || catalogueTestId === undefined,
    'Give catalogueTestId only with phoneNumber.',
  )
  .refine(
    ({ phoneNumber, catalogueTestId, keys, callSeconds }) =>
      (phoneNumber !== undefined && catalogueTestId === undefined) || (keys === undefined && callSeconds === undefined),
    'Give keys and callSeconds only without a test: a test presses its own keys and hangs up itself.',
  )
  .refine((load) => requestedSeconds(load) <= bounds.seconds.max, tooLong);
export type RunLoadTest = z.output<typeof runLoadTestSchema>;
