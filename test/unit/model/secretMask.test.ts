import assert from 'node:assert/strict';
import { SecretMask } from '../../../src/model/secretMask.ts';

describe('model: masking secrets', () => {
  const mask = new SecretMask(['4711', '4000 0012 3456 7899', 'swordfish']);

  for (const [text, shown] of [
    ['Your PIN is 4711.', 'Your PIN is ••••.'],
    ['You entered 4 7 1 1 is that right', 'You entered •••• is that right'],
    ['You entered four, seven, one, one. Correct?', 'You entered •••• Correct?'],
    ['You entered forty seven eleven', 'You entered forty seven eleven'],
    ['the card ending in seven eight nine nine', 'the card ending in ••••'],
    ['the card ending in 7899', 'the card ending in ••••'],
    ['card 4000 0012 3456 7899 is blocked', 'card •••• is blocked'],
    ['the password is swordfish, yes', 'the password is ••••, yes'],
    ['press one for sales, press two for service', 'press one for sales, press two for service'],
    ['call 555 0199 now', 'call 555 0199 now'],
    ['', ''],
  ] as const) it(`${text || 'nothing'} → ${shown || 'nothing'}`, () => { assert.equal(mask.text(text), shown); });

  it('hides nothing without secrets', () => {
    const none = new SecretMask(['', ' ']);
    assert.equal(none.isEmpty, true);
    assert.equal(none.text('a 1 2 3'), 'a 1 2 3');
    assert.equal(none.hidden(['1', '2', '3']).size, 0);
  });
});
