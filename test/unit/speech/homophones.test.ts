import assert from 'node:assert/strict';
import { menuText } from '../../../src/speech/assets/menuText.mjs';
import { spellBySense } from '../../../src/speech/homophones.ts';
import { MenuLanguage } from '../../../src/speech/menuLanguage.ts';

describe('spellBySense', () => {
  let language: MenuLanguage;
  let heldOut: string;

  before(async () => {
    const texts = await menuText();
    language = new MenuLanguage(texts.text);
    heldOut = texts.heldOut;
  });

  const cases: readonly (readonly [heard: string, meant: string])[] = [
    ['Four flight status, press one.', 'For flight status, press one.'],
    ['Press two four delayed baggage.', 'Press two for delayed baggage.'],
    ['Press 3. 4 hours press 4 4 travel.', 'Press 3. for hours press 4 for travel.'],
    ['To here recent transactions, press to.', 'To hear recent transactions, press two.'],
    ['We are hear from eight to five.', 'We are here from eight to five.'],
    ['For a other question, press four.', 'For another question, press four.'],
    ['Good by.', 'Goodbye.'],
    ['Good-by.', 'Goodbye.'],
    ['Good-bye, and thanks.', 'Goodbye, and thanks.'],
    ['One for sales, to for support, three for billing.', 'One for sales, two for support, three for billing.'],
    ['Your balance is for hundred and to dollars.', 'Your balance is four hundred and two dollars.'],
  ];
  for (const [heard, meant] of cases)
    it(`spells "${heard}" as "${meant}"`, () => assert.equal(spellBySense(heard, language), meant));

  it('leaves numbers, names and punctuation alone', () => {
    for (const text of ['Call 1 800 555 0142, please.', 'Ask for “O’Neill”; press #.', '', '…'])
      assert.equal(spellBySense(text, language), text);
  });

  it('changes fewer than 3 in 1,000 words of correctly spelled text', () => {
    let changed = 0;
    const sentences = heldOut.split('\n').filter(Boolean);
    const words = sentences.reduce((sum, sentence) => sum + sentence.split(' ').length, 0);
    for (const sentence of sentences) {
      const spelled = spellBySense(`${sentence}.`, language).slice(0, -1).split(' ');
      changed += sentence.split(' ').filter((word, index) => word !== spelled[index]).length;
    }
    assert.ok(words > 10_000);
    assert.ok(changed / words < 0.003, `${changed} of ${words}`);
  });
});
