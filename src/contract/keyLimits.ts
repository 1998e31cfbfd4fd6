import * as z from 'zod';
import { limits } from './limits.ts';
import { budgetSchemas } from './workspaceSettings.ts';

/** Stands for the SIP address of every practice IVR that Dialtree plays on this machine. */
export const practiceTargets = 'practice';

/** A target that a key may call: a number or a SIP address, whole or as a prefix that ends in `*`, or `practice`. */
export const allowedTargetSchema = z
  .string()
  .max(320)
  .regex(
    /^(?:practice|\+[1-9]\d{6,14}|\+[1-9]\d{0,13}\*|sips?:[^\s<>"*]{1,310}\*?)$/,
    'Give "practice", a number such as +12025550101, a prefix such as +49*, or a SIP address such as sip:support@pbx.example.com.',
  )
  .describe(
    'A number or SIP address, or a prefix of one that ends in *; practice: the practice IVRs that Dialtree runs on this machine',
  );

/** Limits of one key, within those of its workspace. What is absent isn't limited. */
export const keyLimitsSchema = z.strictObject({
  numbers: z
    .array(allowedTargetSchema)
    .max(limits.keyNumbers.max)
    .optional()
    .describe('What the key may call; if the list is empty, nothing'),
  callsPerDay: budgetSchemas.callsPerDay.optional(),
  secondsPerDay: budgetSchemas.secondsPerDay.optional(),
  tokensPerDay: budgetSchemas.tokensPerDay.optional(),
});
export type KeyLimits = z.output<typeof keyLimitsSchema>;
