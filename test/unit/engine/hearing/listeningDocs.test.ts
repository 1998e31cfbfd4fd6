import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patience } from '../../../../src/engine/hearing/patience.ts';

describe("the document of a call's life", () => {
  it('quotes each time as in the code', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../../docs/listening.md'), 'utf8');
    const rows = [...text.matchAll(/^\|[^|]+\| `(\w+)\.(\w+)` \| ([\d.]+) \|$/gm)];
    const documented = rows.map(([, group = '', name = '', seconds = '']) => [
      `${group}.${name}`,
      Number(seconds) * 1000,
    ]);
    const groups = ['prompt', 'deadAir'] as const;
    const expected = [
      ...groups.flatMap((group) => Object.entries(patience[group]).map(([name, ms]) => [`${group}.${name}`, ms])),
      ['pause.boundary', patience.pause.boundary],
      ['pause.afterFirstOption', patience.pause.afterFirstOption],
      ['pause.unknown', patience.pause.unknown],
      ['timeout.longest', patience.timeout.longest],
      ['timeout.shortest', patience.timeout.shortest],
    ];
    assert.deepEqual(new Map(documented as [string, number][]), new Map(expected as [string, number][]));
  });
});
