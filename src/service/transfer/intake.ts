import type { Transaction } from 'kysely';
import type { Database } from '../store/schema.ts';
import { insertFirstKey } from '../workspaces/registration.ts';
import type { TransferOptions, TransferSummary } from './exportWorkspace.ts';
import { endInterrupted } from './interrupted.ts';
import { findNewPlace } from './newPlace.ts';
import type { CarriedRow } from './rows.ts';
import type { StagedRecordings } from './stagedRecordings.ts';
import { insertRows, type CarriedTable } from './tables.ts';
import { refuseTakenIds } from './takenIds.ts';
import type { WorkspaceFile } from './workspaceFile.ts';

const batchRows = 200;

export interface ImportSummary extends TransferSummary {
  /** The first key of a new workspace. It isn't stored, so it can't be shown again. */
  readonly apiKey?: string;
}

/** Stores the entries of a file as they arrive, in batches of one table. */
export async function storeEntries(
  transaction: Transaction<Database>,
  recordings: StagedRecordings,
  { header, entries }: WorkspaceFile,
  { shared, now, signal, onProgress }: TransferOptions & { readonly shared: boolean },
): Promise<ImportSummary> {
  const first = await entries.next();
  if (first.done === true || first.value.table !== 'workspaces') throw new Error('a row came before its workspace');
  const { workspaceId, merged, made, place } = await findNewPlace(transaction, first.value.row, shared);
  const done = { rows: 0, recordings: 0 };
  const skipped: Partial<Record<CarriedTable, number>> = {};
  const count = (table: CarriedTable, stored: number, left: number): void => {
    done.rows += stored;
    if (left > 0) skipped[table] = (skipped[table] ?? 0) + left;
  };
  count('workspaces', made ? 1 : 0, made ? 0 : 1);

  /** Runs of this file that weren't here. */
  const runs = new Set<string>();
  let batch: CarriedRow[] = [];
  const flush = async (): Promise<void> => {
    const [table, rows] = [batch[0]?.table, batch.map(({ row }) => row)];
    batch = [];
    if (!table) return;
    await refuseTakenIds(transaction, table, rows, workspaceId);
    const stored = await insertRows(transaction, table, rows, merged);
    if (table === 'mapping_runs') for (const id of stored) runs.add(id ?? '');
    count(table, stored.length, rows.length - stored.length);
  };
  for await (const entry of entries) {
    signal?.throwIfAborted();
    if (batch[0]?.table !== entry.table || batch.length >= batchRows) await flush();
    // A run that already exists stays as it is.
    if ((entry.table === 'mapping_steps' || entry.table === 'recordings') && !runs.has(entry.row.run_id))
      count(entry.table, 0, 1);
    else {
      if (entry.table === 'recordings') {
        await recordings.add(entry.row, entry.wav);
        done.recordings += 1;
      }
      batch.push(place(endInterrupted(entry, header.exportedAt)));
    }
    onProgress?.(done);
  }
  await flush();
  // The local workspace has the key of its data folder.
  const key = merged ? undefined : await insertFirstKey(transaction, workspaceId, 'workspace.imported', now);
  return { workspaceId, ...done, skipped, ...(key && { apiKey: key.apiKey }) };
}
