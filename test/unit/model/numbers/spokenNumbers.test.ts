import assert from 'node:assert/strict';
import fc from 'fast-check';
import { spokenTokens } from '../../../../src/model/heard/spokenTokens.ts';
import { listed } from '../../../support/listed.ts';

const read = (text: string): string =>
  spokenTokens(text, true)
    .map(({ text: token }) => token)
    .join(' ');

const units = listed(`
  zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen
`);
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
/** Returns a number in words, as spoken. */
function inWords(value: number): string {
  if (value < 20) return units[value]!;
  if (value < 100)
    return value % 10 === 0 ? tens[value / 10]! : `${tens[Math.floor(value / 10)]!}-${units[value % 10]!}`;
  const [scale, name] =
    value < 1000
      ? ([100, 'hundred'] as const)
      : value < 1e6
        ? ([1000, 'thousand'] as const)
        : ([1e6, 'million'] as const);
  const rest = value % scale;
  return `${inWords(Math.floor(value / scale))} ${name}${rest === 0 ? '' : `${rest < 100 ? ' and' : ''} ${inWords(rest)}`}`;
}

describe('spoken numbers', () => {
  it('read the same in words as in digits', () =>
    fc.assert(
      fc.property(fc.oneof(fc.nat(2000), fc.nat(999_999_999)), (value) =>
        assert.equal(read(inWords(value)), String(value)),
      ),
    ));

  it('read digit by digit', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 16 }), (digits) =>
        assert.equal(read(digits.map((digit) => units[digit]!).join(' ')), digits.join('')),
      ),
    ));

  for (const [text, tokens] of [
    ['one eight hundred five five five zero one hundred', '18005550100'],
    ['nineteen ninety-nine', '1999'],
    ['twenty twenty six', '2026'],
    ['fifteen hundred', '1500'],
    ['double oh seven', '007'],
    ['triple five', '555'],
    ['a hundred dollars', '100 dollar'],
    ['$1,200.00', '1200 dollar'],
    ['$3.05', '3 dollar 5 cent'],
    ['1.5 million', '1 point 5000000'],
    ['the twenty-second', 'the 22'],
    ['22nd', '22'],
    ['one second', '1 2'],
    ['nine thirty a m', '930 am'],
    ['9:00 a.m.', '9 am'],
    ['9:30am', '930 am'],
    ['press one. Two for sales', 'press 1 2 for sales'],
    ['one, two, three', '123'],
    ['oh dear', 'oh dear'],
    ['room two oh one', 'room 201'],
    ['1-800-555-0100', '18005550100'],
    ['1.800.555.0100', '18005550100'],
    ['(202) 555-0143', '2025550143'],
    ['two thousand and five', '2005'],
    ['sales and two', 'sales and 2'],
    ['# and *', 'pound and *'],
    ['*9', 'star 9'],
    ['50% off', '50 percent off'],
    ["can't, won't", 'can not will not'],
    ['24/7', '247'],
    ['hundred', 'hundred'],
  ] as const)
    it(`include ${tokens} for "${text}"`, () => assert.equal(read(text), tokens));
});
