import * as z from 'zod';
import { checksSchema } from './checks.ts';
import { dialTargetSchema, isoDateSchema } from './common.ts';
import { launchLineSchema } from './lines.ts';
import { claimBlockSchema } from './errors.ts';
import { runLoadTestSchema } from './loadTests.ts';
import { createMappingSchema } from './mapping.ts';
import { createMissionTestConfigSchema } from './missionConfigs.ts';
import { outlines } from './outlines.ts';
import { ownProbeSchema } from './probeFile.ts';
import { createTestConfigSchema, newRowsSchema } from './testConfigs.ts';
import { guidedSchema } from './testRuns.ts';
import { ours, untrusted } from './untrusted.ts';

/** The ways to name what would be called. `phoneNumber` belongs to a probe, and `rows` to a scripted test. */
const subjects = [
  'testConfigId',
  'missionConfigId',
  'catalogueTestId',
  'probe',
  'load',
  'mappingId',
  'test',
  'mission',
  'mapping',
] as const;

export const planCallsSchema = z
  .strictObject({
    testConfigId: z.uuid().optional().describe('A saved scripted test'),
    rows: newRowsSchema.optional().describe('Replaces the rows of the scripted test'),
    guided: guidedSchema,
    missionConfigId: z.uuid().optional().describe('A saved mission test'),
    catalogueTestId: z.string().min(1).max(100).optional().describe('Compliance probe; needs phoneNumber'),
    probe: ownProbeSchema.optional().describe('As for runComplianceTest; needs phoneNumber'),
    phoneNumber: dialTargetSchema.optional(),
    line: launchLineSchema,
    load: runLoadTestSchema.optional().register(outlines, { outline: 'arguments of runLoadTest' }),
    mappingId: z.uuid().optional().describe('A mapping job'),
    test: createTestConfigSchema.optional().describe("Arguments of createTestConfig, for a test that isn't saved yet"),
    mission: createMissionTestConfigSchema
      .optional()
      .describe("Arguments of createMissionTestConfig, for a mission that isn't saved yet"),
    mapping: createMappingSchema
      .optional()
      .describe("Arguments of createMapping, for a mapping that isn't created yet"),
  })
  .refine(
    (input) => subjects.filter((name) => input[name] !== undefined).length === 1,
    `Give exactly one of ${subjects.join(', ')}.`,
  )
  .refine(
    ({ catalogueTestId, probe, phoneNumber }) =>
      (catalogueTestId === undefined && probe === undefined) === (phoneNumber === undefined),
    'Give catalogueTestId and phoneNumber together, or probe and phoneNumber.',
  )
  .refine(
    ({ testConfigId, rows }) => rows === undefined || testConfigId !== undefined,
    'Give rows only together with testConfigId.',
  )
  .refine(
    ({ testConfigId, test, guided }) => guided !== true || testConfigId !== undefined || test !== undefined,
    'Give guided only together with testConfigId or test.',
  );
export type PlanCalls = z.output<typeof planCallsSchema>;

const left = z.number().min(0);

export const callPlanSchema = z.strictObject({
  phoneNumber: dialTargetSchema,
  route: ours(z.string())
    .optional()
    .describe(
      'lab: a practice IVR on this machine; otherwise the host that receives the calls. Absent if nothing serves the number',
    ),
  updatedAt: isoDateSchema.optional().describe('Version of the saved test, for expectedUpdatedAt of the launch'),
  calls: z.int().min(0).describe('Maximum number of calls'),
  secondsAtMost: z.number().describe('Maximum seconds of all calls together, with ringing; the launch reserves them'),
  bounded: z
    .boolean()
    .describe(
      'true: Dialtree ends the calls at secondsAtMost. false: secondsAtMost is an estimate of 60 s per call, because no minutes or budget limit this mapping',
    ),
  cost: z
    .strictObject({
      amount: z.number().describe('Maximum cost: minutes times the rate of the route'),
      currency: ours(z.string()),
      perMinute: z.number(),
    })
    .optional()
    .describe('Present if the route has a rate'),
  needsConsent: z.boolean().describe('The call is live, and no person has confirmed the number yet'),
  forbiddenKeys: z
    .array(
      z.strictObject({
        step: untrusted(z.string()).describe('Step name'),
        key: ours(z.string()).optional().describe('Absent if the step is secret'),
      }),
    )
    .describe('Steps that press a key that this workspace forbids on this number'),
  riskyKeys: z
    .array(
      z.strictObject({
        key: ours(z.string()).describe(
          'Keys from the first menu, separated by spaces; for a scripted test, the keys of the step',
        ),
        label: untrusted(z.string()).describe('Label of the option in the menu, or name of the step'),
        step: untrusted(z.string()).optional(),
      }),
    )
    .describe(
      'Known options that may pay, cancel or agree to something, from step names and the newest mapping of the number. For a mapping of a live number, only those in its allowedLabels, because it presses only these',
    ),
  allowedLabels: z
    .array(untrusted(z.string()))
    .optional()
    .describe(
      "For a mapping of a live number: labels of options that it presses even though they aren't plainly harmless",
    ),
  pressUnsure: z
    .literal(true)
    .optional()
    .describe("For a mapping of a live number: it also presses options that Dialtree doesn't understand"),
  unjudged: z
    .array(untrusted(z.string()))
    .optional()
    .describe("Without a language model: parts of acceptance that can't be judged. The run can't pass"),
  asChecks: z
    .strictObject({
      checks: checksSchema,
      rest: untrusted(z.string()).optional(),
    })
    .optional()
    .describe('Acceptance as checks, and the rest'),
  budget: z.strictObject({
    fits: z.boolean().describe('Whether the minutes and every budget have enough left for this launch'),
    minutesLeft: left.optional().describe('Minutes left for this kind of launch; absent if they are unlimited'),
    left: z
      .object({ secondsPerRun: left, secondsPerDay: left, callsPerDay: left, costPerDay: left, tokensPerDay: left })
      .partial()
      .strict()
      .describe('What each budget that is set still allows'),
  }),
  refusal: z
    .strictObject({
      status: z.int(),
      code: ours(z.string()),
      message: untrusted(z.string()),
      details: untrusted(z.looseObject({}).meta({ additionalProperties: true })).optional(),
      claim: claimBlockSchema.optional(),
    })
    .optional()
    .describe('The error that a launch would get now'),
});
export type PlannedCalls = z.output<typeof callPlanSchema>;
