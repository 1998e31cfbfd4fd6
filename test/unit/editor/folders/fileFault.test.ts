import assert from 'node:assert/strict';
import { notTooLarge } from '../../../../src/editor/folders/fileFault.ts';
import { english } from '../fakes.ts';

describe('an unsaved document', () => {
  const refused = {
    code: 'file_unreadable',
    message: 'a.calltest.json is larger than 20 MB. Split the file, or shorten it.',
  };

  it('fails if it is larger than a file may be', () => {
    for (const text of ['x'.repeat(20_000_001), 'é'.repeat(10_000_001)])
      assert.throws(() => notTooLarge(text, 'a.calltest.json', english), refused);
  });

  it('loads up to that size', () => {
    for (const text of ['x'.repeat(20_000_000), 'é'.repeat(10_000_000)])
      assert.equal(notTooLarge(text, 'a.calltest.json', english), text);
  });
});
