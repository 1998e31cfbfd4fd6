import assert from 'node:assert/strict';
import { LiveGuard } from '../../../../src/language/mission/liveGuard.ts';

/** What is heard (a text), pressed, or said, in turn; only the last is checked. */
type Turn = string | { readonly press: string } | { readonly say: string };
const press = (keys: string): Turn => ({ press: keys });
const say = (text: string): Turn => ({ say: text });

const balance = 'You are Ann Lee, account number 12345678, PIN 4321, born 3 May 1980. Hear the balance. Do not cancel.';

function isSent(turns: readonly Turn[], purpose = balance): boolean {
  const guard = new LiveGuard(purpose);
  let sent = false;
  for (const turn of turns) {
    if (typeof turn === 'string') {
      guard.hear(turn);
      continue;
    }
    sent = ('press' in turn ? guard.whyNotPress(turn.press) : guard.whyNotSay(turn.say)) === undefined;
    if (sent) guard.acted();
  }
  return sent;
}

const cancelling = 'We will now cancel your policy.';

const refused: Record<string, readonly Turn[]> = {
  'own words that act and are not in the mission': ['How can I help you?', say('Send me a taxi.')],
  'own words that take what is offered': ['We have a large box. What do you think?', say('Lovely, I will take it.')],
  'own words that give away': ['What would you like to do?', say('Give all my money to Bob.')],
  'a confirmation of words that three utterances share': [
    'We will now close',
    'your.',
    'Account. Is that right?',
    say('Yes'),
  ],
  'a confirmation of what was announced before our last key': [
    `${cancelling} For English, press 1.`,
    press('1'),
    'Is that correct?',
    say('Yes.'),
  ],
  'a key that confirms what was announced before our last key': [
    `${cancelling} For English, press 1.`,
    press('1'),
    'Is that correct? If so, press 1.',
    press('1'),
  ],
  'yes to "say yes to proceed"': ['To cancel your policy, say yes to proceed.', say('Yes.')],
  'a key to proceed': [cancelling, 'To proceed, press 1.', press('1')],
  'a key to continue': [`${cancelling} Press 1 to continue.`, press('1')],
  'a key that confirms in the sentence that announces': [
    'We will now cancel your policy, to confirm press 1.',
    press('1'),
  ],
  'a number with a key behind it': ['Please enter your 8 digit account number.', press('123456782')],
  'a number with a key in front of it': ['Please enter your account number.', press('112345678')],
  'a number beside an option that is refused': ['Enter your account number, or press 1 to cancel.', press('12345678#')],
  'a number that the mission does not give': ['Please enter your card number.', press('4111111111111111')],
  'a number that agrees': ['To cancel your policy, please enter your PIN.', press('4321')],
  'a number that nothing asks for': ['Thank you for waiting.', press('4321')],
  'a key with a terminator': ['For hours, press 1. To cancel, press 2.', press('1#')],
  'a key that is offered again for something else': [
    'For your balance, press 1. For the news, press 2. To close your account, press 1.',
    press('1'),
  ],
  'a key that is offered again for something else, by its name': [
    'For your balance, press or say 1. To close your account, press 1.',
    say('One'),
  ],
  'a key that is offered again for something that is not known': [
    'For your balance, press 1. For the purple wizard, press 1.',
    press('1'),
  ],
  'a refused label in words': ['To cancel your policy, press 2.', press('2'), say('Cancel your policy.')],
  'a refused key by its name': ['To cancel your policy, press or say 2.', say('Two')],
  'a refused key by its name among other words': [
    'To cancel your policy, press or say 2.',
    say('Option number two, please.'),
  ],
  'a menu in another order': [
    'For opening hours, press 1. To cancel your policy, press 2.',
    'To cancel your policy, press 1. For opening hours, press 2.',
    press('1'),
  ],
  'a key whose option changed since our last action': [
    'For opening hours, press 1. To cancel your policy, press 2.',
    'To cancel your policy, press 1. For opening hours, press 2.',
    press('2'),
  ],
  'a label that was refused, under another key': [
    'To cancel your policy, press 2. For the gizmo, press 4.',
    press('4'),
    'For hours, press 1.',
    press('1'),
    'For the gizmo, press 7.',
    press('7'),
  ],
  'a key that the reader cannot parse': ['Use the green button for help and the other one for the rest.', press('5')],
  'an option that no rule knows': ['For flibbertigibbets, press 3.', press('3')],
  'no to keeping something': ['Do you want to keep your policy?', say('No.')],
  'an act that is named in passing': ['How can I help you?', say('I would like my balance, and cancel the policy.')],
};
for (const [heard, done] of [
  ['Your policy. Cancellation. Fifty dollars. Press 1 if that is what you want.', press('1')],
  ['Press any key to continue.', press('5')],
  ['Shall I send you a new card?', say('Yes')],
  ['Say yes to enroll.', say('I say yes.')],
  ['You can say balance or cancel policy.', say('Balance, cancel policy')],
  ['You can say balance or cancel policy.', say('The second one')],
  ['Would you like to continue your subscription?', say('No')],
  ['To pay fifty dollars, say your name.', say('Ann Lee')],
  ['Please state your full name to authorise the payment.', say('Ann Lee')],
  ['I can cancel that policy for you.', say('That would be nice')],
  ['How much would you like to pay?', say('Two hundred dollars')],
  ['Enter the amount you would like to transfer, followed by pound.', press('4321#')],
  ['This will delete all your messages. Press pound to confirm.', press('##')],
  ['For balance press 1. To cancel press 2.', press('11')],
  ['For balance press 1. To cancel press 2.', say('1 2')],
  ['Press 1 to hear your balance. By pressing 1 you agree to a fee of ten dollars.', press('1')],
  ['By pressing any key you accept our premium plan. For your balance, press 1.', press('1')],
  ['For the balance of your loan, press 1. Pressing one will close it.', press('1')],
  ['For the balance of your loan, press or say 1. Pressing 1 will close it.', say('One')],
  ['Key 1 closes your account. For your balance, press 1.', press('1')],
  ['For opening hours, press 1. Your policy will be cancelled when you press 1.', press('1')],
  ['For opening hours, press 1. To close your account, press any key.', press('1')],
  ['Any key you press will close your account. For opening hours, press 1.', press('1')],
  ['By pressing a key you agree to a charge. For opening hours, press 1.', press('1')],
  ['When you press a button, your order is placed. For opening hours, press 1.', press('1')],
  ['By choosing an option you agree to a charge. For opening hours, press 1.', press('1')],
  ['By pressing 2 or 1 you agree to a charge. For opening hours, press 1.', press('1')],
  ['By saying anything on this call you agree to a charge. You can say billing or opening hours.', say('Billing')],
  ['You can say billing or opening hours. If you say billing, you agree to a charge.', say('Billing')],
  ['Enter the number of tickets.', press('12')],
  ['Enter the number of tickets.', press('1')],
  ['Enter the number of units, followed by pound.', press('12345678#')],
  ['Enter the amount of your loan.', press('12345678')],
  ['How many nights? Enter two digits.', press('12')],
  ['Please enter the code.', press('34')],
  ['Your new plan starts tomorrow. What do you think?', say('Yes')],
  ['Your new plan starts tomorrow. Which of these is your answer?', say('Yes, please.')],
] as const)
  refused[`${JSON.stringify(done)} to “${heard}”`] = [heard, done];
