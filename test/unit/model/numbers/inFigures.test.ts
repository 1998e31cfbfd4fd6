import assert from 'node:assert/strict';
import { inFigures } from '../../../../src/model/numbers/inFigures.ts';

describe('a text with its numbers as digits', () => {
  for (const [said, written] of [
    ['Your number is four seven one nine two.', 'Your number is 47192.'],
    ['Your number is 4 7 1 9 2, thank you', 'Your number is 47192, thank you'],
    ['It is 47192.', 'It is 47192.'],
    ['four, seven, one. Press two', '471. Press 2'],
    ['two hundred and five dollars, or $3.50', '205 dollars, or $3.50'],
    ['double seven twenty one', '7721'],
    ['No numbers here', 'No numbers here'],
    ['', ''],
  ] as const)
    it(`becomes “${said}”`, () => assert.equal(inFigures(said), written));
});
