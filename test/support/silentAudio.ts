import type { CallAudio } from '../../src/engine/call/callAudio.ts';

/** One second in which neither side of a call says anything. */
export const silentSecond: CallAudio = {
  length: 8000,
  read: (from, to) => ({ us: new Int16Array(to - from), them: new Int16Array(to - from) }),
};
