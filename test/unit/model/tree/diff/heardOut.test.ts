import assert from 'node:assert/strict';
import { similarityOfTokens } from '../../../../../src/model/heard/similarity.ts';
import { heardOut, mayBeHeardIn } from '../../../../../src/model/tree/diff/heardOut.ts';
import { SpokenText } from '../../../../../src/model/tree/diff/spokenText.ts';
import { different, same } from '../../heard/similarityPairs.ts';

describe('a full comparison of two texts', () => {
  it('takes place for all similar texts', () => {
    for (const least of [0.7, 0.8])
      for (const { expected, heard } of [...same, ...different]) {
        const [one, other] = [new SpokenText(expected), new SpokenText(heard)];
        for (const [a, b] of [
          [one, other],
          [other, one],
        ] as const) {
          if (similarityOfTokens(a.tokens, b.tokens).score >= least)
            assert.ok(mayBeHeardIn(a, b, least), `${a.text} | ${b.text}`);
        }
      }
  });

  it('returns the lower of both directions, with a star for the key', () => {
    const [one, other] = [
      new SpokenText('Please log in to your voicemail, or press *.'),
      new SpokenText('please login to your voice mail, or press star'),
    ];
    assert.ok((heardOut(one, other, 0.7) ?? 0) >= 0.98);
    assert.equal(heardOut(one, other, 0.7), heardOut(other, one, 0.7));
  });

  it("doesn't align texts that share too little, even if both say the same number", () => {
    const [one, other] = [
      new SpokenText('You have chosen branch 638364303. Please hold the line.'),
      new SpokenText('Unser Büro 638364303 öffnet morgen früh wieder gegen acht.'),
    ];
    assert.deepEqual([heardOut(one, other, 0.7), heardOut(other, one, 0.7)], [undefined, undefined]);
  });
});
