import type { Transaction } from 'kysely';
import type { Database } from '../store/schema.ts';
import type { TransferSummary } from './exportWorkspace.ts';
import { endInterrupted } from './interrupted.ts';
import { grantOf, type Grant, type GrantCounts } from './grants.ts';
import { findNewPlace, type NewPlace } from './newPlace.ts';
import type { CarriedRow } from './rows.ts';
import type { StagedRecordings } from './stagedRecordings.ts';
import { insertRows, type CarriedTable } from './tables.ts';
import { refuseTakenIds } from './takenIds.ts';
import type { FileEntry } from './workspaceFile.ts';

const batchRows = 200;

interface IntakeOptions {
  /** When interrupted runs ended. */
  readonly exportedAt: string;
  readonly shared: boolean;
  /** What is imported; the rest is left out. */
  readonly granted: ReadonlySet<Grant>;
}

/** Stores the entries of a file as they arrive, in batches of one table. */
export class Intake {
  readonly #transaction: Transaction<Database>;
  readonly #recordings: StagedRecordings;
  readonly #options: IntakeOptions;
  readonly #skipped: Partial<Record<CarriedTable, number>> = {};
  /** People in the file whose address belongs to another person here. */
  readonly #strangers = new Set<string>();
  /** Runs of this file that weren't here. */
  readonly #runs = new Set<string>();
  readonly #granted: GrantCounts = {};
  readonly #left: GrantCounts = {};
  #place: NewPlace | undefined;
  #batch: CarriedRow[] = [];
  #rows = 0;
  #audio = 0;

  constructor(transaction: Transaction<Database>, recordings: StagedRecordings, options: IntakeOptions) {
    this.#transaction = transaction;
    this.#recordings = recordings;
    this.#options = options;
  }

  get done(): { readonly rows: number; readonly recordings: number } {
    return { rows: this.#rows, recordings: this.#audio };
  }

  async take(entry: FileEntry): Promise<void> {
    if (entry.table === 'workspaces') {
      const { shared, granted } = this.#options;
      this.#place = await findNewPlace(this.#transaction, entry.row, { shared, granted });
      if (this.#place.hasTier) this.#isGranted('tier');
      if (entry.row.tokens_granted > 0) this.#isGranted('minutes');
      if (this.#place.made) this.#rows += 1;
      else this.#skip('workspaces', 1);
      return;
    }
    if (this.#batch[0]?.table !== entry.table || this.#batch.length >= batchRows) await this.#flush();
    if (!this.#isWanted(entry)) {
      this.#skip(entry.table, 1);
      return;
    }
    const grant = grantOf[entry.table];
    if (grant && !this.#isGranted(grant)) return;
    if (entry.table === 'recordings') {
      await this.#recordings.add(entry.row, entry.wav);
      this.#audio += 1;
    }
    this.#batch.push(endInterrupted(this.#found().place(this.#carriedOf(entry)), this.#options.exportedAt));
  }

  #carriedOf(entry: FileEntry): CarriedRow {
    if (entry.table === 'recordings') return { table: entry.table, row: entry.row };
    // Only a person's key can give consent.
    return entry.table === 'api_keys' && !this.#options.granted.has('consents')
      ? { table: entry.table, row: { ...entry.row, by_person: false } }
      : entry;
  }

  async end(): Promise<TransferSummary & { readonly taken: GrantCounts; readonly left: GrantCounts }> {
    await this.#flush();
    await this.#offerUnowned();
    return {
      workspaceId: this.#found().workspaceId,
      ...this.done,
      skipped: this.#skipped,
      taken: this.#granted,
      left: this.#left,
    };
  }

  /** The keys of an installation stay there. A run that already exists stays as it is. */
  #isWanted(entry: FileEntry): boolean {
    if (entry.table === 'api_keys') return !this.#found().merged;
    return entry.table !== 'mapping_steps' && entry.table !== 'recordings' ? true : this.#runs.has(entry.row.run_id);
  }

  #isGranted(grant: Grant): boolean {
    const isGranted = this.#options.granted.has(grant);
    const counts = isGranted ? this.#granted : this.#left;
    counts[grant] = (counts[grant] ?? 0) + 1;
    return isGranted;
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    const [first] = batch;
    if (!first) return;
    this.#batch = [];
    await refuseTakenIds(this.#transaction, batch, this.#found().workspaceId);
    const stored = await this.#store(first.table, batch);
    if (first.table === 'mapping_runs') for (const id of stored) this.#runs.add(id ?? '');
    this.#rows += stored.length;
    this.#skip(first.table, batch.length - stored.length);
  }

  async #store(table: CarriedTable, batch: readonly CarriedRow[]): Promise<(string | null)[]> {
    const rows = batch.map(({ row }) => row);
    const merged = this.#found().merged ? 'any' : 'none';
    switch (table) {
      case 'people':
        return await this.#storePeople(batch);
      case 'memberships':
        return await insertRows(
          this.#transaction,
          table,
          rows.filter((row) => 'person_id' in row && !this.#strangers.has(row.person_id)),
          merged,
        );
      // A number belongs to one workspace, and gets its free minutes once.
      case 'anchors':
      case 'free_grants':
        return await insertRows(this.#transaction, table, rows, 'any');
      default:
        return await insertRows(this.#transaction, table, rows, merged);
    }
  }

  /**
   * A person who exists here, by id, isn't changed. A different person with the same address isn't merged, because an
   * address alone doesn't give access to a workspace.
   */
  async #storePeople(batch: readonly CarriedRow[]): Promise<(string | null)[]> {
    const people = batch.flatMap((entry) => (entry.table === 'people' ? [entry.row] : []));
    const stored = await insertRows(this.#transaction, 'people', people, 'any');
    const ids = people.map(({ id }) => id);
    const known = await this.#transaction.selectFrom('people').select('id').where('id', 'in', ids).execute();
    for (const id of ids) if (!known.some((person) => person.id === id)) this.#strangers.add(id);
    return stored;
  }

  /** A workspace that arrives without any of its owners can be claimed again. */
  async #offerUnowned(): Promise<void> {
    await this.#transaction
      .updateTable('workspaces')
      .set({ kind: 'agent', claimed_at: null })
      .where('id', '=', this.#found().workspaceId)
      .where('kind', '=', 'person')
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('memberships')
              .select('person_id')
              .whereRef('memberships.workspace_id', '=', 'workspaces.id'),
          ),
        ),
      )
      .execute();
  }

  #skip(table: CarriedTable, count: number): void {
    if (count > 0) this.#skipped[table] = (this.#skipped[table] ?? 0) + count;
  }

  #found(): NewPlace {
    if (!this.#place) throw new Error('a row came before its workspace');
    return this.#place;
  }
}
