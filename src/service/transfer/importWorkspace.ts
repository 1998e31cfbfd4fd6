import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { SpeechError } from '../../speech/ear.ts';
import { readWav } from '../../speech/wav.ts';
import { Recordings } from '../runs/recordings.ts';
import { diskFull, isDiskFull } from '../store/diskSpace.ts';
import type { DataFolder } from '../store/folder.ts';
import { isBroken } from '../store/postgresServer.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { localRights, localWorkspaceId } from '../workspaces/localKey.ts';
import { insertFirstKey } from '../workspaces/registration.ts';
import type { TransferOptions, TransferSummary } from './exportWorkspace.ts';
import type { CarriedRow, CarriedTableRow } from './rows.ts';
import { insertRows } from './tables.ts';
import { readWorkspaceFile, type FileEntry } from './workspaceFile.ts';

export interface ImportSummary extends TransferSummary {
  /** The first key of a new workspace. It isn't stored, so it can't be shown again. */
  readonly apiKey?: string;
}

/**
 * Imports a file of `exportWorkspace` into this store: all of it, or nothing. A new workspace is like one that a program
 * registered: without an owner, minutes or any permission to call. The local workspace of another installation fills
 * this one's, which must be empty; on a database server, it becomes a new workspace with a new id. Rejects with
 * HumanError 400 if the file is invalid, 409 if parts of it already exist here, or with the signal's reason if it is
 * aborted.
 */
export async function importWorkspace(
  store: Store,
  folder: DataFolder,
  path: string,
  { now, ...options }: TransferOptions & { readonly now: Date },
): Promise<ImportSummary> {
  const entries = readWorkspaceFile(path, options.signal);
  const recordings = new ImportedRecordings(folder);
  let committing = false;
  try {
    const summary = await store.write(async (transaction) => {
      // Audio is written between two rows, to a disk that can be slow.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      const first = await entries.next();
      if (first.done === true || first.value.table !== 'workspaces') throw new Error('a row came before its workspace');
      const isLocal = first.value.row.id === localWorkspaceId && store.notices === undefined;
      const workspaceId = await insertWorkspace(transaction, first.value.row, isLocal);
      const done = await storeEntries(transaction, workspaceId, entries, recordings, options);
      // The local workspace has the key of its data folder.
      const key = isLocal ? undefined : await insertFirstKey(transaction, workspaceId, 'workspace.imported', now);
      options.signal?.throwIfAborted();
      committing = true;
      return { workspaceId, ...done, ...(key && { apiKey: key.apiKey }) };
    });
    await store.sync();
    return summary;
  } catch (error) {
    // If the connection broke at the very end, the rows may be stored, so their recordings stay.
    if (!committing || !isBroken(error)) await recordings.remove();
    throw explain(error, path, folder);
  } finally {
    await entries.return(undefined);
  }
}

/** Creates the workspace without any right to call, or fills the local one. Returns its id. */
async function insertWorkspace(
  transaction: Transaction<Database>,
  { id, name, default_profile_id, created_at }: CarriedTableRow<'workspaces'>,
  isLocal: boolean,
): Promise<string> {
  if (isLocal && (await hasContent(transaction)))
    throw new HumanError(
      'Nothing was imported, because the local workspace of this data folder already has content. Import into a new data folder.',
      { status: 409 },
    );
  const workspaceId = id === localWorkspaceId && !isLocal ? randomUUID() : id;
  const rights = isLocal ? localRights : ({ kind: 'agent' } as const);
  const row = { id: workspaceId, name, default_profile_id, created_at: new Date(created_at), ...rights };
  const insert = transaction.insertInto('workspaces').values(row);
  await (
    isLocal ? insert.onConflict((conflict) => conflict.column('id').doUpdateSet({ default_profile_id })) : insert
  ).execute();
  return workspaceId;
}

async function hasContent(transaction: Transaction<Database>): Promise<boolean> {
  for (const table of ['mapping_jobs', 'tests', 'profiles', 'workspace_settings'] as const) {
    const found = transaction.selectFrom(table).select('workspace_id').where('workspace_id', '=', localWorkspaceId);
    if (await found.limit(1).executeTakeFirst()) return true;
  }
  return false;
}

