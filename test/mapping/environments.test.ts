import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CliProcess, type CliResult } from '../unit/cli/dialtree.ts';
import { revealedSecrets } from '../support/secretSearch.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

const main = new URL('../../src/cli/serviceProcess.ts', import.meta.url);
const pin = '80352';

/** Real calls over SIP on this machine, and a service whose data stays. */
describe('dialtree run in an environment, with a secret', function () {
  let folder: string;
  let service: JsonProcess | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-env-test-'));
    const write = (name: string, content: object): Promise<void> =>
      writeFile(path.join(folder, name), JSON.stringify(content));
    await write('dialtree.env.json', {
      environments: {
        dev: { numbers: { shop: 'shop.ivr.json' }, variables: { greeting: 'Welcome to the flower shop.' } },
        live: { numbers: {} },
      },
    });
    await write('shop.ivr.json', {
      name: 'Shop',
      start: 'main',
      states: {
        main: {
          prompt: 'Welcome to the flower shop. Please enter your number.',
          collect: { min: 5, max: 5, next: 'end' },
        },
        end: { prompt: 'You have entered eight, zero, three, five, two. Goodbye.', end: 'hangup' },
      },
    });
    await write('shop.calltest.json', {
      name: 'Shop',
      phoneNumber: '${env:shop}',
      steps: [
        { name: 'Call', action: { type: 'dial' }, expectedTranscript: '{greeting} *' },
        { name: 'Number', action: { type: 'press', keys: '${secret:PIN}' }, expectedTranscript: 'You have entered *' },
      ],
    });
    await writeFile(path.join(folder, 'secrets'), `# mine\nPIN=${pin}\n`, { mode: 0o600 });
  });
  after(async () => {
    await service?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> =>
    new CliProcess(['run', 'shop.calltest.json', ...args], { cwd: folder, env }).result();

  it('presses the secret, which no output, log or file of the service contains', async () => {
    const data = path.join(folder, 'data');
    const log = path.join(folder, 'service.log');
    service = new JsonProcess(main, ['--data', data, '--log-file', log]);
    const ready = await service.line('ready');
    const args = ['--env', 'dev', '--secrets', 'secrets', '--reporter', 'json', '--url', String(ready['baseUrl'])];
    const result = await run(args, { DIALTREE_API_KEY: String(ready['apiKey']) });
    await service.kill();
    assert.equal(result.code, 0, result.stderr + result.stdout);
    const files = (await readdir(data, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    assert.ok(files.length > 100);
    for (const file of [...files.map(({ parentPath, name }) => path.join(parentPath, name)), log])
      assert.deepEqual(revealedSecrets(await readFile(file, 'latin1'), [pin]), [], file);
    assert.doesNotMatch(result.stdout + result.stderr, /80352|8,? 0|eight,? zero/);
  });

  it('calls nothing without the environment or the secret, or if others can read the file', async () => {
    const without = await run(['--env', 'live'], { DIALTREE_SECRET_PIN: pin });
    assert.equal(without.code, 2);
    assert.match(without.stderr, /shop\.calltest\.json:1:30: phoneNumber: The environment "live" has no number "shop"/);
    const unknown = await run(['--env', 'dev']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /shop\.calltest\.json:1:\d+: steps\.2\.action\.keys: The secret "PIN" has no value/);
    await chmod(path.join(folder, 'secrets'), 0o640);
    const open = await run(['--env', 'dev', '--secrets', 'secrets']);
    assert.equal(open.code, 2);
    assert.match(open.stderr, /Other users can read secrets/);
    assert.doesNotMatch(open.stderr + unknown.stderr + without.stderr, /80352/);
  });
});
