import assert from 'node:assert/strict';
import { partedByEcho } from '../../../../src/language/menu/spoken.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

/** "1 sales, 2 service" */
const options = (text: string): string =>
  readMenu(text)
    .options.map(({ key, label }) => `${key} ${label}`)
    .join(', ');
const input = (text: string): string => {
  const { type, digits, terminator } = readMenu(text).input ?? {};
  return [type ?? 'none', digits ?? '-', terminator ?? '-'].join(' ');
};

describe('the keys of a prompt', () => {
  for (const [title, text, expected] of [
    [
      'reads a list that says which number each thing is',
      'opening an account is one closing one is two anything else is three',
      '1 opening an account, 2 closing one, 3 anything else',
    ],
    ['reads a list that begins after one', "for bookings that's two for parking that's three", '2 bookings, 3 parking'],
    [
      'reads two digits as one option',
      'For sales, press 10. For support, press 11. For the warehouse, press 12.',
      '10 sales, 11 support, 12 warehouse',
    ],
    [
      'reads two digits without a verb',
      'Press 9 for sales, 10 for support, or 11 for parts.',
      '9 sales, 10 support, 11 parts',
    ],
    [
      'reads less usual verbs',
      'Tap 1 for sales. Strike 2 for support. Click 3 for parts.',
      '1 sales, 2 support, 3 parts',
    ],
    [
      'counts on after the end of a sentence',
      'Cancellations: press 1. 2: opening hours. 3: directions.',
      '1 cancellations, 2 opening hours, 3 directions',
    ],
    ['does not take the cue after a letter for a key', 'Press A for sales.', ''],
    ['reads two digits in words', 'for sales press ten for support press eleven', '10 sales, 11 support'],
    ['does not take a range of entries for options', 'Press 10 to 14 for a locker.', ''],
    ['does not take a count for an option', 'Press 10 times. For sales, press 1.', '1 sales'],
    ['reads numbers that come before what they are for', '1 is for rooms, 2 is for events.', '1 rooms, 2 events'],
    [
      'reads what named keys do',
      'The star key repeats this, the pound key ends the call.',
      '* repeats this, # ends the call',
    ],
    ['reads where keys lead', 'One gets you to sales, two gets you to parts.', '1 sales, 2 parts'],
    ['reads a key as the subject of its sentence', 'Zero will get you an operator.', '0 operator'],
    ['reads an unpunctuated list of two', 'sales one service two', '1 sales, 2 service'],
    [
      'counts on after a word that also precedes plain numbers',
      'press 1 for drive in two for parking',
      '1 drive in, 2 parking',
    ],
    ['reads the verb that ends a condition apart from the next one', "If you don't, press 2.", "2 you don't"],
    ['does not offer a choice of one from a list', 'Please select one of the following. For tea, press 2.', '2 tea'],
    ['reads star from "start" after any verb', 'choose start to go back', '* go back'],
    ['keeps "start" as a word where no key fits', 'hit start date, then press 1 to save', '1 save'],
    ['does not offer a key that the caller should not press', 'Do not press 0. For sales, press 1.', '1 sales'],
    ['does not offer a key that the caller has pressed', 'You pressed 3 for billing.', ''],
    [
      'does not take two amounts for a list',
      'Your balance is one hundred and two dollars. Your payment is due on the third.',
      '',
    ],
  ] as const)
    it(title, () => assert.equal(options(text), expected));
});

