import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ReferencePrompts } from '../../../../src/engine/load/referencePrompts.ts';
import type { ReferencePrompt } from '../../../../src/engine/load/reference.ts';
import { fingerprintOf } from '../../../../src/speech/fingerprint.ts';
import { distinctSound as sound } from '../../../support/distinctSound.ts';

const prompt = (text: string, seed: number, varies?: ReferencePrompt['varies']): ReferencePrompt => ({
  text,
  words: [{ text, startMs: 0, endMs: 900 }],
  fingerprint: fingerprintOf(sound(seed)),
  ...(varies && { varies }),
});
const textsOf = (prompts: readonly ReferencePrompt[], ...heard: readonly (readonly [seed: number, ms?: number])[]) => {
  const known = new ReferencePrompts({ prompts });
  return heard.map(([seed, ms = 1000]) => known.understand(sound(seed, ms), ms)?.text);
};

describe('the prompts of a reference', () => {
  const balance = [prompt('Your balance is', 1), prompt('ten', 2, {}), prompt('dollars', 3, {}), prompt('Goodbye', 4)];

  it('give the text for a known sound', () =>
    assert.deepEqual(textsOf(balance, [1], [4], [9]), ['Your balance is', 'Goodbye', undefined]));

  it('give the text for a varying sound by its place, in any number of pieces', () => {
    assert.deepEqual(textsOf(balance, [1], [21], [4]), ['Your balance is', 'ten dollars', 'Goodbye']);
    assert.deepEqual(textsOf(balance, [1], [21], [22], [23], [4]), [
      'Your balance is',
      'ten dollars',
      '',
      '',
      'Goodbye',
    ]);
  });

  it('give no text at another place, or for a sound that is far too long', () => {
    assert.deepEqual(textsOf(balance, [21]), [undefined]);
    assert.deepEqual(textsOf(balance, [1], [21, 9000]), ['Your balance is', undefined]);
  });

  it('give the text by its place even if one of the pieces is the same again', () => {
    assert.deepEqual(textsOf(balance, [1], [2], [31], [4]), ['Your balance is', 'ten dollars', '', 'Goodbye']);
    assert.deepEqual(textsOf(balance, [1], [31], [3], [4]), ['Your balance is', 'ten dollars', '', 'Goodbye']);
  });

  it('have their own words at each place, even after the same prompt', () => {
    const twice = [
      prompt('You have', 1),
      prompt('ten dollars', 2, {}),
      prompt('Menu', 5),
      prompt('You have', 1),
      prompt('two messages', 3, {}),
    ];
    assert.deepEqual(textsOf(twice, [1], [31], [5], [1], [32]), [
      'You have',
      'ten dollars',
      'Menu',
      'You have',
      'two messages',
    ]);
  });

  it('distinguish a sound without words from the beginning of a call', () => {
    const beep = [prompt('Welcome', 6), prompt('', 8), prompt('ten dollars', 2, {})];
    assert.deepEqual(textsOf(beep, [31], [8], [32]), [undefined, '', 'ten dollars']);
    const beeps = [prompt('', 8), prompt('ten dollars', 2, {}), prompt('', 9), prompt('Goodbye', 4)];
    assert.deepEqual(textsOf(beeps, [8], [32], [9], [33]), ['', 'ten dollars', '', undefined]);
  });

  it('can vary from the beginning of a call', () =>
    assert.deepEqual(textsOf([prompt('Good morning', 5, {}), prompt('Welcome', 6)], [31], [6]), [
      'Good morning',
      'Welcome',
    ]));

  it('give the text by its beginning if only that is always the same', () => {
    const beginning = fingerprintOf(sound(7, 800));
    const varying = [prompt('Welcome', 6), prompt('You are number three', 7, { beginning })];
    const known = new ReferencePrompts({ prompts: varying });
    const other = Int16Array.from([...sound(7, 800), ...sound(40, 900)]);
    assert.equal(known.understand(other, 1700)?.text, 'You are number three');
    assert.equal(known.understand(sound(41), 1000), undefined);
    const endless = Int16Array.from([...sound(7, 800), ...sound(40, 9000)]);
    assert.equal(known.understand(endless, 9800), undefined, 'far too long');
  });
});
