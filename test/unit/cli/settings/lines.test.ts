import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../../../../src/cli/command.ts';
import { readLinePasswords, readLines } from '../../../../src/cli/settings/lines.ts';
import { startSipAgent } from '../../../../src/telephony/agent.ts';
import { CliProcess, dialtree } from '../dialtree.ts';
import { endOf } from '../../../support/legEvents.ts';

const json =
  '{"main": {"kind": "trunk", "host": "trunk.example.com", "user": "acme", "numbers": ["+1*"]}, "lab-2": {"kind": "pbx", "host": "127.0.0.1"}}';

describe('the lines of the command line', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('come from JSON or a JSON file', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-lines-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'lines.json');
    await writeFile(file, json);
    assert.deepEqual(Object.keys(await readLines(json)), ['main', 'lab-2']);
    assert.deepEqual(await readLines(file), await readLines(json));
    for (const [wrong, words] of [
      ['{', /isn't valid JSON/],
      ['none.json', /none\.json can't be read/],
      ['{"main": {"kind": "trunk"}}', /main\.host/],
      ['{"Main": {"kind": "pbx", "host": "x"}}', /lower-case letters/],
      ['{"a": {"kind": "pbx", "host": "x", "password": "y"}}', /password/],
    ] as const) {
      await assert.rejects(
        readLines(wrong),
        (error: UsageError) => error instanceof UsageError && words.test(error.message),
        wrong,
      );
    }
  });

  it('take their passwords only from the environment', async () => {
    const lines = await readLines(json);
    assert.deepEqual(
      readLinePasswords(
        { DIALTREE_LINE_PASSWORD_MAIN: 'a', DIALTREE_LINE_PASSWORD_LAB_2: 'b', DIALTREE_LINE_PASSWORD_OTHER: 'c' },
        lines,
      ),
      { main: 'a', 'lab-2': 'b' },
    );
    assert.deepEqual(
      readLinePasswords(
        { DIALTREE_LINE_PASSWORDS: '{"main": "x", "lab-2": "y", "gone": "z"}', DIALTREE_LINE_PASSWORD_MAIN: 'a' },
        lines,
      ),
      { main: 'a', 'lab-2': 'y' },
    );
    assert.deepEqual(readLinePasswords({ DIALTREE_LINE_PASSWORD_MAIN: '', DIALTREE_LINE_PASSWORDS: '' }, lines), {});
    assert.deepEqual(
      readLinePasswords(
        { DIALTREE_LINE_PASSWORDS: '{}' },
        await readLines('{"constructor": {"kind": "pbx", "host": "pbx.example.com", "user": "acme"}}'),
      ),
      {},
    );
    for (const wrong of ['s3cret', '["s3cret"]', '{"main": 7, "x": "s3cret"}']) {
      assert.throws(
        () => readLinePasswords({ DIALTREE_LINE_PASSWORDS: wrong }, lines),
        (error: UsageError) => error instanceof UsageError && !error.message.includes('s3cret'),
      );
    }
  });
});

describe('dialtree practice --echo', function () {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('answers callers that know the password, echoes what it hears, and ends on SIGTERM', async () => {
    const echo = new CliProcess(['practice', '--echo', '--user', 'ann', '--port', '0', '--json'], {
      env: { DIALTREE_PRACTICE_PASSWORD: 'secret' },
    });
    cleanups.push(() => echo.kill());
    const { event, uri } = JSON.parse(await echo.firstLine()) as { event: string; uri: string };
    assert.equal(event, 'ready');
    const agent = await startSipAgent({ host: '127.0.0.1' });
    cleanups.push(() => agent.close());
    assert.equal((await endOf(agent.call(uri))).kind, 'unauthorized');
    const call = agent.call(uri, { credentials: { user: 'ann', password: 'secret' } });
    const over = endOf(call);
    let heard = false;
    call.listen((event) => {
      if (event.type === 'answered')
        void call.play(Int16Array.from({ length: 16_000 }, (_, i) => 8000 * Math.sin(i / 3)));
      // A second signal would end the process before it hangs up.
      if (!heard && event.type === 'audio' && event.frame.pcm.some((sample) => sample > 4000)) {
        heard = true;
        echo.signal('SIGTERM');
      }
    });
    const end = await over;
    assert.equal(end.by, 'remote', `its own sound came back, then it was ended: ${end.reason}`);
    const { code, stdout, stderr } = await echo.result();
    assert.equal(code, 0);
    assert.ok(!`${stdout}${stderr}`.includes('secret'));
  });

  it('reports wrong usage', async () => {
    for (const [args, words] of [
      [['--echo', 'x.ivr.json'], /--echo doesn't take a file/],
      [['--echo', '--user', 'ann'], /DIALTREE_PRACTICE_PASSWORD/],
      [['x.ivr.json', '--user', 'ann'], /Use --user only with --echo/],
    ] as const) {
      const { code, stderr } = await dialtree(['practice', ...args], '', { env: { DIALTREE_PRACTICE_PASSWORD: '' } });
      assert.equal(code, 2);
      assert.match(stderr, words);
    }
  });
});
