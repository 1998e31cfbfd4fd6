import { tiers } from '../../contract/limits.ts';
import { recordingOfCall, recordingOfReference, type LoadTested } from '../../contract/loadTests.ts';
import { decodeUlaw } from '../../base/g711.ts';
import type { CallAudio } from '../../engine/call/callAudio.ts';
import type { CallExample } from '../../engine/load/loadCaller.ts';
import type { ReferenceCall } from '../../engine/load/reference.ts';
import type { Logger } from '../basics/log.ts';
import type { Recordings } from '../runs/recordings.ts';
import type { LoadTestRow, StoredLoadRecordings } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { readStored } from '../workspaces/stored.ts';

interface LoadRecordingsParts {
  readonly store: Store;
  readonly recordings: Recordings;
  readonly log: Logger;
}

type Reference = StoredLoadRecordings['references'][number] & { readonly bytes: number };

/** The recordings that one load test makes, as long as its workspace has space. A failure doesn't affect the test. */
export class LoadRecordings {
  readonly #parts: LoadRecordingsParts;
  readonly #row: Pick<LoadTestRow, 'id' | 'workspace_id'>;
  readonly #calls: StoredLoadRecordings['calls'][number][] = [];
  readonly #references: Reference[] = [];
  #bytes = 0;
  #bytesAtMost: number | undefined;
  #isFull = false;

  constructor(parts: LoadRecordingsParts, row: Pick<LoadTestRow, 'id' | 'workspace_id'>) {
    this.#parts = parts;
    this.#row = row;
  }

  /** Keeps the first call of each row. `row` counts from 1. */
  async addReference(row: number, { ended }: Pick<ReferenceCall, 'ended'>, audio: CallAudio): Promise<void> {
    if (this.#references.some((reference) => reference.row === row)) return;
    const bytes = await this.#write(recordingOfReference(row), audio);
    let startMs = 0;
    const stepMs = ended.steps.map((step) => (startMs = step.startMs ?? startMs));
    if (bytes > 0) this.#references.push({ row, stepMs, bytes });
  }

  async addExample({ call, us, them, stepMs }: CallExample & { readonly call: number }): Promise<void> {
    const bytes = await this.#write(recordingOfCall(call), {
      length: them.length,
      read: (from, to) => ({ us: decodeUlaw(us.subarray(from, to)), them: decodeUlaw(them.subarray(from, to)) }),
    });
    if (bytes > 0) this.#calls.push({ call, stepMs });
  }

  /** Returns what is stored. Reference calls are kept only for the rows of these calls. */
  async finish(failures: LoadTested['failures'] = []): Promise<StoredLoadRecordings | undefined> {
    const rows = new Set(failures.map(({ row = 1 }) => row));
    for (const { row, bytes } of this.#references) {
      if (rows.has(row)) continue;
      await this.#remove(recordingOfReference(row));
      this.#bytes -= bytes;
    }
    const references = this.#references.filter(({ row }) => rows.has(row));
    if (references.length > 0 || this.#calls.length > 0)
      return {
        bytes: this.#bytes,
        calls: this.#calls,
        references: references.map(({ row, stepMs }) => ({ row, stepMs })),
      };
    await this.#remove();
    return undefined;
  }

  /** Returns the bytes; 0 if the recording isn't stored. */
  async #write(name: string, audio: CallAudio): Promise<number> {
    if (this.#isFull || audio.length === 0) return 0;
    const { recordings, log } = this.#parts;
    const { id } = this.#row;
    try {
      this.#bytesAtMost ??= await this.#readSpace();
      this.#isFull = this.#bytes + audio.length * 4 > this.#bytesAtMost;
      if (this.#isFull) return 0;
      const { bytes } = await recordings.write(id, name, audio);
      this.#bytes += bytes;
      return bytes;
    } catch (error) {
      // The next one would fail too, for example because the disk is full.
      this.#isFull = true;
      log.error({ runId: id, err: error }, 'the recordings of a load test could not be stored');
      return 0;
    }
  }

  /** Returns the bytes that the workspace has left. */
  async #readSpace(): Promise<number> {
    const { db } = this.#parts.store;
    const { workspace_id: workspaceId } = this.#row;
    const { tier } = await db
      .selectFrom('workspaces')
      .select('tier')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const { recordingBytes } = await readStored(db, workspaceId, ['recordingBytes']);
    return tiers[tier].stored.recordingBytes - recordingBytes;
  }

  /** What stays is deleted with the test, or a day later. */
  async #remove(name?: string): Promise<void> {
    const { recordings, log } = this.#parts;
    const { id } = this.#row;
    await recordings
      .remove(id, name)
      .catch((error: unknown) =>
        log.error({ runId: id, err: error }, 'a recording of a load test could not be deleted'),
      );
  }
}

/** Returns the results with the addresses of their recordings. */
export function withRecordings(
  tested: LoadTested,
  { calls, references }: StoredLoadRecordings,
  addressOf: (name: string) => string,
): LoadTested {
  const stepMsOf = new Map(calls.map(({ call, stepMs }) => [call, stepMs]));
  const hasRows = tested.failures.some(({ row }) => row !== undefined);
  return {
    ...tested,
    failures: tested.failures.map((failure) => {
      const stepMs = stepMsOf.get(failure.call);
      return stepMs === undefined
        ? failure
        : { ...failure, recording: { audioUrl: addressOf(recordingOfCall(failure.call)), stepMs } };
    }),
    references: references.map(({ row, stepMs }) => ({
      audioUrl: addressOf(recordingOfReference(row)),
      stepMs: [...stepMs],
      ...(hasRows && { row }),
    })),
  };
}
