import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpeechError } from './ear.ts';

interface ManifestFile {
  readonly to: string;
  readonly bytes: number;
  readonly sha512: string;
}

interface Manifest {
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    readonly files: readonly ManifestFile[];
  }[];
}

const nextStep = 'Run `node src/speech/assets/extract.mjs` in a source tree, or reinstall Dialtree.';

/** The model files in one folder, verified against the manifest beside them. */
export class AssetFiles {
  readonly directory: string;
  #manifest: Promise<Manifest> | undefined;

  constructor(directory: string) {
    this.directory = directory;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  /** Returns the verified bytes. Rejects with SpeechError if the file is missing or doesn't match the manifest. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    const manifest = await (this.#manifest ??= this.#readManifest());
    const expected = manifest.packages.flatMap((entry) => entry.files).find((file) => file.to === name);
    if (!expected)
      throw new SpeechError(`The speech model file ${name} isn't in ${this.path('manifest.json')}. ${nextStep}`);
    const bytes = await this.#bytes(name);
    if (bytes.length !== expected.bytes || createHash('sha512').update(bytes).digest('base64') !== expected.sha512) {
      throw new SpeechError(`The speech model file ${this.path(name)} is damaged. Delete it, then: ${nextStep}`);
    }
    return bytes;
  }

  /** Verifies every file below a folder, for code that reads its files itself. */
  async verify(folder: string): Promise<void> {
    const manifest = await (this.#manifest ??= this.#readManifest());
    const names = manifest.packages
      .flatMap((entry) => entry.files)
      .map((file) => file.to)
      .filter((name) => name.startsWith(`${folder}/`));
    await Promise.all(names.map((name) => this.read(name)));
  }

  async #readManifest(): Promise<Manifest> {
    return JSON.parse(new TextDecoder().decode(await this.#bytes('manifest.json'))) as Manifest;
  }

  async #bytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
    try {
      const buffer = await readFile(this.path(name));
      return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    } catch (cause) {
      throw new SpeechError(`The speech model file ${this.path(name)} is missing. ${nextStep}`, { cause });
    }
  }
}
