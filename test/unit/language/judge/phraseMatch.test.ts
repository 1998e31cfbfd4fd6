import assert from 'node:assert/strict';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import { evaluate } from '../../../../src/language/checks/evaluate.ts';
import { hearCall } from '../../../../src/language/checks/heardCall.ts';
import { matchPhrase, wordsOfTurns } from '../../../../src/language/heard/phraseMatch.ts';
import { similarity } from '../../../../src/model/heard/similarity.ts';
import { otherwise, written } from '../../model/heard/writtenPairs.ts';

const heard = (text: string): Turn[] => [{ speaker: 'them', text: `Thank you for calling. ${text}. Goodbye.` }];
const verdict = (phrase: string, text: string, kind: 'says' | 'neverSays' = 'says'): string | undefined =>
  evaluate([{ kind, text: phrase }], hearCall({ turns: heard(text) }))[0]?.verdict;

describe('words as they are written and said', () => {
  it('has at least 80 pairs', () => assert.ok(written.length >= 80 && otherwise.length >= 20));

  for (const { expected, heard: said } of written)
    it(`match for scripts and missions: ${expected} = ${said}`, () => {
      assert.ok(similarity(expected, said).score >= 0.97, 'script, written');
      assert.ok(similarity(said, expected).score >= 0.97, 'script, said');
      assert.deepEqual([verdict(expected, said), verdict(said, expected)], ['pass', 'pass'], 'mission');
    });

  for (const { expected, heard: said } of otherwise)
    it(`differ for scripts and missions: ${expected} ≠ ${said}`, () => {
      assert.ok(similarity(expected, said).score < 0.8, 'script');
      assert.notEqual(verdict(expected, said), 'pass', 'mission');
    });

  it('finds a text that ends within a span', () => {
    assert.equal(verdict('open from eight', 'We are open from 8 to 6.', 'neverSays'), 'fail');
    assert.equal(verdict('from Monday', 'Call us from Monday to Friday.'), 'pass');
  });

  it('finds a word that is written as a sign', () => {
    assert.equal(verdict('dollars', 'Your balance is $200'), 'pass');
    assert.equal(verdict('percent', 'Your rate is 5%'), 'pass');
    assert.equal(verdict('dollars', 'You have $200', 'neverSays'), 'fail');
  });

  it('quotes whole written words without the punctuation around them', () => {
    const quote = (phrase: string, text: string): string | undefined =>
      matchPhrase(phrase, wordsOfTurns([{ speaker: 'them', text }])).evidence[0]?.quote;
    assert.equal(quote('two hundred dollars', 'Well, you have ($200), today.'), '$200');
    assert.equal(quote('five percent', 'The rate is “5%”.'), '5%');
    assert.equal(quote('the third of May', 'Come on May 3rd, please.'), 'May 3rd');
  });
});
