import assert from 'node:assert/strict';
import { consentTarget, consentWords } from '../../../../src/editor/calls/consentWords.ts';
import { english } from '../fakes.ts';

describe('the question for consent', () => {
  const agreed =
    'Call only numbers that are yours, or whose owner has agreed to the test. The calls may cost money. Dialtree remembers your answer for this number.';

  it('names what is to be confirmed, and says first that no practice IVR answers there', () => {
    const details = {
      phoneNumber: 'sip:bank@127.0.0.1:5070',
      statement: 'I may test this number',
      place: '127.0.0.1:5070',
    };
    assert.equal(consentTarget(details), 'sip:bank@127.0.0.1:5070');
    assert.deepEqual(consentWords(details, english), [
      'No Dialtree practice IVR is running at 127.0.0.1:5070. If you want to call a practice IVR, cancel, start the practice IVR, and then try again.',
      agreed,
    ]);
    assert.deepEqual(consentWords({ phoneNumber: '+12125550123' }, english), [agreed]);
    assert.deepEqual([consentTarget(undefined), consentWords(undefined, english)], [undefined, [agreed]]);
  });
});
