import assert from 'node:assert/strict';
import { menuReadingSchema } from '../../../../src/contract/menu.ts';
import { classifyAnnouncement } from '../../../../src/language/menu/announcement.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';
import { withoutRestart } from '../../../../src/language/menu/restart.ts';
import { seededRandom } from '../../../../src/practice/random.ts';
import { labelledPrompts } from './readings.ts';

const pieces = (
  'press 1 or 2 or 3 |press 1, 2, 3, 4 and |for sales press one |"|say "billing |\'|say or press |enter your |' +
  'followed by |if you would like to |one two three |for |to |or |. |, |.,.,|; for, | |a|on a scale of 1 to 9 |' +
  'hold |please stay on the line |1 2 |um, |press press press |😀|\u0000|\uD800|ı̇ß|dial 9 1 1 |then |' +
  'one, sales. |by pressing |hello this is |thank you for calling |not a valid option. '
).split('|');

describe('the menu reader on hostile texts', () => {
  it('always returns a valid reading, never an exception', () => {
    for (const { text } of labelledPrompts('menus.jsonl')) {
      for (const variant of [
        text.toUpperCase(),
        text.replaceAll(' ', '\n\t'),
        text.replaceAll(/[.,]/g, ''),
        [...text].reverse().join(''),
        text.slice(0, text.length / 2),
        `${text} ${text}`,
      ])
        menuReadingSchema.parse(readMenu(variant));
    }
    const random = seededRandom(11);
    for (let count = 0; count < 3000; count += 1) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 25) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join('');
      const reading = readMenu(text);
      assert.deepEqual(menuReadingSchema.safeParse(reading).error, undefined, text);
      assert.equal(
        new Set(reading.options.map(({ key }) => key)).size,
        reading.options.length,
        `a key twice in ${text}`,
      );
      assert.ok(reading.repeatKey === null || reading.options.some(({ key }) => key === reading.repeatKey), text);
      withoutRestart(text);
      classifyAnnouncement(text);
    }
  });

  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
    it(`doesn't mistake "${word}" for a key`, () =>
      assert.deepEqual(
        readMenu(`press ${word} for sales, say ${word}, ${word} for service, press ${word}`).options,
        [],
      ));
  }
});
