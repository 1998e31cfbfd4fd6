import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DialtreeClient } from '../../src/client/client.ts';
import { FormBrowser } from '../support/formBrowser.ts';
import { serviceAssets } from '../support/serviceAssets.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';
import { SmtpServer } from '../support/smtpServer.ts';

const main = new URL('../../src/cli/serviceProcess.ts', import.meta.url);

describe('dialtree serve', function () {
  const fixture = new ServiceFixture();
  const processes: JsonProcess[] = [];
  const launchWith = (environment: Readonly<Record<string, string>>, ...args: string[]): JsonProcess => {
    const process = new JsonProcess(main, args, { environment });
    processes.push(process);
    return process;
  };
  const launch = (...args: string[]): JsonProcess => launchWith({}, ...args);
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await fixture.close();
  });

  it('prints one line when it is ready, gives a second instance its address, and ends cleanly on SIGTERM', async () => {
    const data = await fixture.folder();
    const { assetsDir } = await serviceAssets();
    const first = launch('--data', data, '--assets', assetsDir, '--routes', '{"+1*":"sip:{number}@127.0.0.1:5070"}');
    const ready = await first.line('ready');
    assert.equal(ready['owner'], true);
    assert.equal(ready['mcpUrl'], String(ready['baseUrl']).replace('/v1', '/mcp'));
    const client = new DialtreeClient({ baseUrl: String(ready['baseUrl']), apiKey: String(ready['apiKey']) });
    await client.call('createMapping', { phoneNumber: '+12025550101' });

    const second = launch('--data', data);
    assert.deepEqual(await second.line('ready'), { ...ready, owner: false });
    assert.equal(await second.exited, 0);

    assert.equal(await first.kill('SIGTERM'), 0);
    for (const line of first.errors.trim().split('\n'))
      assert.equal(typeof JSON.parse(line), 'object', 'only log lines on stderr');
    assert.ok(!first.errors.includes('+12025550101') && !first.errors.includes(String(ready['apiKey'])));
  });

  it('exits with 2 for bad usage and with 1 for failures @full', async () => {
    const data = await fixture.folder();
    const broken = join(data, 'routes.json');
    writeFileSync(broken, '{');
    await Promise.all(
      (
        [
          [['--nonsense'], /nonsense/],
          [['--port', 'x'], /--port/],
          [['--routes', '{'], /JSON/],
          [['--routes', broken], /JSON/],
          [['--routes', '{"a":1}'], /a: This isn't a number or a prefix/],
          [['--routes', join(data, 'none.json')], /none\.json/],
          [['--mail', 'pigeon'], /smtp or log/],
          [['--contact', 'x'.repeat(201)], /--contact/],
        ] as const
      ).map(async ([args, words]) => {
        const process = launch('--data', data, ...args);
        assert.equal(await process.exited, 2, args.join(' '));
        assert.match(process.errors, words);
      }),
    );
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    try {
      const { port } = taken.address() as AddressInfo;
      const process = launch('--data', data, '--port', String(port));
      assert.equal(await process.exited, 1);
      assert.match(process.errors, new RegExp(`Port ${String(port)} .* in use`));
    } finally {
      taken.close();
    }
    rmSync(broken);
  });

  it('lets people sign up by mails on stderr, and names whom to ask for minutes', async () => {
    const process = launch(
      '--data',
      await fixture.folder(),
      '--assets',
      (await serviceAssets()).assetsDir,
      '--mail',
      'log',
      '--contact',
      ' ops@example.com ',
    );
    const { baseUrl } = (await process.line('ready')) as { baseUrl: string };
    const browser = new FormBrowser(baseUrl);
    const path = (await browser.post('/signup', { email: 'ann@example.com' })).headers.get('location') ?? '';
    const [, code = ''] = await process.error(/Mail to ann@example\.com: .*\n(\d{8}) is your Dialtree code/);
    assert.equal((await browser.post(path, { code, password: 'correct horse battery' })).status, 303);
    assert.match((await browser.get('/account')).text, /can grant more minutes: ops@example\.com\./);
  });

  it("sends mails by SMTP, and keeps the mail server's password out of the log", async () => {
    const smtp = new SmtpServer();
    const port = await smtp.listen();
    try {
      const environment = {
        DIALTREE_SMTP_URL: `smtp://ann:s3cret%2Dword@127.0.0.1:${String(port)}`,
        DIALTREE_MAIL_FROM: 'ops@example.com',
      };
      const process = launchWith(
        environment,
        '--data',
        await fixture.folder(),
        '--assets',
        (await serviceAssets()).assetsDir,
        '--mail',
        'smtp',
      );
      const { baseUrl } = (await process.line('ready')) as { baseUrl: string };
      const browser = new FormBrowser(baseUrl);
      assert.equal((await browser.post('/signup', { email: 'ann@example.com' })).status, 303);
      assert.match(smtp.mails[0]?.text ?? '', /^\d{8} is your Dialtree code/m);
      smtp.recipientAnswer = '550 s3cret-word is not wanted';
      assert.equal((await browser.post('/signup', { email: 'ann@example.com' })).status, 502);
      await process.error(/is not wanted/);
      assert.doesNotMatch(process.errors, /s3cret/);
    } finally {
      await smtp.close();
    }
  });

  it('ends by itself when unused', async () => {
    const process = launch('--data', await fixture.folder(), '--idle-exit', '1');
    await process.line('ready');
    assert.equal(await process.exited, 0);
  });
});
