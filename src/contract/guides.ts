import * as z from 'zod';
import { ours } from './untrusted.ts';

export const guideEntrySchema = z.strictObject({
  slug: z.string().regex(/^[a-z0-9-]{1,60}$/),
  kind: z.enum(['guide', 'reference']),
  group: ours(z.string()),
  title: ours(z.string()),
  summary: ours(z.string()).describe('One line'),
});
export type GuideEntry = z.output<typeof guideEntrySchema>;

/** A section names the page, menu, button or field to use. */
export const guideSchema = guideEntrySchema
  .extend({
    sections: z
      .array(
        z.strictObject({
          title: ours(z.string()),
          where: ours(z.string().min(1)).describe('Page, menu, button or field'),
          text: ours(z.string()),
          code: ours(z.string()).optional(),
        }),
      )
      .min(1),
  })
  .strict();
export type Guide = z.output<typeof guideSchema>;
