import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgeByRules } from '../../../../src/language/judge/judgeByRules.ts';
import { call, labelledCalls } from './labelledCalls.ts';

const verdict = (acceptance: string, ...lines: string[]): string => judgeByRules(call(...lines), acceptance).verdict;

describe('judging by rules', () => {
  it(`is never wrong on ${labelledCalls.length} labelled calls, and decides at least 60 %`, () => {
    const results = labelledCalls.map((one) => ({ ...one, ...judgeByRules(one.transcript, one.acceptance) }));
    const wrong = results.filter(({ verdict: given, label }) => given !== 'inconclusive' && given !== label);
    assert.deepEqual(
      wrong.map(({ acceptance, reasoning }) => `${acceptance} → ${reasoning}`),
      [],
    );
    const decided = results.filter(({ verdict: given }) => given !== 'inconclusive').length / results.length;
    assert.ok(
      decided >= 0.6,
      `decides ${(decided * 100).toFixed(0)} %; not: ${results
        .filter(({ verdict: given }) => given === 'inconclusive')
        .map(({ acceptance }) => acceptance)
        .join(' | ')}`,
    );
  });

  it('quotes its evidence, with times', () => {
    const { evidence } = judgeByRules(
      call('< Welcome.', '< Your balance is ten dollars, thank you.'),
      'Says "balance is ten dollars"',
    );
    assert.deepEqual(
      evidence.map(({ quote }) => quote),
      ['balance is ten dollars'],
    );
    const [one] = evidence;
    assert.ok(one?.startMs !== undefined && one.startMs > 5000 && (one.endMs ?? 0) < 9000);
  });

  it('recommends quotation marks only for a criterion that has none', () => {
    const advice = (acceptance: string): string => judgeByRules(call('< Welcome.'), acceptance).reasoning;
    assert.match(advice('The voice is friendly.'), /in quotation marks/);
    for (const quoted of [
      'Says "welcome" like a friend would.',
      'The voice sounds “friendly”.',
      "It sounds like 'no thanks'.",
    ]) {
      assert.match(advice(quoted), /Set up a language model/);
      assert.doesNotMatch(advice(quoted), /quotation marks/);
    }
    assert.match(advice('Says "welcome" like a friend would. The voice is friendly.'), /in quotation marks/);
  });

  it('says how to get a verdict if it gives none', () => {
    const { verdict: given, reasoning } = judgeByRules(call('< Welcome.'), 'The voice is friendly.');
    assert.equal(given, 'inconclusive');
    assert.match(reasoning, /The voice is friendly.*Set up a language model/);
  });

  for (const [title, acceptance, lines, expected] of [
    [
      'a number said in words is the number',
      'says "your balance is 42 dollars"',
      ['< Your balance is forty two dollars.'],
      'pass',
    ],
    [
      'another number is not decided: it may be misheard',
      'says "your balance is 42 dollars"',
      ['< Your balance is 43 dollars.'],
      'inconclusive',
    ],
    ['a negated phrase is not the phrase', 'says "approved"', ['< Your payment was not approved.'], 'inconclusive'],
    [
      'a condition is not the phrase',
      'says "your account is locked"',
      ['< If your account is locked, press 1.'],
      'inconclusive',
    ],
    [
      'a phrase over two utterances counts',
      'says "thank you for calling acme"',
      ['< Thank you for', '< calling Acme.'],
      'pass',
    ],
    ['word order counts', 'says "agent available"', ['< Available agents are few.'], 'inconclusive'],
    [
      'an order of phrases the wrong way round fails',
      'says "one moment" then "welcome"',
      ['< Welcome.', '< One moment.'],
      'fail',
    ],
    ['any of two', 'says "hello" or "welcome"', ['< Welcome to Acme.'], 'pass'],
    ['all of two', 'says "hello" and "welcome"', ['< Welcome to Acme.'], 'fail'],
    ['and mixed with or is not clear', 'says "hello" and "welcome" or "hi"', ['< Welcome to Acme.'], 'inconclusive'],
    [
      'an exception takes a failure back',
      'Says "hello". Otherwise it must apologise.',
      ['< Welcome to Acme.'],
      'inconclusive',
    ],
    [
      'a readable failure decides beside an unreadable part',
      'Says "hello". The tone is warm.',
      ['< Welcome to Acme.'],
      'fail',
    ],
    ['an unreadable part holds up a pass', 'Says "welcome". The tone is warm.', ['< Welcome to Acme.'], 'inconclusive'],
    [
      'our own words prove nothing',
      'says "balance"',
      ['< Welcome to Acme.', '> What is my balance?', '< We are closed. Goodbye.'],
      'fail',
    ],
    [
      'what may still have come is not denied',
      'says "balance"',
      ['< Welcome to Acme.', '> What is my balance?'],
      'inconclusive',
    ],
    [
      'a greeting alone may be a recording',
      'reaches a person',
      ['< Hello, this is Acme Bank, how may I help you?'],
      'inconclusive',
    ],
    [
      'a transfer alone is no person',
      'reaches an agent',
      ['< Transferring you to an agent.', '< Please hold.'],
      'inconclusive',
    ],
    [
      'an offered transfer is no transfer',
      'The caller is transferred to an agent',
      ['< To be transferred to an agent press 1.', '< Goodbye.'],
      'fail',
    ],
    [
      'masked digits are not guessed',
      'reads back the digits the caller entered',
      ['> [keys ••••]', '< You entered 1 2 3 4.'],
      'inconclusive',
    ],
    [
      'fail if, with two conditions, is not taken apart',
      'Fail if the IVR says "hello" and asks for a PIN',
      ['< Hello.'],
      'inconclusive',
    ],
    ['a misheard word is not a failure', 'says "mortgage"', ['< For a mortage press 1.'], 'inconclusive'],
    ['an opposite is no mishearing', 'must say "your payment was approved"', ['< Your payment was declined.'], 'fail'],
    [
      'a menu option is no balance',
      'tells the account balance',
      ['< For your account balance, press 1.', '< Goodbye.'],
      'fail',
    ],
    [
      'hours without a clock are not denied',
      'tells the opening hours',
      ['< We are open around the clock.'],
      'inconclusive',
    ],
    ['another farewell is not decided', 'says goodbye', ['< Thank you for calling.'], 'inconclusive'],
    [
      'digits that became other words are not denied',
      'reads back the digits the caller entered',
      ['> [keys 1234]', '< You entered wan tree fall.'],
      'inconclusive',
    ],
    ['a secret code is a PIN', 'must not ask for a PIN', ['< Please enter your secret code.'], 'fail'],
    [
      'what is asked for in other words is not denied',
      'must not ask for a PIN',
      ['< Please enter the four digits that we sent you.'],
      'inconclusive',
    ],
    [
      'anything is not one thing',
      'It does not ask for anything personal',
      ['< Please enter your account number.'],
      'inconclusive',
    ],
    [
      'a condition before it is not read over',
      'If the PIN is wrong, the IVR says "try again"',
      ['< Welcome.'],
      'inconclusive',
    ],
    [
      'a double negation is not read over',
      'It must not be the case that the IVR says "welcome"',
      ['< Welcome.'],
      'inconclusive',
    ],
    ['something like a phrase is not the phrase', 'says something like "hello"', ['< Welcome.'], 'inconclusive'],
    [
      'another language is not read',
      'Die Ansage sagt das Guthaben',
      ['< Ihr Guthaben beträgt zehn Euro.'],
      'inconclusive',
    ],
  ] as const)
    it(title, () => {
      assert.equal(verdict(acceptance, ...lines), expected, judgeByRules(call(...lines), acceptance).reasoning);
    });

  for (const [title, acceptance, lines, expected] of [
    [
      'words that had not come',
      'The IVR says "your credit line is"',
      ['< Welcome to the bank. For accounts, press 1. For cards, press 2.'],
      'inconclusive',
    ],
    [
      'an option that no menu had',
      'The menu offers "mortgages".',
      ['< For accounts, press 1. For cards, press 2.'],
      'inconclusive',
    ],
    [
      'what must not come',
      'The caller must not be asked for a PIN.',
      ['< Welcome to the bank. For accounts, press 1. For cards, press 2.'],
      'inconclusive',
    ],
    [
      'an option to leave a message, which ends nothing',
      'The IVR says "your credit line is"',
      ['< For accounts, press 1. To leave a message, press 2.'],
      'inconclusive',
    ],
    [
      'our own goodbye',
      'The IVR says "your credit line is"',
      ['< For accounts, press 1.', '> Goodbye.'],
      'inconclusive',
    ],
    ['an end that they told', 'The IVR says "your credit line is"', ['< We are closed. Goodbye.'], 'fail'],
    [
      'a goodbye to who did not answer in time',
      'The IVR says "your credit line is"',
      ['< For accounts, press 1.', '< We did not receive your selection. Goodbye.'],
      'inconclusive',
    ],
    ['what came', 'The IVR says "for accounts"', ['< For accounts, press 1.'], 'pass'],
    [
      'the contrary',
      'The IVR says "your payment was approved"',
      ['< Your payment was declined. For accounts, press 1.'],
      'fail',
    ],
  ] as const)
    it(`returns ${expected} for a call that our caller left, with ${title}`, () => {
      assert.equal(judgeByRules(call(...lines), acceptance, { gaveUp: true }).verdict, expected);
    });

  it('judges nothing if nothing was heard', () => {
    for (const acceptance of ['must not say "error"', 'says "welcome"']) {
      const judged = judgeByRules(call('> hello?', '<  ', '< ...'), acceptance);
      assert.deepEqual([judged.verdict, judged.nothingHeard], ['inconclusive', true]);
    }
  });

  it("never throws, and never passes on words that weren't said, for any texts", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.string({ maxLength: 80 }), { maxLength: 4 }),
        (acceptance, texts) => {
          judgeByRules(
            texts.map((text) => ({ speaker: 'them' as const, text })),
            acceptance,
          );
          const judged = judgeByRules(
            [{ speaker: 'them', text: `Welcome. ${texts.join(' ').replaceAll(/zebra/gi, '')}` }],
            'The IVR says "zebra crossing zebra crossing"',
          );
          assert.notEqual(judged.verdict, 'pass');
        },
      ),
      { numRuns: 300 },
    );
  });
});
