import assert from 'node:assert/strict';
import { findReadBack, numbersIn, readBackWords, tellingParts } from '../../../../src/model/secrets/readBack.ts';
import { maskReadBack } from '../../../../src/model/secrets/secretMask.ts';

const card = '4012888888881881';
const repeats = (text: string, secret = card): boolean => findReadBack(text, [secret]).length > 0;

describe('digits that are read back', () => {
  it('match as digits, in words, in groups and in parts', () => {
    for (const text of [
      'Your card is 4012888888881881.',
      'You entered 4012 8888 8888 1881.',
      'four oh one two',
      'Four zero one two eight eight',
      'forty twelve',
      'ending in one eight eight one',
      'It ends with 1 8 8 1.',
      'the last digits are eighteen eighty one',
      'double eight double eight one',
      'to eight eight eight',
    ])
      assert.ok(repeats(text), text);
  });

  it("don't match other numbers", () => {
    for (const text of [
      'Your balance is two hundred dollars.',
      'Press 4 or 0.',
      'one two three four five',
      'call 5 5 5 0 1 0 0',
      '',
      'It is for you to decide.',
    ])
      assert.equal(repeats(text), false, text);
  });

  it('match a short secret only as a whole', () => {
    assert.ok(repeats('the code seven three nine', '739'));
    assert.ok(repeats('the code 739.', '739'));
    assert.equal(repeats('call 1 7 3 9 0', '739'), false);
  });

  it('give way to a mask exactly where they occur', () => {
    assert.equal(
      maskReadBack('I heard forty twelve, eighty eight, is that 2 cards?', [card]),
      'I heard ••••, is that 2 cards?',
    );
    assert.equal(
      maskReadBack('You entered 40••••, ••••••••81, your bill of 20 dollars is paid.', [card]),
      'You entered ••••, your bill of 20 dollars is paid.',
    );
    assert.equal(maskReadBack('Nothing here.', [card]), 'Nothing here.');
    assert.deepEqual([...readBackWords(['ending', 'in', 'eighteen', 'eighty', 'one', 'thanks'], [card])], [2, 3, 4]);
  });

  it('give way to a mask in pieces too, if a number was given before', () => {
    const piecewise = (text: string): string => maskReadBack(text, [card], 'pieces');
    assert.deepEqual(['Four.', 'Zero one two.', '8 8', 'You entered 40.', 'and eighteen'].map(piecewise), [
      '••••.',
      '••••.',
      '••••',
      'You entered ••••.',
      'and ••••',
    ]);
    for (const text of ['Press 1.', 'That is 25 dollars.', 'call 5 5 5 0 1 0 0', 'Thank you.'])
      assert.equal(piecewise(text), text);
    assert.deepEqual([...readBackWords(['four', 'zero'], [card], 'pieces')], [0, 1]);
    const menu = 'For your balance, press one. To hear recent transactions, press two. For cards, press three.';
    assert.equal(maskReadBack(menu, ['12345678', '4132'], 'pieces'), menu, 'words that sound like digits stay');
    assert.equal(maskReadBack('Four.', [card]), 'Four.');
  });

  it('include the ends of a secret if requested, and exclude amounts', () => {
    const ends = (text: string): boolean => findReadBack(text, [card], 'ends').length > 0;
    assert.deepEqual(
      [
        'it begins with four oh one',
        'ending in 881',
        'it has 288',
        '$401',
        '401 dollars',
        '401 minutes',
        'at four',
      ].map(ends),
      [true, true, false, false, false, false, false],
    );
    assert.deepEqual(numbersIn('PIN 4711, or nineteen eighty four, costs 250 dollars, press 12'), ['4711', '1984']);
    assert.deepEqual(numbersIn('the code, as you know, is 4711', 3, 10), []);
  });

  it('include every revealing part', () => {
    assert.deepEqual(tellingParts('12345'), ['12345', '1234', '2345']);
    assert.deepEqual(tellingParts('739'), ['739']);
  });
});