const batchRows = 200;

/** Stores rows as they arrive, in batches of one table. */
async function storeEntries(
  transaction: Transaction<Database>,
  workspaceId: string,
  entries: AsyncIterable<FileEntry>,
  recordings: ImportedRecordings,
  { signal, onProgress }: TransferOptions,
): Promise<{ readonly rows: number; readonly recordings: number }> {
  const done = { rows: 1, recordings: 0 };
  let batch: CarriedRow[] = [];
  const flush = async (): Promise<void> => {
    const [first] = batch;
    const rows = batch.map(({ row }) => ('workspace_id' in row ? { ...row, workspace_id: workspaceId } : row));
    batch = [];
    if (!first) return;
    if (first.table === 'mapping_runs') await refuseTakenRuns(transaction, rows);
    await insertRows(transaction, first.table, rows);
    done.rows += rows.length;
  };
  for await (const entry of entries) {
    signal?.throwIfAborted();
    if (batch[0]?.table !== entry.table || batch.length >= batchRows) await flush();
    if (entry.table === 'recordings' && entry.wav) {
      await recordings.write(entry.row, entry.wav);
      done.recordings += 1;
    }
    batch.push(entry);
    onProgress?.(done);
  }
  await flush();
  return done;
}

/**
 * Refuses the id of a run of another kind: recordings, usage and signed addresses are found by the id of a run alone.
 * The store itself refuses an id that another mapping has for a run.
 * @throws HumanError 409
 */
async function refuseTakenRuns(transaction: Transaction<Database>, rows: readonly CarriedRow['row'][]): Promise<void> {
  const ids = rows.flatMap((row) => ('id' in row ? row.id : []));
  const found = await sql`
    SELECT 1 FROM (
      SELECT id FROM test_runs UNION ALL SELECT id FROM test_launches UNION ALL SELECT id FROM load_tests
      UNION ALL SELECT run_id FROM ledger UNION ALL SELECT run_id FROM slots
    ) AS run WHERE id IN (${sql.join(ids)}) LIMIT 1`.execute(transaction);
  if (found.rows.length > 0) throw taken();
}

/**
 * Recordings of runs whose rows were stored just before, so nothing else in the store has the same ids. After a crash,
 * retention deletes those that no run names.
 */
class ImportedRecordings {
  readonly #folder: DataFolder;
  readonly #recordings: Recordings;
  readonly #runs = new Set<string>();

  constructor(folder: DataFolder) {
    this.#folder = folder;
    this.#recordings = new Recordings(folder.recordings);
  }

  /** Rejects with SpeechError if the audio doesn't match its row. */
  async write({ run_id: run, step_id: step, bytes }: CarriedTableRow<'recordings'>, wav: Uint8Array): Promise<void> {
    const [pcm] = readWav(wav).channels;
    if (!this.#runs.has(run)) {
      await this.#folder.create();
      // Existing files belong to a run that is gone.
      await this.#recordings.remove(run);
      this.#runs.add(run);
    }
    const written = await this.#recordings.write(run, step, pcm ?? new Int16Array());
    if (written.bytes !== bytes || written.bytes !== wav.length)
      throw new SpeechError('The size of the audio differs.');
  }

  async remove(): Promise<void> {
    for (const run of this.#runs) await this.#recordings.remove(run);
  }
}

const taken = (cause?: unknown): HumanError =>
  new HumanError(
    'Nothing was imported, because ids in this file already belong to something else in this store. The file may have been imported before.',
    { status: 409, cause },
  );

function explain(error: unknown, path: string, folder: DataFolder): unknown {
  if (isDiskFull(error)) return diskFull(folder.path, error);
  if (error instanceof SpeechError)
    return new HumanError(`${path} contains a damaged recording. Export the workspace again, or copy the file again.`, {
      status: 400,
      cause: error,
    });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // PostgreSQL, appendix A: unique_violation; class 22, data exception; class 23, integrity constraint violation.
  if (code === '23505') return taken(error);
  return /^2[23]...$/.test(code)
    ? new HumanError(
        `${path} isn't valid: the store rejected its rows. Export the workspace again, then import the new file.`,
        { status: 400, cause: error },
      )
    : error;
}
