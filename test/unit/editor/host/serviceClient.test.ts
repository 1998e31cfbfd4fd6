import assert from 'node:assert/strict';
import { because, join, sentence } from '../../../../src/base/sentences.ts';
import { translated } from '../../../../src/editor/host/serviceClient.ts';
import { german } from '../../../support/german.ts';

describe('answers in the language of the editor', () => {
  it('have their reasons in it, at any depth, with its figures', () => {
    const why = because(join(sentence`Step “${'Menu'}”:`, sentence`Nothing was said within ${2.5} s.`));
    const { steps } = translated({ steps: [{ name: 'Menu', ...why }] }, german);
    assert.equal(steps[0]?.reason, 'Schritt „Menu“: Innerhalb von 2,5 s wurde nichts gesagt.');
    assert.deepEqual(steps[0]?.reasonParts, why.reasonParts);
  });

  it('have the names of a call by hand in it, but not those of a test that is run step by step', () => {
    const run = (...names: string[]) => ({
      guided: true,
      name: names[0],
      steps: names.slice(1).map((name) => ({ name })),
    });
    assert.deepEqual(
      translated(run('Call by hand', 'Answer', 'Keys 1,#', 'Keys ••••', 'Say “Hang up”', 'Hang up'), german),
      run('Anruf von Hand', 'Annahme', 'Tasten 1,#', 'Tasten ••••', '„Hang up“ sagen', 'Auflegen'),
    );
    for (const other of [run('Balance', 'Answer', 'PIN'), { ...run('Call by hand', 'Answer'), guided: false }])
      assert.deepEqual(translated(other, german), other);
  });

  it('have each text of a list in it', () => {
    const answer = { warnings: ['No call was answered.', 'x'], warningsParts: [[['No call was answered.']]] };
    assert.deepEqual(translated(answer, german).warnings, ['Kein Anruf wurde angenommen.', 'x']);
  });

  it('keep what has no parts, and what the bundle lacks', () => {
    const answer = { reason: 'Not reached.', row: { wordParts: 'word' }, none: null, words: [1, 'two'] };
    assert.deepEqual(translated(answer, german), answer);
    assert.equal(translated({ reason: 'a', reasonParts: [['A newer {0}.', 'x']] }, german).reason, 'A newer x.');
  });
});
