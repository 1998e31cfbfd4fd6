import type { Turn } from '../../src/contract/testRuns.ts';

/** One line per turn: `<` the called side, `>` ours. Five seconds each. */
export const call = (...lines: readonly string[]): Turn[] =>
  lines.map((line, index) => ({
    speaker: line.startsWith('<') ? 'them' : 'us',
    text: line.slice(1).trim(),
    startMs: index * 5000,
    endMs: index * 5000 + 4000,
  }));
