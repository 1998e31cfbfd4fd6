import assert from 'node:assert/strict';
import { MenuLanguage } from '../../../../src/speech/menuLanguage.ts';
import { roughPronunciation } from '../../../../src/speech/pronounce.ts';
import { decide } from '../../../../src/speech/keys/decideKeys.ts';
import { slotsOf, type WordSlot } from '../../../../src/speech/keys/slots.ts';
import { SoundOfKeys } from '../../../../src/speech/keys/soundOfKeys.ts';
import { wordTable } from '../../../../src/base/wordTable.ts';

/** Pronunciations from the dictionary; for other words the spelling suffices. */
const dictionary = wordTable<string>({
  press: 'P R EH S',
  dial: 'D AY AH L',
  zero: 'Z IH R OW',
  one: 'W AH N',
  two: 'T UW',
  three: 'TH R IY',
  four: 'F AO R',
  five: 'F AY V',
  six: 'S IH K S',
  seven: 'S EH V AH N',
  eight: 'EY T',
  nine: 'N AY N',
  star: 'S T AA R',
  pound: 'P AW N D',
  free: 'F R IY',
  die: 'D AY',
  late: 'L EY T',
  choose: 'CH UW Z',
  select: 'S AH L EH K T',
  do: 'D UW',
  you: 'Y UW',
  for: 'F AO R',
  to: 'T UW',
  are: 'AA R',
  all: 'AO L',
});
const language = new MenuLanguage(
  [
    'for billing press one',
    'for billing press two',
    'for support press two',
    'for sales press three',
    'to hear this again dial eight',
    'we apologise for the delay',
  ].join('\n\n'),
);
const keys = new SoundOfKeys(
  (word) => (dictionary[word] ?? roughPronunciation(word)).split(' ').filter((sound) => sound !== ''),
  language,
);

const none = { verb: 'press', keys: [] as readonly string[] };

const decided = (text: string, before: typeof none = none): WordSlot[] =>
  decide(slotsOf(text), keys.candidates(slotsOf(text), before));
const mend = (text: string, before = none): string =>
  decided(text, before)
    .map(({ shown }) => shown)
    .join(' ');

describe('speech: options with a misheard key', () => {
  it('replace the last words by the key that they sound like', () => {
    const heard = {
      'For billing, stress-free.': 'For billing, press three.',
      'For billing, dress free. For sales, press four.': 'For billing, press three. For sales, press four.',
      'If you have a question, rest six.': 'If you have a question, press six.',
      'To hear this again, die late.': 'To hear this again, dial eight.',
      'for billing dress one for sales stress nine to go back press star':
        'for billing press one for sales press nine to go back press star',
    };
    for (const [text, mended] of Object.entries(heard)) assert.equal(mend(text), mended);
  });

  it('use the verb and the next key of the menu', () => {
    const before = { verb: 'choose', keys: ['one'] };
    const heard = {
      'For billing to do.': 'For billing choose two.',
      'For billing, choose two. For sales, to, three.': 'For billing, choose two. For sales, choose three.',
      'First sales you do.': 'First sales choose two.',
    };
    for (const [text, mended] of Object.entries(heard)) assert.equal(mend(text, before), mended);
    for (const text of ['For billing to do.', 'First sales you do.']) assert.equal(mend(text), text);
    const later = { verb: 'choose', keys: ['four'] };
    assert.equal(mend('For billing to do.', later), 'For billing to do.');
  });

  it('follow the last key that another verb than "press" offers', () => {
    const before = { verb: 'choose', keys: ['one'] };
    assert.equal(mend('For sales, press one. For billing to do.', before), 'For sales, press one. For billing to do.');
    assert.equal(mend('Welcome. For billing to do.', before), 'Welcome. For billing choose two.');
    assert.equal(mend('For sales, choose 1. For billing to do.'), 'For sales, choose 1. For billing choose 2.');
  });

  it('include all keys that sound equally similar', () => {
    const slots = decided('For billing, dials are.');
    assert.deepEqual(
      slots.map(({ shown }) => shown),
      ['For', 'billing,', 'dial', 'star.'],
    );
    assert.ok(slots.at(-1)?.others.every(({ said }) => said.length === 1));
  });

  it('leave other texts and complete options alone', () => {
    for (const text of [
      'For billing, press two. For sales, press 10.',
      'We are open from nine to five.',
      'We apologise for the delay.',
      'For billing, press 1, or press 2 for sales.',
      'to erase it press one to keep it press two',
      'Your total is free. Press three.',
      'On a scale of one to five, where five is best.',
      '',
    ])
      assert.deepEqual([mend(text), decided(text)], [text, slotsOf(text)]);
  });
});
