import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { writeWav } from '../../../../src/speech/wav.ts';
import { dialtree, repositoryFile } from '../dialtree.ts';

const prompt = repositoryFile('test/fixtures/speech/prompts/m06.wav');

describe('dialtree transcribe', function () {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-transcribe-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("transcribes a recording with times and keys, and continues past files that it can't read", async () => {
    const text = path.join(folder, 'text.wav');
    await writeFile(text, 'no sound');
    const { code, stdout, stderr } = await dialtree([
      'transcribe',
      '--json',
      path.join(folder, 'missing.wav'),
      text,
      folder,
      prompt,
    ]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /missing\.wav: the file doesn't exist\.\n.*text\.wav: This isn't a WAV file.*\n.*: it's a folder\./,
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            file: string;
            text: string;
            words: { text: string; startMs: number; endMs: number }[];
            keys: { key: string; label: string }[];
          },
      );
    assert.equal(lines.length, 1);
    const [heard] = lines;
    assert.equal(heard?.file, prompt);
    assert.match(heard.text.toLowerCase(), /press.*call this number/);
    assert.deepEqual(
      heard.keys.map(({ key }) => key),
      ['1', '2', '*'],
    );
    assert.ok(heard.words.length > 10);
    for (const [index, word] of heard.words.entries())
      assert.ok(
        word.startMs < word.endMs && word.startMs >= (heard.words[index - 1]?.startMs ?? 0),
        `${word.text} at ${String(word.startMs)}`,
      );
  });

  it('writes nothing for silence', async () => {
    const file = path.join(folder, 'silence.wav');
    await writeFile(file, writeWav({ sampleRate: 8000, channels: [new Int16Array(16_000)] }));
    const { code, stdout } = await dialtree(['transcribe', file]);
    assert.deepEqual([code, stdout], [0, '\n']);
  });

  it('requires a file', async () => {
    const { code, stderr } = await dialtree(['transcribe']);
    assert.equal(code, 2);
    assert.match(stderr, /Give at least one WAV file\.\nUsage: dialtree transcribe/);
  });
});