for (const [heard, done] of [
  [['Your new plan starts tomorrow.', 'OK?'], say('OK')],
  [['Your new plan starts tomorrow. Is that OK'], say('Okay')],
  [['Your new plan starts tomorrow. OK.'], say('That would be lovely')],
  [['That is what your new plan includes. OK?'], say('OK')],
  [['Your new plan starts tomorrow. Press 1 to continue.'], press('1')],
  [['Your new plan starts tomorrow. Would you like that?'], say('Yes')],
  [['Your new plan starts tomorrow. Shall I continue?'], say('Yes')],
  [['Would you like the premium plan?'], say('Yes')],
  [['Would you like to hear that again? Your new plan starts tomorrow. OK?'], say('OK')],
  [['A payment is due. OK?'], say('OK')],
  [['We will now cancel your policy online. Is that right?'], say('Right')],
  [['We will now cancel number 5. Is that right?'], say('Right')],
  [['You chose the premium plan. Is that right?'], say('Right')],
  [['Please hold.', 'Welcome to premium membership. OK?'], say('OK')],
  [['Your new plan starts tomorrow, alright?'], say('Mm hmm')],
  [['Your new plan starts tomorrow. Please say your name to go on.'], say('Ann Lee')],
] as const)
  refused[`${JSON.stringify(done)} to “${heard.join(' ')}”`] = [...heard, done];
