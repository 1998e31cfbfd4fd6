import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { SpeechError } from '../../speech/ear.ts';
import type { DataFolder } from '../store/folder.ts';
import { isBroken } from '../store/postgresServer.ts';
import type { Store } from '../store/store.ts';
import type { TransferOptions } from './exportWorkspace.ts';
import { storeEntries, type ImportSummary } from './intake.ts';
import { StagedRecordings } from './stagedRecordings.ts';
import { openWorkspaceFile } from './workspaceFile.ts';

/**
 * Imports a file of `exportWorkspace` into this store: all of it, or nothing. The local workspace of another
 * installation is merged into this one's; on a database server it gets a new id. A new workspace is like one that a
 * program registered: without an owner, minutes or any permission to call. Rejects with HumanError 400 if the file is
 * invalid, 409 if its workspace already exists here, or with the signal's reason if it is aborted.
 */
export async function importWorkspace(
  store: Store,
  folder: DataFolder,
  path: string,
  options: TransferOptions,
): Promise<ImportSummary> {
  const { signal } = options;
  const file = await openWorkspaceFile(path, signal);
  const recordings = new StagedRecordings(folder);
  let committing = false;
  try {
    const summary = await store.write(async (transaction) => {
      // Audio is written between two rows, to a disk that can be slow.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      // Two files at the same moment wouldn't see each other's ids (`refuseTakenIds`).
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('imports', 0))`.execute(transaction);
      const stored = await storeEntries(transaction, recordings, file, {
        ...options,
        shared: store.notices !== undefined,
      });
      signal?.throwIfAborted();
      await recordings.moveIn();
      committing = true;
      return stored;
    });
    await store.sync();
    return summary;
  } catch (error) {
    // If the connection broke at the very end, the rows may be stored, so their recordings stay.
    if (!committing || !isBroken(error)) await recordings.takeBack();
    throw explain(error, path);
  } finally {
    await file.entries.return(undefined);
    await recordings.clear();
  }
}

function explain(error: unknown, path: string): unknown {
  if (error instanceof SpeechError)
    return new HumanError(
      `${path} is damaged: it contains a recording that isn't a WAV file. Export the workspace again.`,
      { status: 400, cause: error },
    );
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // PostgreSQL, appendix A: unique_violation; class 22, data exception; class 23, integrity constraint violation.
  if (code === '23505')
    return new HumanError(
      `Nothing was imported, because this store already has parts of ${path} in another workspace. The file may have been imported before.`,
      { status: 409, cause: error },
    );
  return /^2[23]...$/.test(code)
    ? new HumanError(
        `${path} isn't valid: the store rejected its rows. Export the workspace again, then import the new file.`,
        { status: 400, cause: error },
      )
    : error;
}
