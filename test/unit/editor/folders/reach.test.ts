import assert from 'node:assert/strict';
import { assertWithinReach, isWithinReach } from '../../../../src/editor/folders/reach.ts';
import { english } from '../fakes.ts';

const folders = ['file:///work/app', 'file:///work/app-tests'];
const from = 'file:///work/app/tests/a.calltest.json';

describe("the reach of a file's references", () => {
  for (const [to, within] of [
    ['file:///work/app/data/rows.csv', true],
    ['file:///work/app-tests/rows.csv', true],
    ['file:///work/app/tests/rows.csv', true],
    ['file:///work/rows.csv', false],
    ['file:///work/application/rows.csv', false],
    ['file:///home/ann/.aws/keys.csv', false],
    ['vscode-remote://host/work/app/rows.csv', false],
    ['file:///work/app', false],
  ] as const)
    it(`${within ? 'reaches' : 'stops before'} ${to}`, () => assert.equal(isWithinReach(from, to, folders), within));

  it("covers the file's folder if no open folder contains it", () => {
    const loose = 'file:///tmp/mail/a.calltest.json';
    for (const open of [folders, []])
      assert.deepEqual(
        [
          'file:///tmp/mail/rows.csv',
          'file:///tmp/mail/more/rows.csv',
          'file:///tmp/rows.csv',
          'file:///work/app/rows.csv',
        ].map((to) => isWithinReach(loose, to, open)),
        [true, true, false, false],
      );
  });

  it("follows links: one that leads out is out of reach, one of a whole folder isn't", async () => {
    const links: Record<string, string> = {
      'file:///work/app/tests/keys.csv': 'file:///home/ann/keys.csv',
      'file:///work/app/tests/data.csv': 'file:///work/app/data/data.csv',
      'file:///work/app/linked': 'file:///elsewhere/tests',
      'file:///work/app/linked/rows.csv': 'file:///elsewhere/tests/rows.csv',
      'file:///work/app/linked/keys.csv': 'file:///elsewhere/keys.csv',
    };
    const realOf = (place: string): Promise<string> =>
      place.endsWith('gone.csv') ? Promise.reject(new Error('ENOENT')) : Promise.resolve(links[place] ?? place);
    const asked = (of: string, to: string): Promise<void> =>
      assertWithinReach({ from: of, to, path: '../some.csv' }, folders, realOf, english);
    const linked = 'file:///work/app/linked/a.calltest.json';
    for (const [of, to] of [
      [from, 'file:///work/app/tests/data.csv'],
      [from, 'file:///work/app/tests/gone.csv'],
      [linked, 'file:///work/app/linked/rows.csv'],
    ] as const)
      await asked(of, to);
    for (const [of, to] of [
      [from, 'file:///work/app/tests/keys.csv'],
      [from, 'file:///home/ann/keys.csv'],
      [linked, 'file:///work/app/linked/keys.csv'],
    ] as const) {
      await assert.rejects(
        asked(of, to),
        {
          code: 'outside',
          status: 400,
          message: /^\.\.\/some\.csv is outside the open folders, so Dialtree can't read it\./,
        },
        to,
      );
    }
  });
});
