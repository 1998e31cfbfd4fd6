import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { treeResponseSchema } from '../../src/contract/tree.ts';
import { startAsterisk, type Asterisk } from '../support/asterisk.ts';
import { findAsterisk } from '../support/asteriskPackages.ts';
import { skipFor } from '../support/skipFor.ts';
import { CliProcess, dialtree, repositoryFile, type CliOptions } from '../unit/cli/dialtree.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures/asterisk');
const practiceOnDesk = [
  ...['practice', repositoryFile('media/samples/bank.ivr.json')],
  ...['--port', '0', '--line', 'desk'],
];

/**
 * An office whose exchange is an Asterisk that Dialtree has no part in. Each line registers as an extension over TLS,
 * and its audio is encrypted.
 */
describe('the extensions of an office @full', function () {
  let asterisk: Asterisk | undefined;
  let folder = '';
  let options: CliOptions = {};

  before(async function () {
    const files = findAsterisk();
    if (files === undefined) return this.skip();
    const pbx = await startAsterisk(files, fixtures);
    asterisk = pbx;
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-office-'));
    const { password } = pbx.phone('601');
    for (const [name, extension] of [
      ['desk', '601'],
      ['colleague', '602'],
    ] as const) {
      const { host, user } = pbx.phone(extension);
      const line = { kind: 'pbx', host, transport: 'tls', user, register: true, srtp: 'require' };
      await writeFile(linesOf(name), JSON.stringify({ [name]: line }));
    }
    options = {
      cwd: folder,
      env: {
        NODE_EXTRA_CA_CERTS: pbx.certificate,
        DIALTREE_LINE_PASSWORDS: JSON.stringify({ desk: password, colleague: password }),
      },
    };
  });
  after(async () => {
    await asterisk?.stop();
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  const linesOf = (name: string): string => path.join(folder, `${name}.json`);
  const pbx = (): Asterisk => {
    assert.ok(asterisk);
    return asterisk;
  };
  const address = (user: string): string => `sip:${user}@${pbx().phone('601').host}`;

  it('a line registers as an extension, and unregisters when it ends', async () => {
    const line = new CliProcess(['line', 'register', 'desk', '--lines', linesOf('desk'), '--json'], options);
    try {
      const first = JSON.parse(await line.firstLine()) as Record<string, string>;
      assert.deepEqual([first['event'], first['line'], first['state']], ['registration', 'desk', 'registered']);
      assert.ok(Date.parse(first['until'] ?? '') > Date.parse(first['since'] ?? ''));
      line.signal('SIGINT');
      const { code, stdout, stderr } = await line.result();
      assert.equal(code, 0, stderr);
      assert.match(stdout, /"state":"closed"/);
      assert.match(pbx().output(), /Added contact 'sips?:[^']+' to AOR '601'/);
      assert.match(pbx().output(), /Removed contact 'sips?:[^']+' from AOR '601'/);
    } finally {
      await line.kill();
    }
  });

  it('a wrong password is named and never shown, and an echo call comes back encrypted', async () => {
    const check = ['line', 'check', 'desk'];
    const good = await dialtree([...check, '--lines', linesOf('desk')], '', options);
    assert.equal(good.code, 0, good.stdout + good.stderr);
    const env = { ...options.env, DIALTREE_LINE_PASSWORDS: JSON.stringify({ desk: 'wr0ng' }) };
    for (const args of [check, ['line', 'register', 'desk'], practiceOnDesk]) {
      const { code, stdout, stderr } = await dialtree([...args, '--lines', linesOf('desk')], '', { ...options, env });
      assert.equal(code, 1, args.join(' '));
      assert.match(`${stdout}${stderr}`, /rejects the user or password/);
      assert.doesNotMatch(`${stdout}${stderr}`, /wr0ng/);
    }
    const echo = await dialtree(['line', 'echo', 'desk', '--number', '600', '--lines', linesOf('desk')], '', options);
    assert.equal(echo.code, 0, echo.stdout + echo.stderr);
    assert.match(echo.stdout, /Echo heard/);
  });

  it("maps the office's menu", async function () {
    const { code, stdout, stderr } = await dialtree(
      ['map', address('office'), '--lines', linesOf('desk'), '--json', '--concurrency', '2'],
      '',
      options,
    );
    if (code !== 0 && /late|busy/i.test(stderr)) skipFor(this, stderr.trim().split('\n').at(-1) ?? '');
    assert.equal(code, 0, stderr);
    const { tree } = treeResponseSchema.parse(JSON.parse(stdout));
    const found = tree?.children?.map(({ digit, end }) => `${digit ?? ''} ${end ?? ''}`.trim());
    // On a live number, only harmless options are pressed.
    assert.deepEqual(found?.toSorted(), ['0 transfer-ringback', '1', '2 hold-music', '3', '4 input'], stdout);
  });

  it('takes a call from a colleague on a practice IVR', async function () {
    const practice = new CliProcess([...practiceOnDesk, '--lines', linesOf('desk')], options);
    try {
      assert.match(await practice.firstLine(), /^desk: registered since [\d:]{8}, until [\d:]{8}$/);
      const test = {
        id: '8191533c-9a30-426c-8b39-0990dcf510fd',
        name: 'A colleague calls',
        phoneNumber: address('601'),
        steps: [
          {
            name: 'Greeting',
            action: { type: 'dial' },
            expectedTranscript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
          },
          {
            name: 'Accounts',
            action: { type: 'press', keys: '1' },
            expectedTranscript: 'You have reached accounts. For your balance, press 1.',
          },
          { name: 'End', action: { type: 'hangUp' } },
        ],
      };
      const file = path.join(folder, 'colleague.calltest.json');
      await writeFile(file, JSON.stringify(test));
      const { code, stdout, stderr } = await dialtree(['run', file, '--lines', linesOf('colleague')], '', options);
      if (/INCONCLUSIVE/.test(stderr)) skipFor(this, stdout);
      assert.equal(code, 0, `${stdout}${stderr}${pbx().output().slice(-3000)}`);
      practice.signal('SIGINT');
      const ended = await practice.result();
      assert.equal(ended.code, 0);
      assert.match(ended.stdout, /desk: unregistered/);
    } finally {
      await practice.kill();
    }
  });
});
