import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HumanError } from '../../contract/errors.ts';
import { readWav } from '../../speech/wav.ts';
import { Recordings } from '../runs/recordings.ts';
import { diskFull, isDiskFull } from '../store/diskSpace.ts';
import type { DataFolder } from '../store/folder.ts';
import type { Row } from './rows.ts';

/** Recordings of an import, separate until the rows are stored, so that those of other runs aren't touched. */
export class StagedRecordings {
  readonly #folder: DataFolder;
  readonly #directory: string;
  readonly #staged: Recordings;
  readonly #runs = new Set<string>();
  readonly #moved: string[] = [];

  constructor(folder: DataFolder) {
    this.#folder = folder;
    this.#directory = join(folder.path, `import-unfinished-${randomUUID()}`);
    this.#staged = new Recordings(this.#directory);
  }

  /** Rejects if the audio doesn't match its row. */
  async add(row: Row<'recordings'>, wav: Uint8Array): Promise<void> {
    const [pcm] = readWav(wav).channels;
    this.#runs.add(row.run_id);
    try {
      await this.#folder.create();
      const { bytes } = await this.#staged.write(row.run_id, row.step_id, pcm ?? new Int16Array());
      if (bytes !== row.bytes || bytes !== wav.length)
        throw new HumanError(
          'A recording in this file is damaged. Export the workspace again, or copy the file again.',
          { status: 400 },
        );
    } catch (error) {
      throw isDiskFull(error) ? diskFull(this.#folder.path, error) : error;
    }
  }

  /**
   * Moves everything into place. The caller holds the rows of these runs, and no other row has their ids
   * (`refuseTakenIds`), so existing files belong to runs that are gone.
   */
  async moveIn(): Promise<void> {
    if (this.#runs.size > 0) await mkdir(this.#folder.recordings, { recursive: true, mode: 0o700 });
    for (const run of this.#runs) {
      const place = join(this.#folder.recordings, run);
      await rm(place, { recursive: true, force: true });
      await rename(join(this.#directory, run), place);
      this.#moved.push(place);
    }
  }

  async takeBack(): Promise<void> {
    for (const place of this.#moved.splice(0)) await rm(place, { recursive: true, force: true });
  }

  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}
