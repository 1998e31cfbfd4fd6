import * as z from 'zod';
import { dialTargetSchema } from './common.ts';
import { ours } from './untrusted.ts';

/** A probe of the catalogue, as it is listed. Passing means observed evidence, never a legal certificate. */
export const catalogueEntrySchema = z
  .object({
    id: z.string().regex(/^[a-z0-9-]{1,60}$/),
    sector: ours(z.string()),
    description: ours(z.string()),
    jurisdiction: ours(z.string()).optional(),
    mode: z
      .enum(['dial', 'dial-opt-out', 'receive'])
      .describe(
        'Who calls whom: dial calls the number under test, dial-opt-out the number that an offer names, receive waits for their call',
      ),
    rule: ours(z.string())
      .optional()
      .describe('What it is derived from; to be reviewed by a lawyer before anybody relies on it'),
    effective: z.iso.date().optional().describe('From when on that rule applies'),
    reviewedOn: z.iso.date().optional().describe('When a lawyer last compared rule and assertions; absent: not yet'),
  })
  .strict();
export type CatalogueEntry = z.output<typeof catalogueEntrySchema>;

export const runComplianceTestSchema = z
  .object({
    phoneNumber: dialTargetSchema.describe(
      'The number under test; of a probe that receives, the one that their campaign calls from or for: it is not dialled',
    ),
    catalogueTestId: z.string().min(1).max(100).describe('Id of a probe of the catalogue'),
  })
  .strict();
