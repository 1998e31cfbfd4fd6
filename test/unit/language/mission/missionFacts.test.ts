import assert from 'node:assert/strict';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';
import { decideByRules } from '../../../../src/language/mission/decideByRules.ts';
import { readFacts } from '../../../../src/language/mission/missionFacts.ts';
import { readGoal, toldGoal } from '../../../../src/language/mission/missionGoal.ts';

describe('facts in natural order', () => {
  for (const [mission, ...expected] of [
    ['Enter 12345678 when asked for the account number.', 'account_number 12345678'],
    ['When it asks for your PIN, type 1234.', 'pin 1234'],
    ['Use 99 as the extension.', 'extension 99'],
    ['12345678 is your account number.', 'account_number 12345678'],
    ['Your account number, which is 12345678.', 'account_number 12345678'],
    [
      'Enter 12345678 when the phone asks for the account number and 4321 for the PIN.',
      'account_number 12345678',
      'pin 4321',
    ],
    ['If it wants a code, say 8844.', 'other 8844'],
    ['Pay with the card ending in 4242.', 'card_number 4242'],
    ['Use PIN 1234 when asked for the account.', 'pin 1234'],
    ['Press 10 if the menu offers billing.'],
    ['Call 5551234 for your account balance.'],
    ['Use 1980-05-03 as the birthday for the account.'],
  ] as const)
    it(`${expected.length === 0 ? 'are not read from' : 'are read from'} “${mission}”`, () =>
      assert.deepEqual(
        readFacts(mission).entries.map(({ type, digits }) => `${type} ${digits}`),
        expected,
      ));

  const pressed = (mission: string, prompt: string): string => {
    const decision = decideByRules({
      mission,
      prompt,
      reading: readMenu(prompt),
      transcript: [{ speaker: 'them', text: prompt }],
      past: [],
      left: { turns: 9, seconds: 99 },
    });
    return decision.action === 'press' ? decision.keys : decision.action;
  };

  for (const [title, mission, prompt, expected] of [
    [
      'a given account number is entered',
      'Enter 12345678 when asked for the account number.',
      'Please enter your account number followed by the pound key.',
      '12345678#',
    ],
    [
      'the end of a card number is entered where four digits are asked for',
      'Pay the bill with the card ending 4242.',
      'Please enter the last four digits of your card.',
      '4242',
    ],
    [
      'the end of a card number is not entered for the whole number',
      'Pay the bill with the card ending 4242.',
      'Please enter your 16 digit card number.',
      'wait',
    ],
    [
      'one of two providers is not for all other questions',
      'Track a parcel.',
      'For a doctor or other provider press 1. For anything else press 2.',
      '2',
    ],
    [
      'a human is not human resources',
      'Reach a real person.',
      'For human resources press 1. To speak to somebody press 2.',
      '2',
    ],
  ] as const)
    it(title, () => assert.equal(pressed(mission, prompt), expected));
});

describe('the goal of a mission', () => {
  for (const [mission, expected] of [
    ["I don't want to cancel my service, I want to order new service.", 'I would like to order new service.'],
    ["You don't want to cancel but to change the address.", 'I would like to change the address.'],
    ['Cancel the order. Do not cancel the policy.', 'I would like to cancel my order.'],
    ["My router doesn't work.", "My router doesn't work."],
    ["I'm not able to log in.", "I'm not able to log in."],
  ] as const)
    it(`becomes “${expected}” for “${mission}”`, () => assert.equal(toldGoal(mission), expected));

  it('stays if it only says what is not wanted', () => assert.equal(readGoal('Do not cancel.'), 'Do not cancel.'));
});
