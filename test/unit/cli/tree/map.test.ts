import assert from 'node:assert/strict';
import { dialtree } from '../dialtree.ts';

describe('dialtree map', () => {
  it('rejects a label that would allow everything, before it calls', async () => {
    for (const label of ['*', '', 'a*']) {
      const { code, stdout, stderr } = await dialtree([
        'map',
        'sip:practice@127.0.0.1:5070',
        '--allow',
        'refills',
        '--allow',
        label,
      ]);
      assert.deepEqual([code, stdout], [2, ''], label);
      assert.match(stderr, /--allow: /);
    }
  });
});
