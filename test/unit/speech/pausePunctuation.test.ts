import assert from 'node:assert/strict';
import { punctuate } from '../../../src/speech/pausePunctuation.ts';

/** Words of 200 ms; `|` stands for a pause of 300 ms. */
function spoken(text: string): string {
  let at = 0;
  const words = [];
  for (const word of text.split(' ')) {
    if (word === '|') {
      at += 300;
      continue;
    }
    words.push({ text: word, startMs: at, endMs: at + 200 });
    at += 200;
  }
  return punctuate(words);
}

describe('punctuate', () => {
  it('follows the pauses', () => {
    assert.equal(
      spoken('for sales press one | for support press two.'),
      'for sales, press one. For support, press two.',
    );
    assert.equal(
      spoken('welcome | press one for sales, | press two for support'),
      'welcome. Press one for sales. Press two for support',
    );
    assert.equal(
      spoken('For new messages. Press one for old | messages press two'),
      'For new messages, press one. For old messages, press two.',
    );
  });

  it('ends a sentence after the whole number', () =>
    assert.equal(
      spoken('for sales press one hundred and two | for support press star nine | for claims press two'),
      'for sales, press one hundred and two. For support, press star nine. For claims, press two.',
    ));

  it("follows the menu's habit if there are no pauses", () => {
    assert.equal(spoken('For sales press one for support press two'), 'For sales, press one. For support, press two.');
    assert.equal(
      spoken('Welcome to Acme, press one for sales, press two for support'),
      'Welcome to Acme. Press one for sales. Press two for support',
    );
    assert.equal(
      spoken('Hello. For claims. Press 1 for bills. Press 2 or hold'),
      'Hello. For claims, press 1. For bills, press 2 or hold',
    );
  });

  it('keeps the habit of the others if there are pauses on both sides of a key', () =>
    assert.equal(
      spoken('Dial one | if you wish sales | dial two | if you wish support | dial three for more'),
      'Dial one if you wish sales. Dial two if you wish support. Dial three for more',
    ));

  it('leaves text without keys unchanged', () =>
    assert.equal(spoken('Please hold, your call is important.'), 'Please hold, your call is important.'));
});
