import assert from 'node:assert/strict';
import { dialtree } from './dialtree.ts';

const commands = ['map', 'diff', 'tree', 'run', 'practice', 'score', 'transcribe', 'read', 'serve'];

describe('the command line', () => {
  it('lists its commands: with --help on stdout, without any on stderr as wrong usage', async () => {
    const [helped, bare] = await Promise.all([dialtree(['--help']), dialtree([])]);
    assert.equal(helped.code, 0);
    assert.equal(helped.stderr, '');
    for (const command of commands) assert.match(helped.stdout, new RegExp(`^ {2}dialtree ${command}\\b`, 'm'));
    assert.deepEqual([bare.code, bare.stdout, bare.stderr], [2, '', helped.stdout]);
  });

  it('rejects an unknown command', async () => {
    const { code, stdout, stderr } = await dialtree(['constructor']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /"constructor" isn't a command/);
  });

  it("shows a command's usage", async () => {
    const { code, stdout, stderr } = await dialtree(['read', '--help']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Usage: dialtree read\b/);
  });

  for (const command of commands) {
    it(`${command} rejects an unknown option, and shows its usage`, async () => {
      const { code, stdout, stderr } = await dialtree([command, '--frobnicate']);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /frobnicate/);
      assert.match(stderr, new RegExp(`dialtree ${command}\\b`));
    });
  }
});
