import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CliProcess, repositoryFile, type CliResult } from '../unit/cli/dialtree.ts';
import { readJUnit } from '../unit/cli/report/junitReaders.ts';

const sample = (name: string): string => repositoryFile(`media/samples/${name}.calltest.json`);

/** Real calls over SIP on this machine, with synthesis and recognition. */
describe('dialtree run against practice IVRs', function () {
  let folder: string;
  const commands = new Set<CliProcess>();
  const results = new Map<string, Promise<CliResult>>();
  let over = false;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-run-test-'));
    await writeFile(
      path.join(folder, 'shop.ivr.json'),
      JSON.stringify({
        name: 'Shop',
        start: 'main',
        states: { main: { prompt: 'Welcome to the flower shop.', end: 'hangup' } },
      }),
    );
    await writeFile(
      path.join(folder, 'shop.calltest.json'),
      [
        '{',
        '  "name": "Shop", "ivr": "shop.ivr.json",',
        '  "steps": [',
        '    { "name": "Call", "action": { "type": "dial" },',
        '      "expectedTranscript": "You have reached the harbour police." },',
        '    { "name": "End", "action": { "type": "hangUp" } }',
        '  ]',
        '}',
        '',
      ].join('\n'),
    );
    const run = (name: string, file: string): Promise<CliResult> => {
      // A cancelled test starts nothing more.
      if (over) return new Promise(() => undefined);
      const command = new CliProcess(['run', file, '--reporter', 'junit', '--output', `${name}.xml`], { cwd: folder });
      commands.add(command);
      return command.result();
    };
    results.set('bank', run('bank', sample('bank'))).set('shop', run('shop', 'shop.calltest.json'));
  });
  after(async () => {
    over = true;
    await Promise.all([...commands].map((command) => command.kill()));
    await rm(folder, { recursive: true, force: true });
  });

  async function ended(name: string) {
    const { code, stdout, stderr } = await results.get(name)!;
    assert.equal(stdout, '', 'the report is in a file');
    const text = await readFile(path.join(folder, `${name}.xml`), 'utf8');
    return { code, stderr, text, report: await readJUnit(text) };
  }

  it('passes the sample bank, and writes JUnit', async () => {
    const { code, stderr, text, report } = await ended('bank');
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/^PASS /gm)?.length, 1);
    assert.deepEqual([Number(report.tests), Number(report.failures), Number(report.errors)], [1, 0, 0]);
    assert.doesNotMatch(`${text}${stderr}`, /12345678/, 'the account number is marked as a secret');
  });

  it('ends with 1 at a wrong expectation, and names its line', async () => {
    const { code, stderr, report } = await ended('shop');
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^FAIL {2}Shop .*\n {6}shop\.calltest\.json:5:29: Step “Call”: /m);
    const [failed, skipped] = report.testsuite?.[0]?.testcase ?? [];
    assert.match(
      failed?.failure?.[0]?.inner ?? '',
      /expected: You have reached the harbour police\.[^]*at shop\.calltest\.json:5$/,
    );
    assert.deepEqual([skipped?.name, skipped?.skipped?.[0]?.message], ['Shop, step 2: End', 'Not reached.']);
    assert.doesNotMatch(await readFile(path.join(folder, 'shop.calltest.json'), 'utf8'), /"id"/);
  });
});
