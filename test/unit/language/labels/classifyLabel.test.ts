import assert from 'node:assert/strict';
import { classifyLabel } from '../../../../src/language/labels/classifyLabel.ts';
import { findActs } from '../../../../src/language/labels/announced.ts';
import { Wishes } from '../../../../src/language/labels/purpose.ts';
import { whyNotPressed } from '../../../../src/language/labels/pressRules.ts';
import { heldOutTable, labelTable } from './labelTable.ts';

/** Returns the misclassified labels, one per line. */
const mistakes = (table: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(table).flatMap(([expected, labels]) =>
    labels
      .map((label) => ({ label, found: classifyLabel(label).class }))
      .filter(({ found }) => found !== expected)
      .map(({ label, found }) => `${label}: ${found}, not ${expected}`),
  );

describe("language: the effect of a label's key", () => {
  it('has the right class for 300 labels of all sectors', () => {
    assert.ok(Object.values(labelTable).flat().length >= 300);
    assert.deepEqual(mistakes(labelTable), []);
  });

  it("has the right class for most labels that the tables weren't written for, and never a more harmless one", () => {
    const wrong = mistakes(heldOutTable);
    assert.ok(wrong.length <= 7, wrong.join('\n'));
    assert.deepEqual(
      wrong.filter((line) => line.includes(': harmless')),
      [],
    );
  });

  it("stays unsure for texts that aren't labels", () => {
    for (const label of ['', '   ', '…', '?', '\u0000', '🙂'])
      assert.equal(classifyLabel(label).class, 'unsure', JSON.stringify(label));
    assert.equal(classifyLabel(`${'x '.repeat(100_000)}cancel`).class, 'unsure');
  });

  it('becomes irreversible because of one word, in any context and inflection', () => {
    for (const { act, words } of [
      { act: 'cancels', words: ['cancel', 'Cancels', 'cancelled', 'canceling', 'CANCELLING', 'cancellation'] },
      { act: 'pays', words: ['pay', 'paying', 'pays', 'paid', 'payment', 'payments'] },
      { act: 'orders', words: ['renew', 'renewing', 'renewal', 'subscribing', 'subscriptions'] },
      { act: 'changes', words: ['activate', 'activating', 'activation'] },
    ] as const) {
      for (const word of words) {
        for (const label of [
          word,
          `opening hours, or ${word}`,
          `sales and ${word}`,
          `speak to an agent and ${word} it`,
        ]) {
          const found = classifyLabel(label);
          assert.ok(found.class === 'irreversible' && found.acts.has(act), label);
        }
      }
    }
  });
});

describe('language: keys allowed on a live number', () => {
  it('include the plainly harmless ones; the reason names the setting that allows the rest', () => {
    assert.equal(whyNotPressed('opening hours', {}), undefined);
    assert.match(whyNotPressed('cancel my card', {}) ?? '', /may cancel or end something.*allowedLabels/);
    assert.match(whyNotPressed('the blue widget', {}) ?? '', /plainly harmless.*allowedLabels.*pressUnsure/);
    assert.match(whyNotPressed('', {}) ?? '', /didn't understand.*pressUnsure/);
    assert.deepEqual(
      ['the blue widget', ''].map((label) => whyNotPressed(label, { pressUnsure: true })),
      [undefined, undefined],
    );
    assert.match(whyNotPressed('cancel my card', { pressUnsure: true }) ?? '', /may cancel/);
  });

  it('include what a mapping names, with any text for an asterisk', () => {
    const allows = (pattern: string, label: string): boolean =>
      whyNotPressed(label, { allowedLabels: [pattern] }) === undefined;
    for (const [pattern, label] of [
      ['prescription refills', 'Prescription refills'],
      ['check in*', 'check-in for your flight'],
      ['*refill*', 'request a refill now'],
      ['pay * bill', 'pay your electricity bill'],
      ['pay * bill', 'pay bill'],
      ['réserver*', 'reserver une table'],
    ] as const)
      assert.ok(allows(pattern, label), `${pattern} names ${label}`);
    for (const [pattern, label] of [
      ['prescription refills', 'cancel prescription refills'],
      ['check in*', 'cancel check in'],
      ['pay*pay', 'pay'],
      ['refill*refill', 'refill'],
      ['cancel', ''],
    ] as const)
      assert.ok(!allows(pattern, label), `${pattern} does not name ${label}`);
  });
});

describe('language: acts beyond the request', () => {
  const beyond = (label: string, wanted: string): string[] => [...new Wishes(wanted).beyond(findActs(label), label)];

  it("include all acts of an option that the text doesn't name", () => {
    assert.deepEqual(beyond('pay your bill', 'You are Ann. Pay the electricity bill.'), []);
    assert.deepEqual(beyond('pay your bill', 'Find out the balance of the account.'), ['pays']);
    assert.deepEqual(beyond('cancel the payment', 'Pay the bill.'), ['cancels']);
    assert.deepEqual(beyond('cancel your card', 'Reach billing, and do not cancel anything.'), ['cancels']);
    assert.deepEqual(beyond('opening hours', ''), []);
  });
});
