import * as z from 'zod';
import { limits } from './limits.ts';

const uriSchema = z
  .string()
  .regex(/^sips?:/i, 'Give a SIP address, such as sip:{number}@trunk.example.com.')
  .describe('SIP address; {number} is replaced with the number');

export const costPerMinuteSchema = z
  .number()
  .min(limits.costPerMinute.min)
  .max(limits.costPerMinute.max)
  .optional()
  .describe("Cost per minute, in the workspace's currency");

/** The address of a number, with its cost per minute if known. */
export const routeSchema = z.union(
  [
    uriSchema,
    z.strictObject({
      uri: uriSchema,
      costPerMinute: costPerMinuteSchema,
    }),
  ],
  { error: 'A route must be a SIP address, or {"uri": a SIP address, "costPerMinute": 0 or more}.' },
);

/** A full number, or a prefix that ends in `*`. */
export const dialKeySchema = z
  .string()
  .max(20)
  .regex(/^\+[0-9]*\*?$/, 'Give a number such as +12025550100, or a prefix such as +49*.');

/** The dial plan. The longest matching key wins. */
export const routesSchema = z.record(dialKeySchema, routeSchema, {
  error: ({ code }) =>
    code === 'invalid_key'
      ? "This isn't a number or a prefix. Give a number such as +12025550100, or a prefix such as +49*."
      : undefined,
});
export type Routes = Readonly<Record<string, z.output<typeof routeSchema>>>;
