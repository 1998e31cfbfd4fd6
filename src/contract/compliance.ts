import * as z from 'zod';
import { ours } from './untrusted.ts';

/** A probe as the catalogue lists it. A pass is observed evidence, never a legal certificate. */
export const catalogueEntrySchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/),
  title: ours(z.string()).optional().describe('What it observes, in a few words; absent from older servers'),
  sector: ours(z.string()),
  description: ours(z.string()),
  jurisdiction: ours(z.string()).optional(),
  mode: z
    .enum(['dial', 'dial-opt-out', 'receive'])
    .describe(
      'dial: calls the number under test; dial-opt-out: calls the opt-out number that an offer names; receive: waits for a call',
    ),
  rule: ours(z.string())
    .optional()
    .describe('The rule that the probe is based on; have a lawyer review it before you rely on the probe'),
  effective: z.iso.date().optional().describe('Date from which the rule applies'),
  reviewedOn: z.iso.date().optional().describe('Date of the last review by a lawyer; absent: not reviewed'),
});
export type CatalogueEntry = z.output<typeof catalogueEntrySchema>;
