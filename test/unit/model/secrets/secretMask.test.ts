import assert from 'node:assert/strict';
import { SecretMask } from '../../../../src/model/secrets/secretMask.ts';

describe('model: masking secrets', () => {
  const mask = new SecretMask(['4711', '4000 0012 3456 7899', 'swordfish']);

  for (const [text, shown] of [
    ['Your PIN is 4711.', 'Your PIN is ••••.'],
    ['You entered 4 7 1 1 is that right', 'You entered •••• is that right'],
    ['You entered four, seven, one, one. Correct?', 'You entered ••••. Correct?'],
    ['You entered forty seven eleven', 'You entered ••••'],
    ['You entered four seven double one', 'You entered ••••'],
    ['It begins with four seven one', 'It begins with ••••'],
    ['the card beginning with 4000', 'the card beginning with ••••'],
    ['the card beginning with four double oh', 'the card beginning with ••••'],
    ['somewhere in it is 0123', 'somewhere in it is ••••'],
    ['The password is Swordfish', 'The password is ••••'],
    ['Your balance is $471, you owe 711 dollars', 'Your balance is $471, you owe 711 dollars'],
    ['You waited 471 seconds', 'You waited 471 seconds'],
    ['press 4 for sales, 7 for service', 'press 4 for sales, 7 for service'],
    ['our code is 712', 'our code is 712'],
    ['the card ending in seven eight nine nine', 'the card ending in ••••'],
    ['the card ending in 7899', 'the card ending in ••••'],
    ['card 4000 0012 3456 7899 is blocked', 'card •••• is blocked'],
    ['the password is swordfish, yes', 'the password is ••••, yes'],
    ['press one for sales, press two for service', 'press one for sales, press two for service'],
    ['call 555 0199 now', 'call 555 0199 now'],
    ['', ''],
  ] as const)
    it(`${text || 'nothing'} → ${shown || 'nothing'}`, () => assert.equal(mask.text(text), shown));

  it('masks keys without their terminator or waits, and numbers in a sentence', () => {
    for (const [secret, text, shown] of [
      ['4711#', 'You entered four seven one one.', 'You entered ••••.'],
      ['4711#', '[keys 4711#]', '[keys ••••]'],
      ['99,4711#', 'four seven one one', '••••'],
      ['12*4711#', '12, then 4711', '••••, then ••••'],
      ['47*11#', 'You entered 4711', 'You entered ••••'],
      ['My code is 4711.', 'Is it four seven one one?', 'Is it ••••?'],
      ['my pin is four seven one one', 'You said 4711.', 'You said ••••.'],
      ['Ann, born nineteen eighty four', 'born in 1984', 'born in ••••'],
      ['I pay 471 dollars', 'call 471', 'call 471'],
      // A single key can belong to a menu; two keys form a secret.
      ['1#', 'press 1 for sales', 'press 1 for sales'],
      ['12', 'You entered 12.', 'You entered ••••.'],
      ['12', 'That is $12.50, or 120 points, of 2.12', 'That is $12.50, or 120 points, of 2.12'],
      ['24', 'press two for sales', 'press two for sales'],
      ['no', 'no, not now', '••••, not now'],
    ] as const)
      assert.equal(new SecretMask([secret]).text(text), shown, secret);
    assert.deepEqual(
      [...new SecretMask(['4711#']).hidden(['You', 'entered', 'forty', 'seven', 'eleven.', 'Press', '1.'])],
      [2, 3, 4],
    );
  });

  it('masks nothing without secrets', () => {
    const none = new SecretMask(['', ' ']);
    assert.equal(none.isEmpty, true);
    assert.equal(none.text('a 1 2 3'), 'a 1 2 3');
    assert.equal(none.hidden(['1', '2', '3']).size, 0);
  });
});
