import assert from 'node:assert/strict';
import type { Candidate } from '../../../../src/speech/keys/candidates.ts';
import { decide } from '../../../../src/speech/keys/decideKeys.ts';
import { keyWords } from '../../../../src/speech/keys/keyWords.ts';
import { divideJoined, readSlots, slotsOf, writeGrammar, type WordSlot } from '../../../../src/speech/keys/slots.ts';
import { weights } from '../../../../src/speech/keys/weights.ts';
import { wordCandidates } from '../../../../src/speech/keys/wordCandidates.ts';

const shownIn = (slots: readonly WordSlot[]): string => slots.map(({ shown }) => shown).join(' ');

/** Returns what the words of a text leave to the ear. */
function divided(text: string, isMenuWord: (word: string) => boolean = () => true): WordSlot[] {
  const decided = decide(slotsOf(text), wordCandidates(slotsOf(text), isMenuWord, 'table'));
  return decide(decided, wordCandidates(decided, isMenuWord, 'grammar'));
}
const othersIn = (slots: readonly WordSlot[]): string[] =>
  slots.flatMap(({ others }) => others.map(({ said }) => said.join(' ')));

/** Returns the text if these words are heard. */
const heard = (text: string, ...words: readonly string[]): string | undefined =>
  readSlots(divided(text), words)
    ?.map((slot) => slot.text)
    .join(' ');

describe('words that may be keys', () => {
  it('leave every key to the ear if one is expected and none is written', () => {
    const slot = divided('Press mumble for help.')[1];
    assert.deepEqual(slot?.own, [['mumble']]);
    assert.deepEqual(othersIn([slot]), keyWords);
  });

  it("leave only keys to the ear if menus don't use the word, and write none without it", () => {
    const slots = divided('Press dar for help.', (word) => word !== 'dar');
    assert.deepEqual([slots[1]?.own, othersIn(slots)], [[], keyWords]);
    assert.equal(shownIn(slots), 'Press dar for help.');
  });

  it('exclude recognised keys and other words', () => {
    for (const text of [
      'Press 1 for sales.',
      'Dial the extension now.',
      'Press the pound key.',
      'Please enter your account number.',
      'You choose to stay.',
      'Select for sales only.',
      'We choose you for a survey today.',
      'You pressed two.',
    ])
      assert.deepEqual([shownIn(divided(text)), othersIn(divided(text))], [text, []]);
  });

  it('become keys if they can only be a key', () => {
    for (const [text, said] of [
      ['Press start to return.', 'Press star to return.'],
      ['the pan key.', 'the pound key.'],
      ['Pressed our for help', 'Press star for help'],
      ['press to to send a page', 'press two to send a page'],
      ['Press for for help.', 'Press four for help.'],
      ['Dialed 2 now. Press, you.', 'Dial 2 now. Press, 2.'],
      ['press a for help', 'press eight for help'],
      ['For to reach us. Wait.', 'Four to reach us. Wait.'],
      ['For rooms, select you.', 'For rooms, select two.'],
      ['For rooms, choose free.', 'For rooms, choose three.'],
      ['Choose free for rooms.', 'Choose three for rooms.'],
    ] as const)
      assert.deepEqual([shownIn(divided(text)), othersIn(divided(text))], [said, []]);
  });

  it('take the form of the other keys of the text', () => {
    const said = 'press two for b';
    assert.equal(
      heard('Press 1 for A. Press mumble for B.', 'press', 'one', 'for', 'a', ...said.split(' ')),
      'Press 1 for A. Press 2 for B.',
    );
    assert.equal(
      heard('Press one for A. Press mumble for B.', 'press', 'one', 'for', 'a', ...said.split(' ')),
      'Press one for A. Press two for B.',
    );
    assert.equal(
      heard('Press it for sales, or dial it now', ...'press eight for sales or dial it now'.split(' ')),
      'Press eight for sales, or dial it now',
    );
  });
});

describe('the decision about a place', () => {
  const candidate = (said: string, logOdds: number, width = 1): Candidate => ({
    atWord: 3 - width,
    width,
    said: said.split(' '),
    by: 'sound',
    logOdds,
  });
  const decideFor = (...candidates: readonly Candidate[]): WordSlot[] => decide(slotsOf('For us to.'), candidates);

  it('adds the log odds of all candidates for the same words', () => {
    const half = weights.margin * 0.75;
    assert.equal(shownIn(decideFor(candidate('two', half))), 'For us to.');
    assert.equal(shownIn(decideFor(candidate('two', half), candidate('two', half))), 'For us two.');
  });

  it('leaves what is near the best to the ear, in one slot if the words overlap', () => {
    const slots = decideFor(candidate('two', 5), candidate('press two', 9, 2), candidate('press star', 9, 3));
    assert.match(
      writeGrammar(slots),
      /= \(\/1\/ for us to \| \/\d+\/ for press two \| \/\d+\/ press star \| .* for us two\)/,
    );
    const near = decideFor(candidate('press two', weights.certain, 2), candidate('press star', weights.certain - 1, 2));
    assert.deepEqual([shownIn(near), othersIn(near)], ['For press two.', ['star']]);
  });
});

describe('the slots of a text', () => {
  it('split words that were run together', () => {
    const words = new Set(['billing', 'forward', 'ward']);
    assert.equal(
      divideJoined('Forbilling, go forward. Press 74 new customers. Press 52 hear more.', (word) => words.has(word)),
      'For billing, go forward. Press 7 for new customers. Press 5 to hear more.',
    );
  });

  it('make a grammar of one sequence', () =>
    assert.match(
      writeGrammar(slotsOf("Enter your party's PIN, 42")),
      /= enter your party's pin \(four two \| four two \| forty two\);$/,
    ));

  it('keep numbers of several digits after a verb', () => {
    const grammar = writeGrammar(divided('For sales, press 10. For the fax, press 101.'));
    assert.match(grammar, /press \(one zero \| one oh \| ten\) for the fax press \(.*one hundred and one\);$/);
  });

  it("report if the heard words aren't theirs", () => assert.equal(heard('Press one.', 'press', 'two'), undefined));
});
