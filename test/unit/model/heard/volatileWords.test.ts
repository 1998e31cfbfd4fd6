import assert from 'node:assert/strict';
import { promptExcerpt } from '../../../../src/model/tests/promptExcerpt.ts';
import { withoutVolatile } from '../../../../src/model/heard/volatileWords.ts';

const cases: readonly (readonly [string, string])[] = [
  ['Your balance is two hundred dollars and fifty cents.', 'Your balance is *.'],
  ['Your balance is $1,200.50. Thank you.', 'Your balance is *. Thank you.'],
  ['Good morning, welcome to Harbour Bank.', 'Good *, welcome to Harbour Bank.'],
  ['Your appointment is on Saturday, November 21st at 2:30 pm.', 'Your appointment is on * at *.'],
  ['You are caller number 3 in the queue.', 'You are caller number * in the queue.'],
  ['The estimated wait time is five minutes.', 'The estimated wait time is *.'],
  ['You have 3 new messages.', 'You have *.'],
  ['Your order number is 4 4 8 2 1.', 'Your order number is *.'],
  ["It is five o'clock.", 'It is *.'],
  // Keys and constant words of a prompt stay.
  [
    'For accounts, press 1. For loans press two. For option number 3, press 3.',
    'For accounts, press 1. For loans press two. For option number 3, press 3.',
  ],
  ['For cards press 2 may I have your name', 'For cards press 2 may I have your name'],
  ['for orders press 2 orders press 3 minutes', 'for orders press 2 orders press 3 minutes'],
  ['Ask for room 12. May I help you?', 'Ask for room 12. May I help you?'],
  [
    'Please enter your eight digit account number. Dial 911 in an emergency. One moment please.',
    'Please enter your eight digit account number. Dial 911 in an emergency. One moment please.',
  ],
];

describe('model: the expected text of a prompt', () => {
  it('omits words that change from call to call, and keeps keys', () => {
    for (const [text, expected] of cases) assert.equal(withoutVolatile(text), expected);
  });

  const long =
    'Welcome to the bank. Your call may be recorded for training and for quality, as the law demands it of us. For accounts, press 1. For cards, press 2. For loans and mortgages of all kinds, press 3. To hear this again, press 9.';

  it('keeps a short prompt as a whole, and the beginning of a long one', () => {
    assert.equal(promptExcerpt('Welcome to the bank. For cards, press 2.'), 'Welcome to the bank. For cards, press 2.');
    assert.equal(
      promptExcerpt(long),
      'Welcome to the bank. Your call may be recorded for training and for quality, as the law demands it of us.',
    );
  });

  it('keeps the chosen option, and the end of the prompt', () => {
    assert.equal(
      promptExcerpt(long, { goesOnBy: 'cards' }),
      'Welcome to the bank. Your call may be recorded for training and for quality, as the law demands it of us. * For cards, press 2. * To hear this again, press 9.',
    );
    assert.equal(
      promptExcerpt(long, { end: true }),
      'For loans and mortgages of all kinds, press 3. To hear this again, press 9.',
    );
  });

  it('contains no accidental placeholder, and none at its ends', () => {
    assert.equal(promptExcerpt('Enter {code}, then press *.'), 'Enter code, then press star.');
    assert.equal(promptExcerpt('$500. That is your balance, and 20 minutes.'), 'That is your balance, and');
    assert.equal(promptExcerpt('200'), undefined);
    assert.equal(promptExcerpt(''), undefined);
  });
});
