import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expectsWords, similarity, similaritySliced } from '../../../../src/model/heard/similarity.ts';
import { different, same } from './similarityPairs.ts';
import { listed } from '../../../support/listed.ts';

const score = (expected: string, heard: string): number => similarity(expected, heard).score;
const differences = (expected: string, heard: string): string[] =>
  similarity(expected, heard)
    .words.filter(({ outcome, contradicts }) => outcome !== 'same' || contradicts)
    .map((word) => `${word.expected}/${word.heard} ${word.outcome}${word.contradicts ? '!' : ''}`);

/** Words of prompts that aren't numbers, denials, or mutually exclusive. */
const prompt = listed(`
  for billing press sales please the your account balance is to an agent thank you calling bank stay on line recorded
  call
`);
const counted = [
  ...prompt,
  ...listed(`
  1 | two | $200 | not | no | 9 am | Monday | log in | voicemail | twenty-four | 2nd | available | unavailable |
  one, | hundred. | oh
`),
];
const around = ['weather', 'garden', 'mountain', 'window', 'yellow', 'river', 'kitchen', 'and', 'the', 'music'];
const wordsOf = (words: readonly string[], least: number, most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { minLength: least, maxLength: most }).map((list) => list.join(' '));

describe('the similarity of expected and heard text', () => {
  for (const { expected, heard } of same) {
    it(`finds "${expected}" in "${heard}"`, () =>
      assert.ok(
        score(expected, heard) >= 0.8,
        `${score(expected, heard)}: ${differences(expected, heard).join(', ')}`,
      ));
  }
  for (const { expected, heard } of different) {
    it(`doesn't find "${expected}" in "${heard}"`, () =>
      assert.ok(score(expected, heard) < 0.8, `${score(expected, heard)}: ${differences(expected, heard).join(', ')}`));
  }

  it('reaches 1 for the same text', () =>
    fc.assert(
      fc.property(fc.oneof(wordsOf(counted, 1, 30), fc.string({ unit: 'binary' }), fc.string()), (text) =>
        assert.equal(score(text, text), 1),
      ),
    ));

  it('stays between 0 and 1', () =>
    fc.assert(
      fc.property(wordsOf(counted, 0, 15), wordsOf(counted, 0, 25), (expected, heard) => {
        const { score: found, window, words } = similarity(expected, heard);
        assert.ok(found >= 0 && found <= 1, String(found));
        assert.ok(window.start >= 0 && window.start <= window.end && window.end <= heard.split(/\s+/).length);
        assert.ok(words.every(({ at }) => at === undefined || (at.start >= window.start && at.end <= window.end)));
      }),
    ));

  // The score of very different texts can drop: added words fit if nothing else does.
  it('still passes a match with other words before and after', () => {
    const changed = fc.tuple(
      fc.array(fc.constantFrom(...prompt), { minLength: 1, maxLength: 14 }),
      fc.array(fc.tuple(fc.nat(13), fc.constantFrom('', ...prompt)), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(changed, wordsOf(around, 0, 8), wordsOf(around, 0, 8), ([words, changes], before, after) => {
        const heard = words.map((word, at) => changes.find(([place]) => place === at)?.[1] ?? word).join(' ');
        if (score(words.join(' '), `${heard}.`) < 0.8) return;
        assert.ok(score(words.join(' '), `${before}. ${heard}. ${after}`) >= 0.8 - 1e-6);
      }),
    );
  });

  it('ignores case and punctuation', () =>
    fc.assert(
      fc.property(wordsOf(prompt, 1, 12), wordsOf(prompt, 1, 12), (expected, heard) =>
        assert.ok(Math.abs(score(expected, heard) - score(expected.toUpperCase(), heard.replaceAll(' ', ', '))) < 1e-6),
      ),
    ));

  it('gives the matched range in words of the text', () => {
    const heard = 'Welcome to Acme. For billing, press one. For sales, press two hundred. Goodbye.';
    assert.deepEqual(similarity('For sales press 200', heard).window, { start: 7, end: 12 });
    assert.equal(heard.split(' ').slice(7, 12).join(' '), 'For sales, press two hundred.');
    assert.deepEqual(similarity('For sales press 200', heard.split(' ')).window, { start: 7, end: 12 });
    assert.deepEqual(similarity('Welcome', '').window, { start: 0, end: 0 });
  });

  it('shows the words in pairs', () => {
    assert.deepEqual(similarity('For billing, press 1', 'Well, for our billing press two').words, [
      { expected: 'For', heard: 'for', outcome: 'same', contradicts: false, at: { start: 1, end: 2 } },
      { expected: '', heard: 'our', outcome: 'extra', contradicts: false, at: { start: 2, end: 3 } },
      { expected: 'billing,', heard: 'billing', outcome: 'same', contradicts: false, at: { start: 3, end: 4 } },
      { expected: 'press', heard: 'press', outcome: 'same', contradicts: false, at: { start: 4, end: 5 } },
      { expected: '1', heard: 'two', outcome: 'wrong', contradicts: true, at: { start: 5, end: 6 } },
    ]);
    assert.deepEqual(differences('Hello and welcome', ''), ['Hello/ missing', 'and/ missing', 'welcome/ missing']);
    assert.deepEqual(differences('Please hold the line', 'please hold the lion'), []);
    assert.deepEqual(differences('all representatives', 'all representative'), [
      'representatives/representative alike',
    ]);
  });

  it('matches any words for a star that stands alone', () => {
    assert.equal(score('Your balance is * dollars', 'Your balance is, I believe, not 5 but 7 dollars'), 1);
    assert.equal(score('Your balance is * dollars', 'Your balance is dollars'), 1);
    assert.equal(score('*', 'anything'), 1);
    assert.equal(score('*', ''), 0, 'any words are words');
    assert.deepEqual(['*', 'hello', '#'].map(expectsWords), [true, true, true]);
    assert.deepEqual(['', ' ', '...', 'um'].map(expectsWords), [false, false, false, false]);
    assert.deepEqual(similarity('* press 1 *', 'for sales press 1 thank you').window, { start: 2, end: 4 });
    assert.ok(score('press star', 'press *') === 1);
  });

  it('equals 1 if nothing is expected, and 0 if nothing is heard', () => {
    assert.equal(score('', 'hello'), 1);
    assert.equal(score(' … ', ''), 1);
    assert.equal(score('hello', ''), 0);
  });

  it('gives half a prompt about half', () => {
    const half = score(
      'For billing, press 1. For sales, press 2. For cards, press 3. For loans, press 4.',
      'for billing press one for sales press two',
    );
    assert.ok(half > 0.4 && half < 0.6, String(half));
  });

  it('penalises extra words inside slightly', () => {
    const one = score('For billing, press 1', 'for your billing press one');
    const many = score('For billing, press 1', 'for all of your many questions about billing please press one');
    assert.ok(one < 1 && one > 0.95 && many < one && many > 0.8, `${one} ${many}`);
  });

  it("doesn't mistake a condition for a denial", () => {
    assert.equal(score('Press 2 to continue', 'If not, press 2 to continue'), 1);
    assert.equal(score('Press 2 to continue', 'If you do not know it, press 2 to continue'), 1);
    assert.ok(score('Press 2 to continue', 'do not press 2 to continue') < 0.8);
  });

  it('finds the matching part of a long call', () => {
    const long = Array.from(
      { length: 300 },
      (_, index) => `Thank you for waiting, you are caller number ${index + 1} in the queue.`,
    ).join(' ');
    const { score: found, window } = similarity('You are caller number 217 in the queue', long);
    assert.equal(found, 1);
    assert.deepEqual(window, { start: 216 * 12 + 4, end: 217 * 12 });
  });

  it('yields after every few thousand pairs of words', () => {
    const words = (count: number): string =>
      Array.from({ length: count }, (_, index) => `word${'abcdefghij'[index % 10] ?? ''}`).join(' ');
    const work = similaritySliced(words(1300), words(1300));
    let turns = 0;
    while (work.next().done !== true) turns += 1;
    assert.ok(turns >= (1300 * 1300) / 30_000, `${String(turns)} turns`);
  });
});
