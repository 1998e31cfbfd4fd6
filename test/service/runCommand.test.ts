import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliProcess, repositoryFile, type CliResult } from '../unit/cli/dialtree.ts';

const sample = (name: string): string => repositoryFile(`media/samples/${name}.calltest.json`);

/** Real calls over SIP on this machine, spoken and recognised. */
describe('dialtree run against practice IVRs', function () {
  this.timeout(600_000);
  let folder: string;
  before(async () => { folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-run-test-')); });
  after(() => rm(folder, { recursive: true, force: true }));

  async function run(...args: string[]): Promise<CliResult> {
    const command = new CliProcess(['run', ...args], { cwd: folder });
    try {
      return await command.result();
    } finally {
      await command.kill();
    }
  }

  it('passes the samples, and writes JUnit', async () => {
    const { code, stdout, stderr } = await run(sample('bank'), sample('clinic'), sample('utility'), '--reporter', 'junit', '--output', 'results.xml');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '');
    assert.equal(stderr.match(/^PASS /gm)?.length, 5, 'one call, one call, and one a row');
    const junit = await readFile(path.join(folder, 'results.xml'), 'utf8');
    assert.match(junit, /^<\?xml [^>]*>\s*<testsuites [^>]*failures="0"/);
    assert.equal(junit.match(/<testcase /g)?.length, 5);
    assert.doesNotMatch(`${junit}${stderr}`, /12345678/, 'the account number is marked as a secret');
  });

  it('ends with 1 at a wrong expectation, and names its line', async () => {
    await writeFile(path.join(folder, 'shop.ivr.json'), JSON.stringify({ name: 'Shop', start: 'main', states: { main: { prompt: 'Welcome to the flower shop.', end: 'hangup' } } }));
    await writeFile(path.join(folder, 'shop.calltest.json'), [
      '{', '  "name": "Shop", "ivr": "shop.ivr.json",', '  "steps": [', '    { "name": "Call", "action": { "type": "dial" },', '      "expectedTranscript": "You have reached the harbour police." }', '  ]', '}', '',
    ].join('\n'));
    const { code, stdout, stderr } = await run('shop.calltest.json');
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^FAIL {2}Shop .*\n {6}shop\.calltest\.json:6:29: Step “Call”: /m);
    assert.match(stdout, /shop\.calltest\.json:6/, 'the report names it too');
    assert.match(await readFile(path.join(folder, 'shop.calltest.json'), 'utf8'), /^\{\n {2}"id": "[0-9a-f-]{36}",\n/);
  });
});
