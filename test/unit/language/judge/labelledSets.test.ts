import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { checkProblems } from '../../../../src/contract/checkProblems.ts';
import { checksSchema } from '../../../../src/contract/checks.ts';
import { turnSchema } from '../../../../src/contract/testRuns.ts';
import { evaluate, worstOf } from '../../../../src/language/checks/evaluate.ts';
import { hearCall } from '../../../../src/language/checks/heardCall.ts';

/** Calls that were labelled without knowledge of the code: test/fixtures/judge/README.md. */
const callsSchema = z.array(
  z.object({ id: z.string(), transcript: z.array(turnSchema), label: z.enum(['pass', 'fail', 'undecidable']) }),
);
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/judge/${name}.json`, import.meta.url), 'utf8'));

/** The share that checks must decide, and the calls whose checks say something else than their criterion. */
const sets = {
  a: { least: 0.6, otherwise: [] },
  b: {
    least: 0.4,
    otherwise: ['revenue-office-appointment-read-back', 'calder-injected-developer-note', 'orpheum-popcorn-pitch'],
  },
  c: { least: 0.45, otherwise: ['ironworks-gym-no-longer-contract', 'greenbin-paper-day', 'dolphin-pool-closed'] },
} as const;

describe('checks that a reader wrote who saw only the criterion', () => {
  for (const [set, { least, otherwise }] of Object.entries(sets))
    it(`decide their share of set ${set}, and as its labels say`, () => {
      const calls = callsSchema.parse(read(`calls-${set}`));
      const written = z.record(z.string(), checksSchema).parse(read(`checks-${set}`));
      const decided = calls.flatMap(({ id, transcript, label }) => {
        const checks = written[id] ?? [];
        if (checks.length === 0 || checkProblems(checks).length > 0) return [];
        const verdict = worstOf(evaluate(checks, hearCall({ turns: transcript })).map((one) => one.verdict));
        return verdict === 'inconclusive' ? [] : [{ id, isRight: verdict === label }];
      });
      assert.deepEqual(
        decided.filter(({ isRight }) => !isRight).map(({ id }) => id),
        otherwise,
      );
      const share = decided.length / calls.length;
      assert.ok(share >= least, `${(share * 100).toFixed(0)} % decided`);
    });
});
