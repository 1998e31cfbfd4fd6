import assert from 'node:assert/strict';
import type { ProbeAssertion } from '../../../../src/contract/probe.ts';
import { placedSentences } from '../../../../src/engine/probe/finding.ts';
import type { Sentence } from '../../../../src/engine/probe/finding.ts';
import { judgeOffers } from '../../../../src/engine/probe/judgeOffers.ts';

const heard = (...texts: string[]): Sentence[] =>
  placedSentences(
    texts.map((text, index) => ({ speaker: 'them', text, startMs: index * 10_000, endMs: index * 10_000 + 9000 })),
  );
type OffersAssertion = Extract<ProbeAssertion, { kind: 'offersOnly' | 'offersKeys' | 'offersAgain' }>;
const claim = { id: 'a', text: 'A.' };
const outcome = (assertion: OffersAssertion, after: readonly Sentence[], before: readonly Sentence[] = []): string =>
  judgeOffers(assertion, after, before).outcome;

describe('an offer', () => {
  it('differs from other words', () => {
    const only: OffersAssertion = { ...claim, kind: 'offersOnly', patterns: ['\\bremoved\\b', '\\bconfirm\\b'] };
    assert.equal(outcome(only, heard('To be removed from our list, press 1.', 'To confirm, press 2.')), 'PASS');
    assert.equal(outcome(only, heard('Your number was removed.')), 'PASS', 'nothing is offered at all');
    const other = judgeOffers(only, heard('To be removed from our list, press 1. For sales, press 2.'), []);
    assert.deepEqual(
      [other.outcome, other.reason, other.evidence?.quote],
      ['FAIL', 'Something else is offered: sales.', 'For sales, press 2.'],
    );
  });

  it('can be chosen by keys', () => {
    const keys: OffersAssertion = { ...claim, kind: 'offersKeys' };
    assert.equal(outcome(keys, heard('For billing, press 1 or say billing.')), 'PASS');
    assert.equal(outcome(keys, heard('For billing, press 1.', 'You can say billing or orders.')), 'FAIL');
    assert.equal(outcome(keys, heard('You can say billing or orders.')), 'FAIL');
    assert.equal(outcome(keys, heard('Welcome to the shop.')), 'INCONCLUSIVE');
  });

  it('counts as repeated, completely or by key', () => {
    const again: OffersAssertion = { ...claim, kind: 'offersAgain', after: 'wait' };
    const menu = 'For billing, press 1. For orders, press 2.';
    assert.equal(outcome(again, heard(menu), heard(menu)), 'PASS');
    assert.equal(
      outcome(again, heard('Are you still there?', 'For billing press one.', 'For orders press two.'), heard(menu)),
      'PASS',
    );
    assert.equal(outcome(again, heard('For billing, press 1.'), heard(menu)), 'FAIL');
    assert.equal(outcome(again, heard('Goodbye.'), heard(menu)), 'FAIL');
    assert.equal(
      outcome(again, heard('Are you still there?'), heard(`${menu} To repeat these options, press star.`)),
      'PASS',
    );
    assert.equal(outcome(again, heard(menu), heard('Welcome.')), 'INCONCLUSIVE');
    assert.equal(outcome(again, heard(menu, menu), heard('Welcome.')), 'PASS', 'it began only then, and came twice');
  });
});
