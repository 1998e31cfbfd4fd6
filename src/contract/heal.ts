import * as z from 'zod';
import { testStepSchema } from './testConfigs.ts';
import { ours, partsSchema, untrusted } from './untrusted.ts';

export const healTestSchema = z.strictObject({
  runId: z.uuid().describe('A failed run of a scripted test'),
  baseRunId: z.uuid().optional().describe('A run that passed; default: the newest one of the same test'),
});

const healChangeSchema = z.strictObject({
  step: z.int().min(0).describe('Index of the step'),
  kind: z.enum([
    'keyMoved',
    'promptReworded',
    'announcementAdded',
    'optionGone',
    'endChanged',
    'slower',
    'valueChanged',
  ]),
  before: untrusted(z.string()).optional(),
  now: untrusted(z.string()).optional(),
  regression: z.boolean().describe('It changes what the test checks, so it is never adapted'),
  reason: untrusted(z.string()),
  reasonParts: partsSchema,
});
export type HealChange = z.output<typeof healChangeSchema>;

/** What changed since a test passed, and the steps that test the same again. */
export const healingSchema = z.strictObject({
  runId: ours(z.uuid()),
  baseRunId: ours(z.uuid()).optional(),
  finding: z.enum(['passed', 'flaky', 'repairable', 'regression', 'unclear']),
  reason: untrusted(z.string()),
  reasonParts: partsSchema,
  changes: z.array(healChangeSchema),
  steps: z.array(testStepSchema).optional().describe('All proposed steps; only if the finding is repairable'),
});
export type Healing = z.output<typeof healingSchema>;
