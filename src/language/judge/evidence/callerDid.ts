import { menuOf } from '../menuOf.ts';
import { meaningsOf } from '../synonyms.ts';
import type { HeardCall } from './heardCall.ts';
import { none, seenIn } from './evidence.ts';
import type { Seen, MatchEvidence } from './evidence.ts';

/** Words of one family: disabled and disability. */
const isKin = (a: string, b: string): boolean =>
  a === b || (a.length > 5 && b.length > 5 && a.slice(0, 5) === b.slice(0, 5));

/**
 * Finds where the caller says something, or chooses its option. Proves what the caller did, never what the callee did.
 */
export function matchCaller(does: string, { turns }: HeardCall): MatchEvidence {
  const wanted = meaningsOf(does);
  let labels = new Map<string, string>();
  const sure: Seen[] = [];
  turns.forEach((turn, index) => {
    if (turn.speaker === 'them') {
      const { options } = menuOf(turn);
      if (options.length > 0) labels = new Map(options.map(({ key, label }) => [key, label]));
      return;
    }
    const key = /^\[keys ([0-9*#])\]$/.exec(turn.text)?.[1];
    const heard = meaningsOf(key === undefined ? turn.text : (labels.get(key) ?? ''));
    if (wanted.length > 0 && wanted.every((word) => heard.some((other) => isKin(word, other))))
      sure.push(seenIn({ turn, index }));
  });
  return {
    ...none,
    sure,
    complete: false,
    told: `The caller: ${does}`,
    missing: `The call doesn't show that the caller did this: ${does}`,
  };
}
