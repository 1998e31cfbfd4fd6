import assert from 'node:assert/strict';
import { because, failure, join, reasonOf, sentence, Sentences, sentencesOf } from '../../../src/base/sentences.ts';

const both = join(sentence`Step “${'Menu'}”:`, undefined, sentence`It took ${4.2} s.`);

describe('sentences', () => {
  it('keep their templates and values, and read as English', () => {
    assert.deepEqual(both.parts, [
      ['Step “{0}”:', 'Menu'],
      ['It took {0} s.', '4.2'],
    ]);
    assert.equal(String(both), 'Step “Menu”: It took 4.2 s.');
  });

  it('leave placeholders in values as they are, and values without a place out', () => {
    assert.equal(String(sentence`“${'{1}'}” and ${'{0}'}`), '“{1}” and {0}');
    assert.equal(String(new Sentences([['{0} {1}', 'a'], []])), 'a  ');
  });

  it('change only their values', () => {
    assert.deepEqual(sentence`The menu says ${'menu'}.`.with((text) => text.toUpperCase()).parts, [
      ['The menu says {0}.', 'MENU'],
    ]);
  });

  it('become a reason with its parts, and a reason becomes sentences again', () => {
    const reason = because(both);
    assert.deepEqual(reason, { reason: String(both), reasonParts: both.parts });
    assert.deepEqual(reasonOf(reason), both);
    assert.deepEqual(reasonOf({ reason: 'Of an {0} version.' })?.parts, [['{0}', 'Of an {0} version.']]);
    assert.equal(reasonOf({}), undefined);
  });

  it('say why something failed', () => {
    assert.equal(sentencesOf(both), both);
    assert.equal(sentencesOf(failure(both)), both);
    assert.equal(failure(both).message, String(both));
    assert.deepEqual(sentencesOf(new Error('Broken.')).parts, [['{0}', 'Broken.']]);
    assert.equal(String(sentencesOf('Over.')), 'Over.');
  });
});