describe('the labels of a prompt', () => {
  for (const [title, text, expected] of [
    [
      'gives each key its label when the sentence ends come one key early',
      'For rentals. Press 1 for returns. Press 2 for damage. Press 3.',
      '1 rentals, 2 returns, 3 damage',
    ],
    [
      'gives each key its label when sentences end between them, after words that are no label',
      'Please listen carefully as our options have changed, press 1. For sales, press 2. For service, press 3. For billing.',
      '1 sales, 2 service, 3 billing',
    ],
    [
      'gives each key its label when sentences end between them, up to a last key that follows its label',
      'If you know your extension you may dial it at any time, press 1. For sales, press 2. For the time to hear this again, press star.',
      '1 sales, 2 time, * hear this again',
    ],
    [
      'keeps the labels before their keys after such words',
      'This call may be recorded. For sales, press 1. For service, press 2. For billing, press 3.',
      '1 sales, 2 service, 3 billing',
    ],
    [
      'keeps the labels after a greeting when the last one is missing',
      'Welcome to the museum. Press 1 for hours. Press 2 for tickets. Press 3.',
      '1 hours, 2 tickets, 3 ',
    ],
    [
      'reads past the dot of an abbreviation',
      'For an appointment with Dr. Lee, press 2. For the St. James office, press 3.',
      '2 appointment with dr lee, 3 st james office',
    ],
    ['reads what "if so" refers to', 'Do you have a gas leak? If so, press 1.', '1 gas leak'],
    ['leaves out how a call is put through', "simply press 1 and you'll be put through to sales", '1 sales'],
    ['leaves out opening hours', 'For service, open 9 to 5 on weekdays, press 2.', '2 service'],
    ['prefers the purpose to the condition', "If you'd rather not wait, press 1 for a callback.", '1 callback'],
    [
      'prefers the purpose to the condition without punctuation',
      "if that's wrong press two to start over if it is right press one",
      '2 start over, 1 it is right',
    ],
    ['leaves out what else to do', 'If you smell gas, leave the building and press 1.', '1 you smell gas'],
    [
      'leaves out why the prompt asks',
      "To help us direct your call, if you're a new customer press 1.",
      "1 you're a new customer",
    ],
    [
      'leaves out a statement after the last label',
      'press one to accept press two to decline this offer expires on friday',
      '1 accept, 2 decline',
    ],
    [
      'names the steps of an unpunctuated scale',
      'on a scale of one to three where one is poor and three is good how was your visit',
      '1 poor, 2 how was your visit, 3 good',
    ],
    [
      'names the steps of a scale and what is rated',
      'How was your visit? Press a number from 1 to 3, where 3 is excellent.',
      '1 how was your visit, 2 how was your visit, 3 excellent',
    ],
  ] as const)
    it(title, () => assert.equal(options(text), expected));
});

describe('the entry of a prompt', () => {
  for (const [title, text, expected] of [
    [
      'adds up the parts of a date with elided digits',
      'Enter your date of birth: two digits for the day, two for the month, four for the year.',
      'date 8 -',
    ],
    ['reads a terminator in other words', 'key in your member number then hit hash to finish', 'account_number - #'],
    [
      'reads what was named a sentence before',
      'We need your sixteen digit card number. Enter it now, then press pound.',
      'card_number 16 #',
    ],
    ['reads an extension to be keyed in', 'Please key in the extension now.', 'extension - -'],
    ['asks for nothing where an option leads to an entry', 'To enter a different number, press 2.', 'none - -'],
    [
      'counts letters that were played in parts',
      "Please enter the first, three, letters of your party's last name, using your touch tone keypad.",
      'other 3 -',
    ],
    ['reads "enter" from what sounds like it', 'Please send to the number you wish to call.', 'phone_number - -'],
    ['keeps a place to send something to', 'Please send to the following address.', 'none - -'],
  ] as const)
    it(title, () => assert.equal(input(text), expected));

  for (const text of [
    'Tap in your meter reading, and press hash to finish.',
    'Leave your message after the tone. When done hang up or press the pound key.',
    'leave your message after the tone when done hang up or press the pound key',
    'Please leave your message after the tone when done, hang up, or press the pound key.',
    'Record your message at the beep. When you have finished recording, you may hang up or press pound.',
    'After the tone, say your temporary message, and then press the pound key.',
  ])
    it(`doesn't offer the key that ends an entry or a recording: ${text}`, () => assert.equal(options(text), ''));

  it('offers a key that leads on after a recording', () =>
    assert.equal(
      options('Leave your message after the tone. When done hang up or press pound for more options.'),
      '# more options',
    ));

  for (const text of [
    "Enter the first three letters of your party's last name. Use the 7 key for Q and the 9 key for Z.",
    "enter the first three letters of your party's last name use the seven key for queue and the nine key for zee",
    "Enter the first three letters of the person's name, using the 7 key for cue, and the 9 key for the.",
    'Please spell the last name with your keypad. For Q, use the 7 key. For Z, use 9.',
    'Enter the first few letters of the last name. Press 7 for Q and 9 for Z.',
  ])
    it(`doesn't offer the keys of letters: ${text}`, () => {
      assert.equal(options(text), '');
      assert.notEqual(readMenu(text).input, null);
    });

  it('offers keys beside an entry of letters', () =>
    assert.equal(
      options('Enter the first three letters of the last name. For the operator, press 0. Press 7 for sales.'),
      '0 operator, 7 sales',
    ));
});

