import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** 60 s. */
const blockSamples = 8000 * 60;
/** Prompts are compared within this time. Only a recording of the whole call needs older audio. */
const blocksInMemory = 10;

/** Closes the file of a recording that isn't used any more, which deletes it. */
const unused = new FinalizationRegistry<number>(closeSync);

/**
 * The audio of a call: 8 kHz, 16 bit, mono, about 58 MB an hour. The last minutes are in memory, and older ones in a
 * temporary file without a name, which other programs can't open and which disappears with this process. If the file
 * can't be written, for example because the disk is full, everything stays in memory.
 */
export class Recording {
  /** By their number. Undefined if the block is in the file. */
  readonly #blocks: (Int16Array | undefined)[] = [];
  #file: number | undefined;
  #mayMove = true;
  length = 0;

  append(pcm: Int16Array): void {
    for (let taken = 0; taken < pcm.length;) {
      const at = this.length % blockSamples;
      if (at === 0) this.#blocks.push(this.#moveOldest() ?? new Int16Array(blockSamples));
      const part = pcm.subarray(taken, taken + blockSamples - at);
      this.#blocks.at(-1)?.set(part, at);
      taken += part.length;
      this.length += part.length;
    }
  }

  slice(from: number, to: number): Int16Array {
    const start = Math.max(0, from);
    const pcm = new Int16Array(Math.max(0, Math.min(to, this.length) - start));
    for (let taken = 0; taken < pcm.length;) {
      const number = Math.floor((start + taken) / blockSamples);
      const at = start + taken - number * blockSamples;
      const part = pcm.subarray(taken, taken + blockSamples - at);
      const block = this.#blocks[number];
      if (block) part.set(block.subarray(at, at + part.length));
      else this.#read(part, (number * blockSamples + at) * 2);
      taken += part.length;
    }
    return pcm;
  }

  /** Returns the oldest block in memory after moving it to the file, or undefined if it stays. */
  #moveOldest(): Int16Array | undefined {
    const number = this.#blocks.length - blocksInMemory;
    const block = this.#blocks[number];
    if (!this.#mayMove || !block) return undefined;
    try {
      this.#file ??= this.#openFile();
      const bytes = new Uint8Array(block.buffer);
      for (let written = 0; written < bytes.length;)
        written += writeSync(this.#file, bytes, written, bytes.length - written, number * bytes.length + written);
      this.#blocks[number] = undefined;
      return block;
    } catch {
      this.#mayMove = false;
      return undefined;
    }
  }

  #openFile(): number {
    const name = path.join(os.tmpdir(), `dialtree-call-${randomUUID()}`);
    const file = openSync(name, 'wx+', 0o600);
    unused.register(this, file);
    rmSync(name);
    return file;
  }

  #read(pcm: Int16Array, position: number): void {
    const bytes = new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    for (let read = 0; read < bytes.length;) {
      const count =
        this.#file === undefined ? 0 : readSync(this.#file, bytes, read, bytes.length - read, position + read);
      if (count === 0) throw new Error('The temporary file of a call is too short.');
      read += count;
    }
  }
}
