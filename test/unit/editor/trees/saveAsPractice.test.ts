import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { saveAsPractice } from '../../../../src/editor/trees/saveAsPractice.ts';
import { readWav, writeWav } from '../../../../src/speech/wav.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { FakeTreeFiles } from '../fakeTreeFiles.ts';
import { inEnglish, fakeStore, job, mapped, recordingLogger, uuid } from '../fakes.ts';

/** Silence before and after the prompt, which consists of ones. */
const recording = writeWav({
  sampleRate: 8000,
  channels: [Int16Array.from({ length: 8000 }, (_, index) => (index >= 2400 && index < 5600 ? 1 : 0))],
});
const place = { promptStartMs: 300, promptEndMs: 700 };
const tree: TreeNode = {
  stepId: 'root',
  status: 'explored',
  transcript: 'For accounts, press 1. For cards, press star.',
  audioUrl: 'http://127.0.0.1:1/root',
  ...place,
  children: [
    {
      stepId: 'a',
      digit: '1',
      status: 'explored',
      transcript: 'Accounts are closed. Goodbye.',
      end: 'hangup',
      audioUrl: 'http://127.0.0.1:1/gone',
      ...place,
    },
    {
      stepId: 'b',
      digit: '*',
      status: 'explored',
      transcript: 'Please hold.',
      end: 'hold-music',
      audioUrl: 'http://127.0.0.1:1/old',
    },
  ],
};

describe('the command dialtree.tree.saveAsPractice', () => {
  let files: FakeTreeFiles, fetched: string[], commands: string[], fresh: boolean[];
  let wait: FakeDialogs['wait'] | undefined;
  beforeEach(() => {
    files = new FakeTreeFiles({
      'file:///project/bank.calltree.json': JSON.stringify({
        name: 'Harbour Bank',
        phoneNumber: '+12025550101',
        tree: { stepId: 'root', status: 'explored', transcript: 'Goodbye.', end: 'hangup' },
      }),
    });
    files.chosen = 'file:///project/saved.ivr.json';
    [fetched, commands, fresh, wait] = [[], [], [], undefined];
  });

  const store = fakeStore(() => mapped(job(1, { name: 'Harbour Bank', phoneNumber: 'sip:bank@127.0.0.1:5070' }), tree));

  const save = async (value: unknown, ...answers: Answer[]): Promise<FakeDialogs> => {
    const dialogs = Object.assign(new FakeDialogs(...answers), wait && { wait });
    const log = recordingLogger();
    await saveAsPractice(value, {
      files,
      dialogs,
      log,
      ...inEnglish,
      store: {
        ...store,
        loadTree: (_jobId, _runNumber, options) => {
          fresh.push(options?.fresh === true);
          return store.loadTree(uuid(1));
        },
      },
      client: {
        fetchAudio: (url) => {
          fetched.push(url);
          return url.endsWith('gone')
            ? Promise.reject(new Error('This recording is gone.'))
            : Promise.resolve(recording);
        },
      },
      run: (command, uri) => {
        commands.push(`${command} ${uri}`);
        return Promise.resolve();
      },
    });
    dialogs.done();
    return dialogs;
  };
  const saved = () => ivrFileSchema.parse(files.json('file:///project/saved.ivr.json'));

  it('writes the file and the recordings of its prompts, trimmed to the prompt', async () => {
    const { shown, waits } = await save({ jobId: uuid(1), runNumber: 1 }, { press: 'Map Practice IVR' });
    assert.equal(files.offered, 'harbour-bank.ivr.json');
    assert.deepEqual(saved().states, {
      main: { prompt: { wav: 'saved.prompts/main.wav', text: tree.transcript }, keys: { 1: '1', '*': 'star' } },
      1: { prompt: 'Accounts are closed. Goodbye.', end: 'hangup' },
      star: { prompt: 'Please hold.', end: 'hold-music' },
    });
    const wav = files.contents.get('file:///project/saved.prompts/main.wav');
    assert.ok(wav instanceof Uint8Array);
    const [pcm] = readWav(wav).channels;
    // 300 ms of silence; then 60 ms before the prompt, its 400 ms, and 60 ms after it.
    assert.deepEqual([pcm?.length, pcm?.indexOf(1), pcm?.lastIndexOf(1)], [820 * 8, 360 * 8, 760 * 8 - 1]);
    assert.deepEqual(
      fetched,
      ['http://127.0.0.1:1/root', 'http://127.0.0.1:1/gone'],
      'where a prompt lies was not always kept',
    );
    assert.deepEqual(fresh, [false, true], 'addresses of recordings are asked for anew');
    assert.deepEqual(
      [waits, shown.at(-1)],
      [
        ['Fetching the recordings of Harbour Bank…'],
        'saved.ivr.json has 3 states. Prompts that use recordings: 1. [Start Practice IVR] [Map Practice IVR]',
      ],
    );
    assert.deepEqual(commands, ['dialtree.practice.map file:///project/saved.ivr.json']);
    assert.equal(saved().number, undefined, 'an address is no number');
  });

  it('synthesises the prompts of a file', async () => {
    const { shown } = await save({ file: '/project/bank.calltree.json' }, { press: 'Start Practice IVR' });
    assert.equal(
      shown.at(-1),
      'saved.ivr.json has 1 state. Prompts that use recordings: 0. [Start Practice IVR] [Map Practice IVR]',
    );
    assert.deepEqual(
      [saved().states, saved().number, fetched],
      [{ main: { prompt: 'Goodbye.', end: 'hangup' } }, '+12025550101', []],
    );
    assert.deepEqual(commands, ['dialtree.practice.start file:///project/saved.ivr.json']);
  });

  it('writes nothing if the person declines', async () => {
    files.chosen = undefined;
    await save({ jobId: uuid(1), runNumber: 1 });
    assert.deepEqual([files.names, fetched], [['bank.calltree.json'], []]);
  });

  it('writes nothing if it is cancelled', async () => {
    wait = (_title, work) => work(AbortSignal.abort());
    await save({ jobId: uuid(1), runNumber: 1 });
    assert.deepEqual(files.names, ['bank.calltree.json']);
  });
});
