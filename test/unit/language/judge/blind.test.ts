import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { turnSchema } from '../../../../src/contract/testRuns.ts';
import { judgeByRules } from '../../../../src/language/judge/judgeByRules.ts';

/** Calls that were labelled without knowledge of the judge: test/fixtures/judge/README.md. */
const callsSchema = z.array(
  z.object({
    id: z.string(),
    acceptance: z.string(),
    transcript: z.array(turnSchema),
    label: z.enum(['pass', 'fail', 'undecidable']),
  }),
);

/**
 * The minimum share that the rules decide. They were tuned on set A only; of the others they decide little, and must
 * decide nothing wrong.
 */
const floors = { a: 0.6, b: 0, c: 0 };

describe('judging calls with blind labels by rules', () => {
  for (const set of ['a', 'b', 'c'] as const) {
    it(`makes no mistake on set ${set}, and decides its share`, () => {
      const calls = callsSchema.parse(
        JSON.parse(readFileSync(new URL(`../../../fixtures/judge/calls-${set}.json`, import.meta.url), 'utf8')),
      );
      const results = calls.map(({ id, acceptance, transcript, label }) => ({
        id,
        label: label === 'undecidable' ? 'inconclusive' : label,
        ...judgeByRules(transcript, acceptance),
      }));
      const decided = results.filter(({ verdict }) => verdict !== 'inconclusive');
      const share = decided.length / results.length;
      console.log(`      set ${set}: ${decided.length} of ${results.length} decided (${(share * 100).toFixed(0)} %)`);
      assert.deepEqual(
        decided
          .filter(({ verdict, label }) => verdict !== label)
          .map(({ id, reasoning }) => `${id}: ${String(reasoning)}`),
        [],
      );
      assert.ok(share >= floors[set], `set ${set}: ${(share * 100).toFixed(0)} % decided`);
    });
  }
});
