import * as z from 'zod';
import { untrusted } from './untrusted.ts';

/** The options of a menu prompt, read from its text. */
export const menuKeySchema = z.string().regex(/^[0-9*#]$/);

/** One key, or up to four that are pressed one after the other ("press 10", "press star nine"). */
const menuChoiceSchema = z.string().regex(/^[0-9*#]{1,4}$/);

export const menuOptionSchema = z.strictObject({
  key: menuChoiceSchema,
  /** The shortest faithful phrase from the prompt, in lower case. Several phrases if the prompt says several. */
  label: untrusted(z.string()),
});
export type MenuOption = z.output<typeof menuOptionSchema>;

/** Between the phrases of a key that a prompt offers for one thing and again for another. */
export const labelSeparator = ' / ';

export const inputTypeSchema = z.enum([
  'account_number',
  'pin',
  'date',
  'card_number',
  'phone_number',
  'zip',
  'extension',
  'amount',
  'other',
]);
export type InputType = z.output<typeof inputTypeSchema>;

export const menuInputSchema = z.strictObject({
  type: inputTypeSchema,
  digits: z.int().nullable(),
  terminator: z.enum(['#', '*']).nullable(),
});
export type MenuInput = z.output<typeof menuInputSchema>;

export const menuReadingSchema = z.strictObject({
  options: z.array(menuOptionSchema),
  /** Phrases that the caller can say. */
  speech: z.array(untrusted(z.string())),
  input: menuInputSchema.nullable(),
  repeatKey: menuChoiceSchema.nullable(),
  stayOnLine: z.boolean(),
  /**
   * What might be wrong; absent if nothing seems to be. `labels`: each label might belong to the neighbouring key, as
   * after shifted punctuation, or a key has several labels. `keys`: a key was read from a word that only sounds like one ("press start").
   */
  unsure: z.array(z.enum(['labels', 'keys'])).optional(),
});
export type MenuReading = z.output<typeof menuReadingSchema>;
