import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql, type Transaction } from 'kysely';
import { HumanError } from '../../contract/errors.ts';
import { Recordings } from '../runs/recordings.ts';
import type { DataFolder } from '../store/folder.ts';
import { diskFull, isDiskFull } from '../store/diskSpace.ts';
import { latestMigration } from '../store/migrations.ts';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { isCarried, rowSchemas, type CarriedTable } from './rows.ts';
import { readRows } from './tables.ts';
import { fileVersion, type FileHeader } from './workspaceFile.ts';

export interface TransferOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { readonly rows: number; readonly recordings: number }) => void;
}

export interface TransferSummary {
  readonly workspaceId: string;
  readonly rows: number;
  readonly recordings: number;
}
interface ExportSummary extends TransferSummary {
  /** How many recordings aren't in the folder. */
  readonly missing: number;
}

/** Each row of recordings includes its audio. */
const chunkRows = (table: CarriedTable): number => (table === 'recordings' ? 8 : 200);

/**
 * Writes a consistent state of a workspace to a file that only its user can read: completely, or not at all. Recordings
 * that aren't in the folder are left out. Rejects with HumanError 404 if the workspace doesn't exist, or with the
 * signal's reason if it is aborted.
 */
export async function exportWorkspace(
  store: Store,
  folder: DataFolder,
  workspaceId: string,
  path: string,
  { signal, onProgress }: TransferOptions,
): Promise<ExportSummary> {
  const recordings = new Recordings(folder.recordings);
  const counts = { rows: 0, recordings: 0, missing: 0 };
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await store.db.transaction().execute(async (transaction) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(transaction);
      // Times are written in UTC, and the disk can be slow.
      await sql`SET LOCAL TIME ZONE 'UTC'`.execute(transaction);
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      const known = await transaction
        .selectFrom('workspaces')
        .select('id')
        .where('id', '=', workspaceId)
        .executeTakeFirst();
      if (!known)
        throw new HumanError("This workspace doesn't exist. `dialtree admin workspaces` lists all workspaces.", {
          status: 404,
        });
      const header: FileHeader = {
        dialtree: 'workspace',
        version: fileVersion,
        schema: latestMigration,
        workspaceId,
      };
      const lines = writeLines(transaction, recordings, header, counts, onProgress);
      await pipeline(
        lines,
        createGzip(),
        createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
        signal ? { signal } : {},
      );
    });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (isDiskFull(error)) throw diskFull(path, error);
    throw isUnwritable(error)
      ? new HumanError(`Couldn't write ${path}. Choose another location.`, { status: 400, cause: error })
      : error;
  }
  return { workspaceId, ...counts };
}

async function* writeLines(
  transaction: Transaction<Database>,
  recordings: Recordings,
  header: FileHeader,
  counts: { rows: number; recordings: number; missing: number },
  onProgress: TransferOptions['onProgress'],
): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const table of Object.keys(rowSchemas).filter(isCarried)) {
    for await (const rows of readRows(transaction, table, header.workspaceId, chunkRows(table))) {
      if (table === 'recordings') {
        for (const row of rows) yield await withAudio(recordings, row, counts);
      } else {
        counts.rows += rows.length;
        yield rows.map((row) => rowLine(table, row)).join('');
      }
      onProgress?.(counts);
    }
  }
}

const rowLine = (table: CarriedTable, row: string): string => `{"table":"${table}","row":${row}}\n`;

/** Empty if the recording is gone: its job was deleted in the meantime, or this is a different folder. */
async function withAudio(
  recordings: Recordings,
  text: string,
  counts: { rows: number; recordings: number; missing: number },
): Promise<string> {
  const row = JSON.parse(text) as { readonly run_id: string; readonly step_id: string };
  const opened = await recordings.open(row.run_id, row.step_id);
  if (!opened) {
    counts.missing += 1;
    return '';
  }
  try {
    const wav = (await opened.file.readFile()).toString('base64');
    counts.rows += 1;
    counts.recordings += 1;
    return `${rowLine('recordings', text)}${JSON.stringify({ recording: { runId: row.run_id, stepId: row.step_id }, wav })}\n`;
  } finally {
    await opened.file.close();
  }
}

const isUnwritable = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EACCES', 'EISDIR', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'].includes(String(error.code));
