import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertTestsExist, rowsOf, sectionsOf } from '../support/namedTests.ts';

describe('the security document', () => {
  it('names an existing test for every promise', async () => {
    const sections = sectionsOf(await readFile(join(import.meta.dirname, '../../docs/security.md'), 'utf8'));
    const proven = ['Calling', 'Keys and agents', 'Tenancy', 'Files', 'Local users', 'The network side', 'Secrets'];
    for (const title of proven) {
      const rows = rowsOf(sections.get(title) ?? assert.fail(`There is no section ${title}.`));
      assert.ok(rows.length > 5, title);
      for (const cells of rows)
        assert.deepEqual([cells.length, cells.every((cell) => cell !== '')], [5, true], cells.join(' | '));
      await assertTestsExist(rows.map(([what = '', , , file = '', name = '']) => ({ what, file, title: name })));
    }
    assert.match(sections.get('What is not promised') ?? '', /\n- /);
  });
});
