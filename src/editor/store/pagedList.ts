import { isStatus } from '../errors.ts';
import { Coalescer } from './coalescer.ts';

interface Row { readonly id: string; readonly startedAt: string; readonly status: string }

export interface PagedListParts<Item extends Row> {
  /** The newest page, or the one that the cursor leads to. */
  readonly page: (cursor: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly nextCursor?: string | undefined }>;
  /** One row as it is now; undefined where it does not belong here any more. */
  readonly read: (id: string) => Promise<Item | undefined>;
  readonly onChange: () => void;
}

/** Rows of the service as far as they were asked for, newest first: the newest page, and each further one on demand. What is said to be stale is read again. */
export class PagedList<Item extends Row> {
  readonly #parts: PagedListParts<Item>;
  #rows: readonly Item[] = [];
  #cursor: string | undefined;
  #isRead = false;
  /** Rows that have changed; undefined: all that is shown. */
  #stale: Set<string> | undefined;
  readonly #refreshing = new Coalescer(() => this.#readStale());
  /** Grows when other rows are asked for: what an older reading brings is dropped. */
  #era = 0;

  constructor(parts: PagedListParts<Item>) {
    this.#parts = parts;
  }

  get rows(): readonly Item[] { return this.#rows; }
  get hasMore(): boolean { return this.#cursor !== undefined; }
  /** Whether any answer has come. */
  get isRead(): boolean { return this.#isRead; }

  /** Reads a row again that has changed; without an id, all that is shown. Rejects when the service does not answer. */
  async refresh(id?: string): Promise<void> {
    if (id === undefined) this.#stale = undefined;
    else this.#stale?.add(id);
    await this.#refreshing.request();
  }

  /** Forgets everything. */
  reset(): void {
    this.#era += 1;
    this.#rows = [];
    this.#cursor = undefined;
    this.#isRead = false;
    this.#stale = undefined;
    this.#parts.onChange();
  }

  async loadMore(): Promise<void> {
    const [era, cursor] = [this.#era, this.#cursor];
    if (cursor === undefined) return;
    const page = await this.#parts.page(cursor);
    if (era !== this.#era || cursor !== this.#cursor) return;
    this.#put([...this.#rows, ...page.items.filter(({ id }) => !this.#holds(id))], page.nextCursor);
  }

  async #readStale(): Promise<void> {
    const stale = this.#stale;
    this.#stale = new Set();
    try {
      // A row that is not shown is a new one.
      const before = stale ?? new Set(this.#rows.filter(({ status }) => status === 'running').map(({ id }) => id));
      const read = !stale || !this.#isRead || [...stale].some((id) => !this.#holds(id)) ? await this.#readNewest() : new Set<string>();
      // The newest page does not reach all that is shown.
      await Promise.all([...before].filter((id) => !read.has(id) && this.#holds(id)).map((id) => this.#readRow(id)));
    } catch (error) {
      this.#stale = undefined;
      throw error;
    }
  }

  /** The ids that the newest page holds. */
  async #readNewest(): Promise<ReadonlySet<string>> {
    const era = this.#era;
    const page = await this.#parts.page(undefined);
    if (era !== this.#era) return new Set();
    const ids = new Set(page.items.map(({ id }) => id));
    const older = this.#rows.filter(({ id }) => !ids.has(id));
    // What was shown joins on where the new page reaches it; else there is a gap, and the list begins anew.
    const joins = page.nextCursor === undefined || this.#rows.some(({ id }) => ids.has(id));
    if (joins && older.length > 0 && page.nextCursor !== undefined) this.#put([...page.items, ...older].sort(newestFirst), this.#cursor);
    else this.#put(page.items, page.nextCursor);
    return ids;
  }

  async #readRow(id: string): Promise<void> {
    const era = this.#era;
    try {
      const row = await this.#parts.read(id);
      if (era === this.#era) this.#put(this.#rows.flatMap((known) => (known.id !== id ? [known] : row ? [row] : [])), this.#cursor);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }

  #holds(id: string): boolean { return this.#rows.some((row) => row.id === id); }

  #put(rows: readonly Item[], cursor: string | undefined): void {
    this.#isRead = true;
    this.#rows = rows;
    this.#cursor = cursor;
    this.#parts.onChange();
  }
}

export const newestFirst = (one: Pick<Row, 'startedAt'>, other: Pick<Row, 'startedAt'>): number => Date.parse(other.startedAt) - Date.parse(one.startedAt);
