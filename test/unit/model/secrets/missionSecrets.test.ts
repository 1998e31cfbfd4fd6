import assert from 'node:assert/strict';
import { maskMission, secretsOf } from '../../../../src/model/secrets/missionSecrets.ts';

describe('model: secrets of a mission', () => {
  for (const [mission, shown] of [
    [
      'You are Ann. Your account number is 12345678, your PIN is 4711.',
      'You are Ann. Your account number is ••••, your PIN is ••••.',
    ],
    ['Your PIN is four seven one one.', 'Your PIN is ••••.'],
    [
      'Your PIN, to be given only when they ask for it, is 4711.',
      'Your PIN, to be given only when they ask for it, is ••••.',
    ],
    ['Your password is swordfish', 'Your password is ••••'],
    ['password: hunter2', 'password: ••••'],
    ['Your code word is “blue moon”.', 'Your code word is “••••”.'],
    ['Customer number: 123456', 'Customer number: ••••'],
    ['Your member id is 55443', 'Your member id is ••••'],
    ['Account one two three four five', 'Account ••••'],
    ['You have PIN code 12 34', 'You have PIN code ••••'],
    ['When they ask, say 5500 1234 and wait.', 'When they ask, say •••• and wait.'],
    ['Enter 4711 when it asks for the PIN.', 'Enter •••• when it asks for the PIN.'],
    ['Card 4000-0012-3456-7899.', 'Card ••••.'],
  ] as const)
    it(mission, () => assert.equal(maskMission(mission, mission), shown));

  it('disappear wherever they are read back', () =>
    assert.equal(maskMission('Your PIN is four seven one one.', 'You entered 4711, 4 7 1 1.'), 'You entered ••••.'));

  it("don't include these", () => {
    for (const mission of [
      'Ask for the account balance, it should be over 500 dollars.',
      'The password is asked for after 120 seconds.',
      'Press 1, then 2. Order 4711 costs 25 dollars.',
      'Call about the card. There are 3 cards.',
      'When asked for the PIN, say you lost it.',
      'The PIN is not known.',
      'Wait 300 seconds for an agent.',
      'Your room is 471.',
      '',
    ])
      assert.deepEqual(secretsOf(mission), [], mission);
  });
});
