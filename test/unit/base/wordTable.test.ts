import assert from 'node:assert/strict';
import { wordTable } from '../../../src/base/wordTable.ts';
import { findReadBack } from '../../../src/model/secrets/readBack.ts';
import { similarity } from '../../../src/model/heard/similarity.ts';
import { spokenTokens } from '../../../src/model/heard/spokenTokens.ts';
import { slotsOf } from '../../../src/speech/keys/slots.ts';
import { wordCandidates } from '../../../src/speech/keys/wordCandidates.ts';

describe('a table of words', () => {
  it('knows only its own words', () => {
    const table = wordTable({ one: 1 });
    assert.equal(table['one'], 1);
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) assert.equal(table[name], undefined);
  });

  it('looks heard words up safely: none of them is mistaken for a member of an object', () => {
    for (const name of Object.getOwnPropertyNames(Object.prototype))
      for (const text of [
        name,
        `Press ${name} for x.`,
        `${name} two`,
        `"${name}" five`,
        `For ${name}, press ${name}.`,
      ]) {
        wordCandidates(slotsOf(text), () => true, 'table');
        spokenTokens(text, false);
        assert.deepEqual(findReadBack(text, ['4012']), []);
        assert.equal(similarity(text, text).score, 1, text);
      }
  });
});
