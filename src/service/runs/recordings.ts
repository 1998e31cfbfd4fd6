import { createHash } from 'node:crypto';
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import { interleaved, wavHeader, wavHeaderBytes } from '../../speech/wav.ts';
import { writeFileWhole } from '../store/folder.ts';

const sampleRate = 8000;
/** 60 s. */
const samplesAtOnce = sampleRate * 60;

/** The audio of steps and of whole calls as WAV files, in one folder per run. */
export class Recordings {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** One channel, or both sides of a call, which are written in parts. */
  async write(
    runId: string,
    stepId: string,
    audio: Int16Array | CallAudio,
  ): Promise<{ readonly bytes: number; readonly seconds: number }> {
    const channels = audio instanceof Int16Array ? 1 : 2;
    const dataLength = audio.length * channels * 2;
    await mkdir(join(this.#directory, runId), { recursive: true, mode: 0o700 });
    await writeFileWhole(this.#path(runId, stepId), wavParts(audio, wavHeader({ sampleRate, channels, dataLength })));
    return { bytes: wavHeaderBytes + dataLength, seconds: audio.length / sampleRate };
  }

  /** Returns undefined if the file doesn't exist. */
  async open(
    runId: string,
    stepId: string,
  ): Promise<{ readonly file: FileHandle; readonly bytes: number } | undefined> {
    const file = await open(this.#path(runId, stepId), 'r').catch(() => undefined);
    return file && { file, bytes: (await file.stat()).size };
  }

  /** Yields the runs whose recordings haven't changed since then. */
  async *untouchedSince(moment: Date): AsyncGenerator<string> {
    const folder = await opendir(this.#directory).catch(() => undefined);
    if (!folder) return;
    for await (const entry of folder) {
      const written = entry.isDirectory()
        ? await stat(join(this.#directory, entry.name)).catch(() => undefined)
        : undefined;
      if (written && written.mtime < moment) yield entry.name;
    }
  }

  async remove(runId: string, stepId?: string): Promise<void> {
    await rm(stepId === undefined ? join(this.#directory, runId) : this.#path(runId, stepId), {
      recursive: true,
      force: true,
    });
  }

  /** Ids come from the crawl. They become file names only if they are plainly harmless. */
  #path(runId: string, stepId: string): string {
    const name = /^[A-Za-z0-9_-]{1,80}$/.test(stepId) ? stepId : createHash('sha256').update(stepId).digest('hex');
    return join(this.#directory, runId, `${name}.wav`);
  }
}

function* wavParts(audio: Int16Array | CallAudio, header: Uint8Array): Generator<Uint8Array> {
  yield header;
  for (let from = 0; from < audio.length; from += samplesAtOnce) {
    const to = Math.min(audio.length, from + samplesAtOnce);
    if (audio instanceof Int16Array) yield interleaved([audio.subarray(from, to)]);
    else {
      const { us, them } = audio.read(from, to);
      yield interleaved([us, them]);
    }
  }
}
