import assert from 'node:assert/strict';
import type { CheckOf } from '../../../../src/contract/checks.ts';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import { evaluate, type CheckResult } from '../../../../src/language/checks/evaluate.ts';
import { hearCall } from '../../../../src/language/checks/heardCall.ts';

/** Returns the result for a call with these texts before and after the step `wait`. */
function resultOf(check: CheckOf<'offers' | 'repeatsOnTimeout'>, after: string[], before: string[] = []): CheckResult {
  const turns = [...before, ...after].map((text, index): Turn => ({
    speaker: 'them',
    text,
    startMs: index * 10_000 + 1000,
    endMs: index * 10_000 + 9000,
  }));
  const atMs = before.length * 10_000;
  const wait = { startMs: atMs, actionMs: atMs, actedMs: atMs, reached: true };
  const call = hearCall({ turns, steps: new Map([['wait', wait]]), lastedMs: turns.length * 10_000, isWhole: true });
  const [result] = evaluate([{ ...check, when: { after: 'wait' } }], call);
  assert.ok(result);
  return result;
}

describe('an offer', () => {
  it('differs from other words', () => {
    const only = { kind: 'offers', only: ['\\bremoved\\b', '\\bconfirm\\b'] } as const;
    const verdict = (...texts: string[]): string => resultOf({ ...only, only: [...only.only] }, texts).verdict;
    assert.equal(verdict('To be removed from our list, press 1.', 'To confirm, press 2.'), 'pass');
    assert.equal(verdict('Your number was removed.'), 'pass', 'nothing is offered at all');
    const other = resultOf({ ...only, only: [...only.only] }, [
      'To be removed from our list, press 1. For sales, press 2.',
    ]);
    assert.deepEqual(
      [other.verdict, String(other.why), other.evidence[0]?.quote],
      ['fail', 'Something else is offered: sales.', 'For sales, press 2.'],
    );
  });

  it('can be chosen by keys', () => {
    const verdict = (...texts: string[]): string => resultOf({ kind: 'offers', allByKey: true }, texts).verdict;
    assert.equal(verdict('For billing, press 1 or say billing.'), 'pass');
    assert.equal(verdict('For billing, press 1.', 'You can say billing or orders.'), 'fail');
    assert.equal(verdict('You can say billing or orders.'), 'fail');
    assert.equal(verdict('Welcome to the shop.'), 'inconclusive');
  });

  it('counts as repeated, completely or by key', () => {
    const verdict = (after: string[], before: string[]): string =>
      resultOf({ kind: 'repeatsOnTimeout' }, after, before).verdict;
    const menu = 'For billing, press 1. For orders, press 2.';
    assert.equal(verdict([menu], [menu]), 'pass');
    assert.equal(verdict(['Are you still there?', 'For billing press one.', 'For orders press two.'], [menu]), 'pass');
    assert.equal(verdict(['For billing, press 1.'], [menu]), 'fail');
    assert.equal(verdict(['Goodbye.'], [menu]), 'fail');
    assert.equal(verdict(['Are you still there?'], [`${menu} To repeat these options, press star.`]), 'pass');
    assert.equal(verdict([menu], ['Welcome.']), 'inconclusive');
    assert.equal(verdict([menu, menu], ['Welcome.']), 'pass', 'it began only then, and came twice');
  });
});
