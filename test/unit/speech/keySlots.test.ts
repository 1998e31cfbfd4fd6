import assert from 'node:assert/strict';
import {
  evidentKeys,
  writeGrammar,
  keyWords,
  readSlots,
  divideIntoSlots,
  splitLeadingFor,
} from '../../../src/speech/keySlots.ts';

/** Returns the text if the last reading of each slot is heard, or these words. */
function heard(text: string, ...words: readonly string[]): string | undefined {
  return readSlots(divideIntoSlots(evidentKeys(text), true), words)
    ?.map((slot) => slot.text)
    .join(' ');
}

describe('keySlots', () => {
  it('lists every key if one is expected and none is written', () => {
    const slot = divideIntoSlots('Press mumble for help.', true)[1];
    assert.deepEqual(slot?.readings.slice(1).flat(), keyWords);
    assert.deepEqual(slot.readings[0], ['mumble']);
  });

  it('leaves recognised keys and other words alone', () => {
    for (const text of [
      'Press 1 for sales.',
      'Dial the extension now.',
      'Press the pound key.',
      'Please enter your account number.',
    ]) {
      assert.ok(
        divideIntoSlots(text, true).every(
          (slot) => slot.readings.length <= 2 && !slot.readings.flat().includes('seven'),
        ),
        text,
      );
    }
  });

  it('knows which words are keys at the end of an offer', () => {
    for (const [text, said] of [
      ['For rooms, select you.', 'two'],
      ['For rooms, choose free.', 'three'],
      ['Choose free for rooms.', 'three'],
    ] as const)
      assert.ok(
        divideIntoSlots(text, true).some(({ readings }) => readings.length === 1 && readings[0]?.[0] === said),
        text,
      );
    for (const text of ['You choose to stay.', 'Select for sales only.', 'We choose you for a survey today.'])
      assert.ok(
        divideIntoSlots(text, true).every(({ readings }) => !readings.flat().some((word) => keyWords.includes(word))),
        text,
      );
  });

  it('knows which words are always keys', () => {
    assert.equal(heard('Press start to return.', 'press', 'star', 'to', 'return'), 'Press star to return.');
    assert.equal(heard('the pan key.', 'the', 'pound', 'key'), 'the pound key.');
    assert.equal(heard('Pressed our for help', 'press', 'star', 'for', 'help'), 'Press star for help');
    assert.equal(evidentKeys('press to to send a page'), 'press two to send a page');
    assert.equal(evidentKeys('Press for for help.'), 'Press four for help.');
    assert.equal(
      evidentKeys('Press 74 new customers. Press 52 hear more.'),
      'Press 7 for new customers. Press 5 to hear more.',
    );
    assert.equal(
      heard('Press it for sales, or dial it now', 'press', 'eight', 'for', 'sales', 'or', 'dial', 'it', 'now'),
      'Press eight for sales, or dial it now',
    );
  });

  it('writes a key like the other keys of the text', () => {
    assert.equal(
      heard('Press 1 for A. Press mumble for B.', 'press', 'one', 'for', 'a', 'press', 'two', 'for', 'b'),
      'Press 1 for A. Press 2 for B.',
    );
    assert.equal(
      heard('Press one for A. Press mumble for B.', 'press', 'one', 'for', 'a', 'press', 'two', 'for', 'b'),
      'Press one for A. Press two for B.',
    );
  });

  it('splits words that were run together before a label', () => {
    const words = new Set(['billing', 'forward', 'ward']);
    assert.equal(
      splitLeadingFor('Forbilling, go forward', (word) => words.has(word)),
      'For billing, go forward',
    );
  });

  it('writes a grammar of one sequence', () =>
    assert.match(
      writeGrammar(divideIntoSlots("Enter your party's PIN, 42", false)),
      /= enter your party's pin \(four two \| four two \| forty two\);$/,
    ));

  it('keeps numbers of several digits after a verb', () => {
    const grammar = writeGrammar(divideIntoSlots('For sales, press 10. For the fax, press 101.', true));
    assert.match(grammar, /press \(one zero \| one oh \| ten\) for the fax press \(.*one hundred and one\);$/);
  });

  it("reports if the heard words aren't those of the text", () =>
    assert.equal(heard('Press one.', 'press', 'two'), undefined));
});
