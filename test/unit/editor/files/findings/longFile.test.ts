import assert from 'node:assert/strict';
import { checkFile } from '../../../../../src/editor/files/findings/findings.ts';
import { english } from '../../fakes.ts';
import { file, folder } from '../fakeFiles.ts';

describe('a file that is too long to check in the editor', () => {
  for (const name of ['a.calltest.json', 'a.mission.json', 'a.ivr.json', 'a.calltree.json'])
    it(`has one notice that says so: ${name}`, async () => {
      const found = await checkFile(file(name, `{${' '.repeat(2_000_000)}}`), folder({}), english);
      assert.deepEqual(
        found.map(({ code, severity, offset }) => [code, severity, offset]),
        [['too-long', 'information', 0]],
      );
      assert.match(found[0]?.message ?? '', /too long to be checked in the editor/);
    });
});
