import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isTestFile, readTestFile } from '../../../../src/model/tests/testFile.ts';
import { SampleCopies } from '../../../../src/editor/host/sampleCopies.ts';
import { commandsIn } from '../fakeEditor.ts';

const samples = path.resolve(import.meta.dirname, '../../../../media/samples');

describe('the first steps', () => {
  let folder: string, kept: string, copies: SampleCopies;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-samples-'));
    kept = path.join(folder, 'storage', 'samples');
    copies = new SampleCopies(samples, kept);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  describe('copies of the samples', () => {
    it('contain every file, valid and without the test IDs of the samples', async () => {
      await copies.copyTo(folder);
      const names = await readdir(samples);
      assert.deepEqual((await readdir(folder)).sort(), names.sort());
      const tests = names.filter((name) => isTestFile(name));
      assert.equal(tests.length, 6);
      for (const name of tests) {
        const text = await readFile(path.join(folder, name), 'utf8');
        const read = await readTestFile(text, name, async (beside) => ({
          text: await readFile(path.join(folder, beside), 'utf8'),
          file: beside,
        }));
        assert.ok(!('problems' in read), name);
        assert.equal(read.test.id, undefined, name);
        assert.doesNotMatch(text, /\$schema/, name);
      }
      // Comments and layout are unchanged.
      const [own, given] = await Promise.all(
        [folder, samples].map((place) => readFile(path.join(place, 'bank.calltest.json'), 'utf8')),
      );
      assert.equal(own, given?.replace(/ {2}"\$schema".*\n {2}"id".*\n/, ''));
    });

    it("keep the person's changes", async () => {
      await copies.copyTo(folder);
      await writeFile(path.join(folder, 'bank.mission.json'), '{ "name": "Mine" }');
      await rm(path.join(folder, 'bank.ivr.json'));
      await copies.copyTo(folder);
      assert.equal(await readFile(path.join(folder, 'bank.mission.json'), 'utf8'), '{ "name": "Mine" }');
      assert.equal(
        await readFile(path.join(folder, 'bank.ivr.json'), 'utf8'),
        await readFile(path.join(samples, 'bank.ivr.json'), 'utf8'),
      );
    });

    it("go into the extension's folder if none was chosen, beside the IVR that they call", async () => {
      const mission = await copies.mission('bank');
      assert.equal(mission, path.join(kept, 'bank.mission.json'));
      assert.ok((await readdir(kept)).includes('bank.ivr.json'));
      assert.deepEqual(
        [mission, kept, path.join(folder, 'bank.mission.json')].map((file) => copies.isKept(file)),
        [true, false, false],
      );
    });

    it('know their sample while they are unchanged', async () => {
      await copies.mission('bank');
      const [copy, original] = [kept, samples].map((place) => path.join(place, 'bank.ivr.json'));
      assert.deepEqual(
        [copy!, original!, path.join(kept, 'none.ivr.json')].map((file) => copies.originalOf(file)),
        [original, undefined, undefined],
      );
      await writeFile(copy!, '{}');
      assert.equal(copies.originalOf(copy!), undefined);
    });

    it("don't appear if the samples are missing", async () => {
      for (const name of ['nobody', '', '../samples/bank', '..'])
        assert.equal(await copies.mission(name), undefined, name);
      await assert.rejects(readdir(kept), { code: 'ENOENT' });
    });
  });

  describe('commands', () => {
    let shown: (string | undefined)[], opened: string[], chosen: string | undefined;
    const run = async (
      id: 'dialtree.walkthrough.open' | 'dialtree.samples.open',
      value?: unknown,
    ): Promise<unknown> => {
      const answer: unknown = await commandsIn({
        copies,
        context: { extension: { id: 'publisher.dialtree' } },
        workbench: {
          showWalkthrough: (walkthrough, step) => {
            assert.equal(walkthrough, 'publisher.dialtree#start');
            shown.push(step);
            return Promise.resolve();
          },
          askSamplesFolder: () => Promise.resolve(chosen),
          openFolder: (name) => {
            opened.push(name);
            return Promise.resolve();
          },
          goOnIn: (name) => ({ openFolder: name }),
        },
      })[id](value);
      return answer;
    };
    beforeEach(() => {
      shown = [];
      opened = [];
      chosen = undefined;
    });

    it('show the walkthrough, at a step if one is named', async () => {
      await run('dialtree.walkthrough.open');
      await run('dialtree.walkthrough.open', { step: 'line' });
      assert.deepEqual(shown, [undefined, 'line']);
    });

    it('open a folder of samples in the chosen one, and reopen an existing one', async () => {
      chosen = folder;
      await run('dialtree.samples.open');
      const made = path.join(folder, 'dialtree-samples');
      await writeFile(path.join(made, 'bank.mission.json'), '{}');
      await run('dialtree.samples.open', { folder });
      assert.deepEqual(opened, [made, made]);
      assert.equal(await readFile(path.join(made, 'bank.mission.json'), 'utf8'), '{}');
    });

    it('leave the opening to the editor if the walkthrough asks, and it continues there', async () => {
      const made = path.join(folder, 'dialtree-samples');
      assert.deepEqual(await run('dialtree.samples.open', { folder, fromWalkthrough: true }), { openFolder: made });
      assert.ok((await readdir(made)).includes('bank.mission.json'));
      assert.deepEqual(opened, []);
    });

    it('open nothing if the person cancels', async () => {
      await run('dialtree.samples.open');
      assert.deepEqual([opened, await readdir(folder)], [[], []]);
    });

    it("say what to do if the folder can't be created", async () => {
      await mkdir(path.join(folder, 'taken'));
      await writeFile(path.join(folder, 'taken', 'dialtree-samples'), '');
      await assert.rejects(run('dialtree.samples.open', { folder: path.join(folder, 'taken') }), {
        code: 'samples_folder',
        message: /Choose a folder that you can write to/,
      });
      assert.deepEqual(opened, []);
    });

    it('reject arguments of another shape', async () => {
      await assert.rejects(run('dialtree.samples.open', { folder: '' }), { code: 'bad_argument' });
      await assert.rejects(run('dialtree.walkthrough.open', 'line'), { code: 'bad_argument' });
    });
  });
});
