import * as z from 'zod';
import { dialTargetSchema, limitSchema, pageSchemaOf } from './common.ts';
import { ours, untrusted } from './untrusted.ts';

export const listTargetsSchema = z.strictObject({
  limit: limitSchema,
  cursor: z
    .stringFormat('position', /^\d{1,6}$/)
    .optional()
    .describe('nextCursor of the previous page'),
});

const targetSchema = z.strictObject({
  kind: z.enum(['practice', 'line', 'route']).describe('practice: a practice IVR that is running now'),
  name: untrusted(z.string()).optional().describe('Of the practice IVR or line'),
  phoneNumber: dialTargetSchema.optional().describe('Number or SIP address to call'),
  pattern: ours(z.string())
    .optional()
    .describe('Instead of phoneNumber: * stands for the rest, as in +49* or sip:*@pbx'),
  needsConsent: z.boolean().describe('A person must confirm the number before its first call'),
});
export type Target = z.output<typeof targetSchema>;

export const targetPageSchema = pageSchemaOf(targetSchema);
