import * as z from 'zod';
import { dialTargetSchema } from './common.ts';
import { runLoadTestSchema } from './loadTests.ts';
import { createMappingSchema } from './mapping.ts';
import { createMissionTestConfigSchema } from './missionConfigs.ts';
import { createTestConfigSchema, rowsSchema } from './testConfigs.ts';
import { ours, untrusted } from './untrusted.ts';

/** The ways to name what would be called; `phoneNumber` goes with a probe and `rows` with a scripted test. */
const subjects = [
  'testConfigId',
  'missionConfigId',
  'catalogueTestId',
  'load',
  'mappingId',
  'test',
  'mission',
  'mapping',
] as const;

export const planCallsSchema = z
  .object({
    testConfigId: z.uuid().optional().describe('A saved scripted test'),
    rows: rowsSchema.optional().describe('In place of the rows of the scripted test'),
    missionConfigId: z.uuid().optional().describe('A saved mission test'),
    catalogueTestId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('A probe of the catalogue, together with phoneNumber'),
    phoneNumber: dialTargetSchema.optional(),
    load: runLoadTestSchema.optional().describe('The arguments of runLoadTest'),
    mappingId: z.uuid().optional().describe('A mapping job'),
    test: createTestConfigSchema.optional().describe('The arguments of createTestConfig, before it is saved'),
    mission: createMissionTestConfigSchema
      .optional()
      .describe('The arguments of createMissionTestConfig, before it is saved'),
    mapping: createMappingSchema.optional().describe('The arguments of createMapping, before it is saved'),
  })
  .strict()
  .refine(
    (input) => subjects.filter((name) => input[name] !== undefined).length === 1,
    `Give one of ${subjects.join(', ')}.`,
  )
  .refine(
    ({ catalogueTestId, phoneNumber }) => (catalogueTestId === undefined) === (phoneNumber === undefined),
    'Give phoneNumber together with catalogueTestId, and with nothing else.',
  )
  .refine(
    ({ testConfigId, rows }) => rows === undefined || testConfigId !== undefined,
    'Give rows together with testConfigId.',
  );
export type PlanCalls = z.output<typeof planCallsSchema>;

const left = z.number().describe('Below 0 where a budget was lowered after it was used');

/** What would be called, before anything is dialled. */
export const callPlanSchema = z
  .object({
    phoneNumber: dialTargetSchema,
    route: ours(z.string())
      .optional()
      .describe(
        'lab: a practice IVR on this machine; else the host that the calls go to. Absent where there is no way to the number',
      ),
    calls: z.int().min(0).describe('At most'),
    secondsAtMost: z
      .number()
      .describe('Of all calls together, from their INVITE to their end; as much is set aside when it is launched'),
    bounded: z
      .boolean()
      .describe(
        'Whether the calls end there at the latest. False for a mapping that neither minutes nor a budget of seconds limit: 60 s a call are taken for it then',
      ),
    cost: z
      .object({
        amount: z.number().describe('At most: the minutes times the rate of the route'),
        currency: ours(z.string()),
        perMinute: z.number(),
      })
      .strict()
      .optional()
      .describe('Where the route has a rate'),
    needsConsent: z
      .boolean()
      .describe('The call is live, and nobody has confirmed yet that the number may be tested (recordConsent)'),
    forbiddenKeys: z
      .array(
        z
          .object({
            step: untrusted(z.string()).describe('Name of the step'),
            key: ours(z.string()).optional().describe('Absent where the step is secret'),
          })
          .strict(),
      )
      .describe('Steps that press a key which this workspace forbids on this number'),
    riskyKeys: z
      .array(
        z
          .object({
            key: ours(z.string()).describe(
              'Keys from the first menu on, separated by spaces; of a scripted test those of the step',
            ),
            label: untrusted(z.string()).describe('What the menu, or the step, calls it'),
            step: untrusted(z.string()).optional(),
          })
          .strict(),
      )
      .describe(
        'Options that may pay, cancel or agree to something, as far as they are known: from the names of steps, and from the newest mapping of the number. Of a mapping of a live number only those that its allowedLabels name: it presses no others',
      ),
    allowedLabels: z
      .array(untrusted(z.string()))
      .optional()
      .describe(
        'Of a mapping of a live number: labels of options that it presses although they are not plainly harmless',
      ),
    pressUnsure: z
      .literal(true)
      .optional()
      .describe('Of a mapping of a live number: it also presses options that were not understood'),
    budget: z
      .object({
        fits: z.boolean(),
        left: z
          .object({ secondsPerRun: left, secondsPerDay: left, callsPerDay: left, costPerDay: left })
          .partial()
          .strict()
          .describe('What this launch might take of each budget that is set'),
      })
      .strict(),
    refusal: z
      .object({
        status: z.int(),
        code: ours(z.string()),
        message: untrusted(z.string()),
        details: untrusted(z.looseObject({}).meta({ additionalProperties: true })).optional(),
      })
      .strict()
      .optional()
      .describe('How it would be refused if it were launched now'),
  })
  .strict();
export type PlannedCalls = z.output<typeof callPlanSchema>;
