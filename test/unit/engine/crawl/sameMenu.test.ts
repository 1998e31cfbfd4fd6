import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { firstOptionMs, resemblesMenu } from '../../../../src/engine/crawl/sameMenu.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

const known = readMenu('For billing, press 1. For opening hours, press 2.');

describe('a menu that is recognised by its words', () => {
  it('has the same keys, and the same label for at least one of them', () => {
    for (const [text, isSame] of [
      ['For billing, press 1. For opening hours, press 2.', true],
      ['For opening hours, press 2. For billing, press 1.', true],
      ['For filling, press 1. For the pen in flowers, press 2.', true],
      ['For lost luggage, press 1. For seat upgrades, press 2.', false],
      ['For opening hours, press 1. For billing, press 2.', false],
      ['For billing, press 1.', false],
      ['For billing, press 1. For opening hours, press 2. For parking, press 3.', false],
      ['Goodbye.', false],
    ] as const)
      assert.equal(resemblesMenu(readMenu(text), known), isSame, text);
  });

  it('offers something', () => assert.equal(resemblesMenu(readMenu('Goodbye.'), readMenu('Hello.')), false));
});

describe('firstOptionMs', () => {
  const timed = (text: string): { text: string; startMs: number; endMs: number }[] =>
    text.split(' ').map((word, index) => ({ text: word, startMs: 500 + index * 300, endMs: 750 + index * 300 }));
  const heard = (words: string, prompt: string): number =>
    firstOptionMs({ words: timed(words), reading: readMenu(prompt), startMs: 500 });

  it('finds the label of the first option, also if the recogniser changed one of its words', () => {
    const prompt = 'Welcome to the city library. For renewing your library books, press 1. For opening hours, press 2.';
    assert.equal(heard(prompt, prompt), 6 * 300);
    assert.equal(heard(prompt.replace('renewing', 'renowned'), prompt), 6 * 300);
  });

  it("doesn't take words of an announcement for a label whose own words are still missing", () => {
    const announcement = 'Your voice may be used to confirm who you are.';
    assert.equal(heard(announcement, `${announcement} If you are moving home, press 1. To pay, press 2.`), 0);
  });
});
