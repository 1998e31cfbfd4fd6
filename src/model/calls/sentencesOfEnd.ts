import { join, reasonOf, type Sentences } from '../../base/sentences.ts';
import type { HangUp } from '../../contract/testRuns.ts';

/** Returns who ended a call, and why. */
export const sentencesOfEnd = ({ sentence: reason, sentenceParts: reasonParts }: HangUp): Sentences =>
  reasonOf({ reason, reasonParts }) ?? join();