for (const announced of [
  'We will now cancel your policy online.',
  'Your policy, which was renewed, will be cancelled.',
  'We will cancel your policy, and this call is recorded.',
  'The app will cancel your policy.',
  'You can cancel your policy online by staying on the line.',
  'A payment is due and will be charged to your card.',
  'Your new plan starts tomorrow.',
  'We will now close your account number 5.',
])
  refused[`an agreement after “${announced}” and a harmless key`] = [
    `${announced} For English, press 1.`,
    press('1'),
    'Is that right?',
    say('Right'),
  ];
for (const text of [
  'Sure.',
  'Okay.',
  'Please do.',
  'That works for me.',
  'Go ahead.',
  'Make it so.',
  'I am happy with that.',
  'Affirmative',
  'That would be lovely, thank you.',
  'Why not',
])
  refused[`“${text}” to a question that cancels`] = [cancelling, 'Is that correct?', say(text)];

const sent: Readonly<Record<string, readonly Turn[]>> = {
  'own words of the mission, with courtesies': [
    'How can I help you?',
    say('Hello, I would like to hear my balance, please.'),
  ],
  thanks: ['How else can I help you?', say('Thank you, goodbye.')],
  'a plainly harmless option': ['For opening hours, press 1. To cancel your policy, press 2.', press('1')],
  'an option of an earlier utterance': ['For opening hours, press 1.', 'Please make your selection.', press('1')],
  'an option that its mission names': ['For flibbertigibbets, press 3. For hours, press 1.', press('1')],
  'a number that is asked for': ['Please enter your account number, followed by the pound key.', press('12345678#')],
  'a number of so many digits': ['Please enter your 8 digit account number.', press('12345678')],
  'a number to verify who calls': ['To verify your identity, please enter your PIN.', press('4321')],
  'the part of a number that is asked for': ['Enter the last 4 digits of your account number.', press('5678')],
  'a key beside one that does more': [
    'For your balance, press 1. For the news, press 2. By pressing 2 you agree to a fee.',
    press('1'),
  ],
  'a key beside others that do more': ['For your balance, press 1. To cancel, press any other key.', press('1')],
  'a phrase beside one that does more': [
    'You can say billing or opening hours. If you say billing, you agree to a charge.',
    say('Opening hours'),
  ],
  'a date in any order': ['Please enter your date of birth.', press('05031980')],
  'a number in words': ['Please say your account number.', say('1 2 3 4 5 6 7 8.')],
  'a number after the notices of a greeting': [
    'If this is an emergency, hang up and dial 911. You can pay online. This call may be recorded. Please enter your PIN.',
    press('4321'),
  ],
  'yes where its own number is read back': [
    'Please enter your account number.',
    press('12345678'),
    'You entered 1 2 3 4 5 6 7 8. Is that correct?',
    say('Yes.'),
  ],
  'the key that confirms its own number': [
    'You entered 1 2 3 4. If this is correct, press 1. If not, press 2.',
    press('1'),
  ],
  'the key that continues': ['To continue, press 1.', press('1')],
  'no where something is announced': [`${cancelling} Is that correct?`, say('No.')],
  'a phrase on offer': ['You can say account balance or pay my bill.', say('Account balance.')],
  'its goal where that is asked for': ['How can I help you?', say('I would like to hear my balance.')],
  'its name': ['May I have your name?', say('Ann Lee.')],
  'its wish where the system tells what it can do': [
    'This is Mia. I can help with bookings, cancellations and payments. How can I help?',
    say('Hi, I would like to know my balance'),
    'Sure. What is your account number?',
    say('One two three four five six seven eight'),
  ],
  'yes to its own wish': ['I heard account balance. Is that right?', say('Yes')],
  'the key that keeps holding': ['To keep holding, press 1. To cancel your order, press 2.', press('1')],
  'yes to hearing that again after what is due': ['A payment is due. Would you like to hear that again?', say('Yes')],
  'yes to hearing what it did not understand': [
    'We are open from nine to five. Would you like to hear that again?',
    say('Yes, please.'),
  ],
  'yes to a question about its own wish': ['So you want your account balance, right?', say('Right')],
  'yes to a question that says how to answer': ['Do you want to hear your balance, yes or no?', say('Yes')],
  'yes to "did you say"': ['Did you say account balance?', say('Yes')],
  'a number after what was done before': [
    'Your last order was shipped on Monday. Please enter your PIN.',
    press('4321'),
  ],
  'the key that continues after a greeting': ['Thank you for calling Acme Bank. To continue, press 1.', press('1')],
  'words to a person': ['Hello, this is Sam speaking.', say('Hi, what is my balance?')],
};

