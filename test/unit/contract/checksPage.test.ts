import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkKinds, checkSchema } from '../../../src/contract/checks.ts';
import { checkProblems } from '../../../src/contract/checkProblems.ts';
import { checksPage, withCheckKinds } from '../../support/checksPage.ts';

describe('docs/checks.md', () => {
  it('describes every kind of check as the contract does (npm run generate writes them)', async () => {
    const page = await readFile(checksPage, 'utf8');
    assert.ok(page.includes('### `says`'));
    assert.equal(page, withCheckKinds(page));
  });

  for (const { kind, example } of checkKinds)
    it(`shows an example of ${kind} that a mission can contain`, () => {
      assert.deepEqual(checkProblems([checkSchema.parse(example)]), []);
    });
});
