import * as z from 'zod';

/** A step of the tree's webview, as its menu and the commands of the menu get it. */
export const stepContextSchema = z.object({
  /** Identifies the step in the page. */
  key: z.string(),
  stepId: z.string().optional(),
  /** Empty for the first step. */
  path: z.string(),
  prompt: z.string(),
  /** It has a recording. */
  plays: z.boolean(),
  /** Its path can be called. */
  calls: z.boolean(),
  /** A run found it. */
  isMapped: z.boolean(),
  /** It is in the tree itself, not only in the tree that it is compared with. */
  isHere: z.boolean(),
  /** A practice IVR that is running plays it. */
  isPractice: z.boolean(),
});
export type StepContext = z.output<typeof stepContextSchema>;
