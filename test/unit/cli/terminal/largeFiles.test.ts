import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadTests } from '../../../../src/cli/run/testFiles.ts';
import { loadBaseline } from '../../../../src/cli/run/baselineFile.ts';
import { readRoutes } from '../../../../src/cli/settings/routes.ts';
import { loadCalltree } from '../../../../src/cli/tree/calltreeFile.ts';
import { loadIvr } from '../../../../src/practice/ivrSource.ts';
import { readBounded } from '../../../../src/practice/boundedFile.ts';
import { writeWav } from '../../../../src/speech/wav.ts';
import { dialtree } from '../dialtree.ts';

describe('the limit of 20 MB for files', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-large-'));
    file = path.join(folder, 'large.txt');
    await writeFile(file, '');
    await truncate(file, 20_000_001);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [kind, read] of [
    ['a practice IVR', loadIvr],
    ['a tree', loadCalltree],
    ['a baseline', loadBaseline],
    ['a dial plan', readRoutes],
  ] as const)
    it(`applies to ${kind}`, async () => {
      await assert.rejects(read(file), {
        name: 'HumanError',
        code: 'file_too_large',
        message: `${file} is larger than 20 MB. Split it, or shorten it.`,
      });
    });

  it('applies to score and read, even from standard input', async () => {
    for (const { code, stderr } of [
      await dialtree(['score', '--truth', file, '--tree', file]),
      await dialtree(['read', file]),
      await dialtree(['read'], 'x'.repeat(20_000_001)),
    ]) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, /is larger than 20 MB\. Split it, or shorten it\./);
    }
  });
});

describe('reading a file that another file names', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-named-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = async (name: string, content: object): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, JSON.stringify(content));
    return file;
  };
  const ivrWith = (...wavs: readonly string[]): Promise<string> =>
    put('a.ivr.json', {
      name: 'A',
      start: '0',
      states: Object.fromEntries(
        wavs.map((wav, index) => [
          String(index),
          {
            prompt: { wav, text: 'Hello.' },
            ...(index + 1 < wavs.length ? { next: String(index + 1) } : { end: 'hangup' }),
          },
        ]),
      ),
    });
  const testWith = (members: object): Promise<string> =>
    put('a.calltest.json', {
      name: 'A',
      steps: [{ name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Hello' }],
      ...members,
    });

  it('rejects a pipe as a recording, a rows file, a practice IVR and a test, without waiting for it', async function () {
    if (process.platform === 'win32') this.skip();
    const pipes = ['a.wav', 'a.csv', 'b.ivr.json', 'b.calltest.json'];
    for (const name of pipes) execFileSync('mkfifo', [path.join(folder, name)]);
    await symlink(path.join(folder, 'a.wav'), path.join(folder, 'link.wav'));
    for (const wav of ['a.wav', './a.wav', 'link.wav'])
      await assert.rejects(
        loadIvr(await ivrWith(wav)),
        { code: 'ivr_recording', message: /isn't a regular file/ },
        wav,
      );
    const ivr = path.join(folder, 'b.ivr.json');
    await assert.rejects(loadIvr(ivr), { code: 'file_not_regular' });
    for (const test of [await testWith({ ivr: 'b.ivr.json' }), path.join(folder, 'b.calltest.json')])
      await assert.rejects(loadTests([test], folder), { message: /isn't a regular file/ }, test);
    await assert.rejects(loadTests([await testWith({ phoneNumber: '+12125550123', rowsFile: 'a.csv' })], folder), {
      message: /isn't a regular file/,
    });
  });

  it('rejects a recording that is too large before it reads it', async () => {
    const large = path.join(folder, 'large.wav');
    await writeFile(large, '');
    await truncate(large, 1_500_000_000);
    const before = process.memoryUsage.rss();
    await assert.rejects(loadIvr(await ivrWith('large.wav')), { code: 'ivr_recording', message: /larger than 20 MB/ });
    assert.ok(process.memoryUsage.rss() - before < 200_000_000, 'nothing was read');
  });

  it('rejects recordings that are too large together, whatever names they have', async () => {
    const pcm = new Int16Array(9_000_000);
    await writeFile(path.join(folder, 'a.wav'), writeWav({ sampleRate: 8000, channels: [pcm] }));
    const names = [
      'a.wav',
      './a.wav',
      '././a.wav',
      './././a.wav',
      '../x/a.wav'.replace('../x', `../${path.basename(folder)}`),
    ];
    await assert.rejects(loadIvr(await ivrWith(...names, './/a.wav')), {
      code: 'file_too_large',
      message: /recordings are larger than 100 MB together/,
    });
  });

  it('reads a file that hides its size up to the limit', async function () {
    if (process.platform !== 'linux') this.skip();
    await assert.rejects(readBounded('/proc/self/environ', { maxBytes: 10 }), { code: 'file_too_large' });
    assert.match((await readBounded('/proc/self/stat')).toString(), /^\d+ /);
  });
});