describe('phrases that a prompt lets callers say', () => {
  for (const [title, text, expected] of [
    ['reads samples without "say"', 'I can help with things like billing, or a refund.', 'billing, a refund'],
    ['reads examples after an open question', 'Tell me why you called. For example, "pay my bill".', 'pay my bill'],
    ['reads the numbers that may be spoken', 'press or say 1 for yes, 2 for no', 'one, two'],
    [
      'separates phrases whose comma is missing',
      'You can say billing technical support, moving, or cancel my service.',
      'billing, technical support, moving, cancel my service',
    ],
    [
      'keeps two words that belong together',
      'Say parking permits, lost cards, or sales.',
      'parking permits, lost cards, sales',
    ],
    [
      'reads "see" for "say" before a list',
      'Welcome. You can see sales, claims, or repairs.',
      'sales, claims, repairs',
    ],
    ['reads no phrases from what can be seen', 'You can see your bills, payments or usage online.', ''],
    ['reads no sample from a list of topics', 'For login support, like resetting a password, press 3.', ''],
  ] as const)
    it(title, () => assert.equal(readMenu(text).speech.join(', '), expected));
});

describe('a phrase that the next prompt repeats in part', () => {
  it('becomes two phrases', () => {
    assert.deepEqual(partedByEcho('council tax housing', 'Council tax. You can say pay or dispute.'), [
      'council tax',
      'housing',
    ]);
    assert.deepEqual(partedByEcho('sales prepares', 'OK, sales. Please hold.'), ['sales', 'prepares']);
  });

  it('stays one if the prompt repeats all of it, or says something else', () => {
    for (const heard of [
      'Council tax housing. Please hold.',
      'Council tax is due on Monday.',
      'Housing. Please hold.',
      '',
    ])
      assert.deepEqual(partedByEcho('council tax housing', heard), [], heard);
  });
});

describe('staying on the line', () => {
  for (const text of [
    'Hang on, please.',
    'Stay right there.',
    'for sales press one otherwise just hang on',
    'Sit tight.',
  ])
    it(`counts as offered in "${text}"`, () => assert.equal(readMenu(text).stayOnLine, true));
  for (const text of ['If that can wait until Monday, press 1.', 'Wait for the beep.', 'To hold, press 1.'])
    it(`doesn't count as offered in "${text}"`, () => assert.equal(readMenu(text).stayOnLine, false));
});

describe('the key that repeats a prompt', () => {
  it('can have other wordings', () =>
    assert.equal(readMenu('For sales, press 1. If you missed any of that, press star.').repeatKey, '*'));

  it("doesn't repeat a voicemail", () =>
    assert.equal(readMenu('Press 4 to hear your message again, 5 to send it.').repeatKey, null));
});

describe('the uncertainty of a reading', () => {
  it('says that labels can belong to the next key', () =>
    assert.deepEqual(readMenu('For tea. Press 1 for coffee. Press 2.').unsure, ['labels']));

  it('says that a word only sounds like a key', () =>
    assert.deepEqual(readMenu('To go back, press start.').unsure, ['keys']));

  it('says that two keys can be one choice', () => {
    for (const heard of ['Press star 1 for sales, star 2 for support.', 'Press 1 then pound for sales.'])
      assert.deepEqual(readMenu(heard).unsure, ['labels']);
  });

  it('says that two digits can be two options', () => {
    const heard = 'To cancel your order press 12 for opening hours 3 for directions.';
    assert.deepEqual(readMenu(heard).unsure, ['labels']);
  });

  it('says that a key is offered for two things', () => {
    for (const heard of [
      'For opening hours, press 1. For locations, press 2. To close your account, press 1.',
      'Press 1 for opening hours. Press 2 for locations. Press 1 to close your account.',
      'For opening hours, press 1. For locations, press 2. You may close your account with the 1 key, or by pressing 1.',
    ]) {
      const { options: read, unsure } = readMenu(heard);
      assert.match(read[0]?.label ?? '', /^opening hours \/ .*close your account/, heard);
      assert.deepEqual(unsure, ['labels'], heard);
    }
  });

  it('arises if a step of a scale is also an option', () => {
    const { options: read, unsure } = readMenu(
      'On a scale of 1 to 5, how happy are you? To close your account, press 1.',
    );
    assert.match(read[0]?.label ?? '', /close your account/);
    assert.deepEqual(unsure, ['labels']);
  });

  it("doesn't arise if a repeated menu is heard a little differently", () => {
    const heard =
      'For fares and passes, press 1. For sales, press 2. For fairs and passes, press 1. For sale, press 2.';
    assert.equal(readMenu(heard).unsure, undefined);
  });

  it("doesn't arise if a key is offered again with the same words, or with more of them", () =>
    assert.deepEqual(readMenu('For hours, press 1. For sales, press 2. To hear our hours again, press 1.'), {
      ...readMenu('To hear our hours again, press 1. For sales, press 2.'),
    }));

  it("doesn't arise if the prompt is clear", () =>
    assert.equal('unsure' in readMenu('For tea, press 1. For coffee, press 2.'), false));
});
