import assert from 'node:assert/strict';
import { readAcceptance } from '../../../../src/language/checks/acceptance.ts';

const says = (text: string | readonly string[]): object => ({ kind: 'says', text });
const read = (acceptance: string): object[] => readAcceptance(acceptance).checks.map(({ name: _, ...check }) => check);

const forms: readonly (readonly [acceptance: string, ...checks: readonly object[]])[] = [
  ['The water company says “no leak was found”.', says('no leak was found')],
  ["It must mention 'spare parts' or 'new parts'.", says(['spare parts', 'new parts'])],
  [
    'The ferry office announces "all aboard" and "mind the gap".',
    { kind: 'all', checks: [says('all aboard'), says('mind the gap')] },
  ],
  ['The line must never say "closed" or "shut".', { kind: 'neverSays', text: ['closed', 'shut'] }],
  ['"Come aboard" is heard.', says('Come aboard')],
  ['The customer hears "come aboard"', says('come aboard')],
  ['The caller reaches a person; an agent picks up.', ...Array<object>(2).fill({ kind: 'reaches', what: 'person' })],
  ['The caller is put through.', { kind: 'reaches', what: 'transfer' }],
  ['The bot states that calls may be recorded.', { kind: 'discloses', notice: 'recording' }],
  ['It must not claim to be a person.', { kind: 'not', check: { kind: 'discloses', notice: 'human' } }],
  ['The system asks for the caller’s PIN.', { kind: 'asksFor', input: 'pin', about: 'pin' }],
  [
    '1. Says "aboard".\n2. It doesn\'t ask for a card number.',
    says('aboard'),
    { kind: 'not', check: { kind: 'asksFor', input: 'card_number', about: 'card number' } },
  ],
];

/** Near misses: two subjects, conditions, order, times, permission, and the caller's own words. */
const unread = `
The ferry office and the caller say "aboard"
Our test caller says "aboard"
The callers say "aboard"
Dialtree says "aboard"
Nobody says "aboard"
No clerk says "aboard"
Whoever answers says "aboard"
If asked it says "aboard"
Unless busy it says "aboard"
When asked the office says "aboard"
After the greeting it says "aboard"
First it says "aboard"
Finally the office says "aboard"
At the end it says "aboard"
It says "aboard" twice
It says "aboard" within 9 seconds
It says "aboard" and then "ashore"
It says "aboard", "ashore" and "adrift" or "afloat"
It must not say "aboard" and "ashore"
The office may say "aboard"
"Aboard" may be said
It hardly says "aboard"
It does not only say "aboard"
Fails if it says "aboard"
The caller reaches a person or voicemail
An agent answers the question
It asks for no PIN
It asks for another PIN
It asks for the PIN twice
It asks for the PIN first
It asks for the PIN or the date
It says that calls are not recorded
`.trim();

describe('a criterion', () => {
  for (const [acceptance, ...checks] of forms)
    it(`reads as checks: ${acceptance}`, () => assert.deepEqual(read(acceptance), checks));

  for (const acceptance of unread.split('\n'))
    it(`stays unread: ${acceptance}`, () => assert.deepEqual(read(acceptance), []));

  it('keeps what it could not read, and names what it read by its words', () => {
    const { checks, unread: kept } = readAcceptance('Says "aboard". The clerk is kind to "Bo".');
    assert.deepEqual([checks.map(({ name }) => name), kept], [['Says “aboard”'], ['The clerk is kind to “Bo”']]);
    for (const empty of ['', '...', '⟦0⟧', '“”', '"'.repeat(99)]) assert.deepEqual(read(empty), [], empty);
  });
});
