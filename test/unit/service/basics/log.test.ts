import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../../src/service/basics/log.ts';
import { createApiKey, randomToken } from '../../../../src/service/workspaces/keyForm.ts';
import { listed } from '../../../support/listed.ts';

describe('the log', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dialtree-log-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Returns what a log writes for these, whole lines parsed as JSON. */
  async function written(...entries: readonly object[]): Promise<Record<string, unknown>[]> {
    const file = join(folder, `${String(Math.random())}.log`);
    const log = createLog(file);
    for (const entry of entries) log.error(entry, 'told');
    return (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  const [key, token] = [createApiKey(), randomToken()];
  const secrets = [
    key.slice(12),
    token,
    '+447400123456',
    '+1 (212) 555-0123',
    '447400123456',
    '4242 4242 4242 4242',
    '123456',
    'hunter2',
    'ann@example.com',
    Buffer.from('user:hunter2').toString('base64'),
  ];
  const told = [
    `no key ${key}`,
    `no key ${key}x~`,
    `token ${token}`,
    `/claim/${token}`,
    '/claim/hunter2',
    `\n${token}\n`,
    `to +447400123456`,
    'to +1 (212) 555-0123 now',
    '\n447400123456',
    'card 4242 4242 4242 4242',
    '123456 is your code',
    'sip:trunk:hunter2@sip.example.com did not answer',
    'postgres://dialtree:hunter2@db.example.com:5432/dialtree',
    'ann@example.com has no account',
    `Authorization: Basic ${Buffer.from('user:hunter2').toString('base64')}`,
    `"${key}"`,
    '$scrypt$ln=15,r=8,p=1$c2FsdA$hunter2',
  ];

  it('removes everything that looks like a secret, wherever an error repeats it', async () => {
    const lines = await written(
      ...told.flatMap((text) => [
        { err: new Error(text) },
        { err: new Error('outer', { cause: new Error(text) }) },
        { err: text },
        { postgres: [text, `notice: ${text}`] },
        { nested: { deeper: text } },
      ]),
    );
    assert.equal(lines.length, told.length * 5);
    const all = JSON.stringify(lines);
    for (const secret of secrets) assert.ok(!all.includes(secret), secret);
  });

  it('removes a secret by its value, in any spelling, and stays JSON', async () => {
    const passwords = ['pass "word"\\ü', 'summer', '4711', 'correct horse/battery+staple', 'abc'];
    const file = join(folder, 'values.log');
    const log = createLog(file, 'info', passwords);
    for (const password of passwords.slice(0, -1)) {
      const texts = [
        password,
        `login ${password} refused`,
        `sip:x?pw=${encodeURIComponent(password)}&y`,
        `\n${password}\n`,
        JSON.stringify({ it: password }),
      ];
      for (const text of texts) log.error({ err: new Error(text), said: text, [`of ${text}`]: 1, port: 4711 }, text);
    }
    log.info({ summer: 1, port: 4711 }, 'midsummer, 47110 and abc');
    const text = await readFile(file, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(lines.length, 4 * 5 + 1);
    const told = JSON.stringify(lines.map(({ port: _port, ...line }) => Object.values(line)).slice(0, -1));
    for (const password of passwords.slice(0, -1))
      for (const spelled of [password, JSON.stringify(password).slice(1, -1), encodeURIComponent(password)])
        assert.ok(!told.includes(spelled), spelled);
    const { time: _time, pid: _pid, level: _level, ...last } = lines.at(-1) ?? {};
    assert.deepEqual(last, { summer: 1, port: 4711, msg: 'midsummer, 47110 and abc' });
  });

  it('removes fields whose names indicate secrets', async () => {
    const names = listed(`
      phoneNumber target digits transcript apiKey authorization url routes email password token cookie csrf
    `);
    const [line, nested] = await written(Object.fromEntries(names.map((name) => [name, 'plain words'])), {
      request: Object.fromEntries(names.map((name) => [name, 'plain words'])),
    });
    assert.ok(!JSON.stringify([line, nested]).includes('plain words'));
  });

  it('keeps what a reader needs: IDs, times, ports, codes, places', async () => {
    const requestId = '0b8a64f5-7d1c-4f7e-9c55-1234567890ab';
    const [line] = await written({
      requestId,
      port: 51_234,
      callSeconds: 1_234_567,
      attempt: 3,
      at: '2026-11-21T09:53:33.000Z',
      code: 'ECONNREFUSED',
      err: Object.assign(new Error(`run ${requestId} on port 51234, key dt_abcdefgh`), { code: '23505' }),
    });
    const { err, ...rest } = line as { err: { message: string; code: string; stack: string } } & Record<
      string,
      unknown
    >;
    assert.deepEqual(
      { ...rest, time: 0, pid: 0 },
      {
        level: 50,
        time: 0,
        pid: 0,
        requestId,
        port: 51_234,
        callSeconds: 1_234_567,
        attempt: 3,
        at: '2026-11-21T09:53:33.000Z',
        code: 'ECONNREFUSED',
        msg: 'told',
      },
    );
    assert.ok(typeof rest['time'] === 'number' && rest['time'] > 1e12);
    assert.equal(err.message, `run ${requestId} on port 51234, key dt_abcdefgh`);
    assert.equal(err.code, '23505');
    assert.match(err.stack, /log\.test\.ts:\d+:\d+/);
  });

  it('keeps the lines and columns of stack frames in a large bundle', async () => {
    const frames = [
      'Error: failed',
      '    at refusing.executeQuery (/home/a b/dist/cli.js:123456:29)',
      '    at async /home/ann/dist/cli.js:12:1234567',
      String.raw`    at run (C:\dist\cli.cjs:1234567:123456)`,
      '    at async file:///home/ann/src/cli/main.ts:234567:8',
    ].join('\n');
    const [line] = await written({ err: Object.assign(new Error('failed'), { stack: frames }) });
    assert.equal((line?.['err'] as { stack: string }).stack, frames);
  });

  it('removes numbers that only resemble the position of a stack frame', async () => {
    const texts = [
      'cli.js:123456:29)',
      'at cli.js:123456',
      'at cli.js:123456 is your code',
      'at cli.js:123456:29 is your code',
      'at cli.js:12025550123:29)',
      'at cli.js:12:120255501234)',
      'at number:123456:29)',
      'at cli.js:1:2)\n123456:7)',
    ];
    for (const text of texts) {
      const [line] = await written({ err: text });
      assert.match(JSON.stringify(line), /\[redacted\]/, text);
    }
  });

  it('shows neither query nor values of a database error, and shortens endless texts', async () => {
    const [database, endless] = await written(
      {
        err: Object.assign(new Error('duplicate key'), {
          query: 'select hunter2',
          params: ['hunter2'],
          detail: 'Key (phone)=(hunter2)',
        }),
      },
      { err: new Error(`${'x'.repeat(2_000_000)}@`) },
    );
    assert.ok(!JSON.stringify(database).includes('hunter2'));
    assert.ok(JSON.stringify(endless).length < 20_000);
  });
});
