import { sql } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { SpeechError } from '../../speech/ear.ts';
import type { DataFolder } from '../store/folder.ts';
import { isBroken } from '../store/postgresServer.ts';
import type { Store } from '../store/store.ts';
import type { TransferOptions, TransferSummary } from './exportWorkspace.ts';
import type { Grant, GrantCounts } from './grants.ts';
import { Intake } from './intake.ts';
import { StagedRecordings } from './stagedRecordings.ts';
import { openWorkspaceFile } from './workspaceFile.ts';

export interface ImportSummary extends TransferSummary {
  /** The file's workspace was the local one of an installation and now belongs to a server: `workspaceId` is new. */
  readonly fromLocal: boolean;
  /** Grants that were requested, and those that weren't. */
  readonly taken: GrantCounts;
  readonly left: GrantCounts;
}

interface ImportOptions extends Omit<TransferOptions, 'now'> {
  /** Default: none. */
  readonly granted?: ReadonlySet<Grant>;
}

/**
 * Imports a file of `exportWorkspace` into this store: all of it, or nothing. The local workspace of another
 * installation is merged into this one's; on a database server it becomes an ordinary workspace, with a new id and
 * without any permission to call. Without `granted`, a workspace arrives on the tier `free`, without minutes, keys,
 * consents and people. Rejects with HumanError 400 if the file is invalid, 409 if its workspace already exists here, or
 * with the signal's reason if it is aborted.
 */
export async function importWorkspace(
  store: Store,
  folder: DataFolder,
  path: string,
  { signal, onProgress, granted = new Set() }: ImportOptions = {},
): Promise<ImportSummary> {
  const { header, entries } = await openWorkspaceFile(path, signal);
  const recordings = new StagedRecordings(folder);
  let committing = false;
  try {
    const summary = await store.write(async (transaction) => {
      // Audio is written between two rows, to a disk that can be slow.
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      // Two files at the same moment wouldn't see each other's ids (`refuseTakenIds`).
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('imports', 0))`.execute(transaction);
      const intake = new Intake(transaction, recordings, {
        exportedAt: header.exportedAt,
        shared: store.notices !== undefined,
        granted,
      });
      for await (const entry of entries) {
        signal?.throwIfAborted();
        await intake.take(entry);
        onProgress?.(intake.done);
      }
      const counts = await intake.end();
      signal?.throwIfAborted();
      await recordings.moveIn();
      committing = true;
      return counts;
    });
    await store.sync();
    return { ...summary, fromLocal: summary.workspaceId !== header.workspaceId };
  } catch (error) {
    // If the connection broke at the very end, the rows may be stored, so their recordings stay.
    if (!committing || !isBroken(error)) await recordings.takeBack();
    throw explain(error, path);
  } finally {
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