describe('the guard for live calls', () => {
  it('sends the keys of one option, unless the first of them are an option that it refuses', () => {
    const plain = 'For your balance, press 10. For a new policy, press 2.';
    assert.ok(isSent([plain, press('10')]));
    assert.ok(!isSent([`${plain} To cancel your policy, press 1.`, press('10')]));
    assert.ok(!isSent([plain, press('20')]));
    const long = 'For your balance, press 101. For the fax, press star 9.';
    assert.ok(isSent([long, press('101')]));
    assert.ok(!isSent([`${long} To cancel your policy, press 10.`, press('101')]));
    assert.ok(!isSent([`${long} By pressing 10 you cancel your policy.`, press('101')]));
  });

  for (const [name, turns] of Object.entries(refused)) it(`refuses ${name}`, () => assert.equal(isSent(turns), false));
  for (const [name, turns] of Object.entries(sent)) it(`sends ${name}`, () => assert.equal(isSent(turns), true));

  it('judges a confirmation by what was announced before a harmless key', () => {
    const turns = [`${cancelling} For English, press 1.`, press('1')];
    assert.equal(isSent(turns), true);
    assert.equal(isSent([...turns, 'Is that correct?', say('Yes.')]), false);
  });

  it('confirms what its mission names after a menu that offers what it rules out', () => {
    const turns = [
      'To cancel your order, press 1. To cancel your policy, press 2.',
      press('1'),
      'Your order will be cancelled. To confirm, press 1.',
      press('1'),
    ];
    assert.equal(isSent(turns, 'Cancel the order. Do not cancel the policy.'), true);
  });

  it('sends what its mission names, and confirms it', () => {
    const turns = [
      'To cancel your policy, press 2.',
      press('2'),
      'Your policy will be cancelled. To confirm, press 1.',
      press('1'),
    ];
    assert.equal(isSent(turns, 'Cancel the policy.'), true);
    assert.equal(isSent(['For flibbertigibbets, press 3.', press('3')], 'Ask about the flibbertigibbet.'), true);
  });

  for (const [purpose, heard, done, isIt] of [
    ['Cancel the order. Do not cancel the policy.', 'To cancel your order, press 1.', press('1'), true],
    ['Cancel the order. Do not cancel the policy.', 'To cancel your policy, press 1.', press('1'), false],
    ['Cancel the order, but never the policy.', 'To cancel your policies, press 1.', press('1'), false],
    ['Cancel the policy. Do not cancel the order.', 'To cancel your order, press 1.', press('1'), false],
    ['Cancel the policy. Do not cancel the order.', 'To cancel your policy, press 1.', press('1'), true],
    ['Cancel the order without cancelling the policy.', 'Your policy will be cancelled. OK?', say('OK'), false],
    ['Cancel the order. Do not cancel the policy.', 'Your policy and order will be cancelled. OK?', say('OK'), false],
    ['Cancel the order. Do not cancel the policy.', 'Your order will be cancelled. Is that OK?', say('OK'), true],
    ['Cancel the order. Do not cancel anything else.', 'To cancel your policy, press 1.', press('1'), false],
    ['Cancel the order. Do not cancel anything else.', 'To cancel your order, press 1.', press('1'), true],
    ['Cancel the order. Do not cancel the policy.', 'How can I help?', say('Please cancel the policy'), false],
    ['Cancel the order. Do not cancel the policy.', 'About your policy: to cancel it, press 1.', press('1'), false],
    ['Transfer 50 dollars from account number 1234.', 'Enter the amount of your transfer.', press('50'), true],
    ['Transfer 50 dollars from account number 1234.', 'Enter the amount of your transfer.', press('1234'), false],
    ['Cancel nothing. Hear the balance.', 'To cancel your policy, press 1.', press('1'), false],
  ] as const)
    it(`${isIt ? 'sends' : 'refuses'} ${JSON.stringify(done)} to “${heard}” for “${purpose}”`, () =>
      assert.equal(isSent([heard, done], purpose), isIt));
});
