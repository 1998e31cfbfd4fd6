import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resemblesMenu } from '../../../../src/engine/crawl/sameMenu.ts';
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

  it('offers something', () => {
    assert.equal(resemblesMenu(readMenu('Goodbye.'), readMenu('Hello.')), false);
  });
});
