import assert from 'node:assert/strict';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

const greetings = ['welcome to ', '', 'thank you for calling ', 'thanks for calling ', "you've reached "];
const names = [
  'acme bank',
  'northern power and water',
  'smith and sons',
  'care for kids',
  'farm to table',
  'one stop shop',
];
const lists = [
  ['for sales', 'for service', 'for billing'],
  ['to report an outage', 'to pay a bill', 'to speak to an agent'],
  ['to hear your balance', 'for opening hours'],
  ['to apply for a loan', 'for a mortgage', 'to add money to your account'],
  ['for tickets to london', 'for tickets to paris'],
  ['if you want to book', 'for test results', 'if you have a bill for repairs'],
];
const keys = ['one', 'two', 'three'];

/** Writes a list of labels before or after their keys, with or without punctuation. */
const listOf = (labels: readonly string[], verb: string, isBefore: boolean, isPunctuated: boolean): string =>
  labels
    .map((label, index) => {
      const act = `${verb} ${keys[index] ?? ''}`;
      return isBefore ? `${label}${isPunctuated ? ',' : ''} ${act}` : `${act} ${label}`;
    })
    .join(isPunctuated ? '. ' : ' ');
const labelsOf = (text: string): string[] => readMenu(text).options.map(({ key, label }) => `${key} ${label}`);

describe('a greeting before a list', () => {
  for (const name of names)
    for (const greeting of [...greetings, 'hello and welcome to '])
      it(`stays out of the labels: "${greeting}${name}"`, () => {
        for (const labels of lists)
          for (const verb of ['press', 'dial', 'select'])
            for (const [isBefore, isPunctuated] of [
              [true, true],
              [true, false],
              [false, true],
              [false, false],
            ] as const) {
              const list = listOf(labels, verb, isBefore, isPunctuated);
              const text = `${greeting}${name}${isPunctuated ? '.' : ''} ${list}`;
              assert.deepEqual(labelsOf(text), labelsOf(list), text);
            }
      });

  it('continues past words of the label that may name an act', () => {
    assert.deepEqual(labelsOf('cancel your order for delivery press one for opening hours press two'), [
      '1 cancel your order for delivery',
      '2 opening hours',
    ]);
  });
});
