import assert from 'node:assert/strict';
import { menuText } from '../../../src/speech/assets/menuText.mjs';
import { MenuLanguage } from '../../../src/speech/menuLanguage.ts';

describe('MenuLanguage', () => {
  it('gives probabilities that add up to one over known and unknown words', () => {
    const text = 'press one for sales\npress two for support\n\npress three';
    const language = new MenuLanguage(text);
    const words = [...new Set(text.split(/\s+/)), '.'];
    for (const [older, newer] of [
      ['', ''],
      ['press', 'one'],
      ['two', 'for'],
      ['for', 'nothing'],
    ] as const) {
      const context = [language.id(older), language.id(newer)] as const;
      const known = words.reduce(
        (sum, word) => sum + Math.exp(language.logProbability(...context, language.id(word))),
        0,
      );
      assert.ok(known > 0.7 && known <= 1, `${older} ${newer}: ${known}`);
    }
  });

  it('prefers typical menu phrases', () => {
    const language = new MenuLanguage('press one for sales\n\npress two for support\n\nfor hours press four');
    const after = (older: string, newer: string, word: string): number =>
      language.logProbability(language.id(older), language.id(newer), language.id(word));
    assert.ok(after('press', 'two', 'for') > after('press', 'two', 'four'));
    assert.ok(after('hours', 'press', 'four') > after('hours', 'press', 'for'));
    assert.equal(language.id('unheard'), 0);
  });

  it('handles new prompts: choosing among 120 words is enough', async () => {
    const { text, heldOut } = await menuText();
    assert.ok(text.split(/\s+/).length >= 80_000);
    const language = new MenuLanguage(text);
    let [sum, words, unknown] = [0, 0, 0];
    for (const prompt of heldOut.split('\n\n')) {
      let [older, newer] = [0, 0];
      for (const id of prompt.split(/\s+/).map((word) => language.id(word))) {
        if (id === 0) unknown += 1;
        else sum += language.logProbability(older, newer, id);
        words += 1;
        [older, newer] = [newer, id];
      }
    }
    const perplexity = Math.exp(-sum / (words - unknown));
    console.log(`    perplexity ${perplexity.toFixed(0)}, unknown ${((100 * unknown) / words).toFixed(1)} %`);
    assert.ok(perplexity <= 120, `perplexity ${perplexity}`);
    assert.ok(unknown / words <= 0.04);
  });
});
