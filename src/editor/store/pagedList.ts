import { isDeepStrictEqual } from 'node:util';
import { Coalescer } from '../basics/coalescer.ts';

interface PagedRow {
  readonly id: string;
  readonly startedAt: string;
  readonly status: string;
}

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

interface PagedListParts<Item extends PagedRow> {
  /** Reads the newest page, or the one at the cursor. */
  readonly page: (cursor: string | undefined) => Promise<ListPage<Item>>;
  /** Reads these rows again, without those that don't belong here any more. Called with only a few rows. */
  readonly read: (rows: readonly Item[]) => Promise<readonly Item[]>;
  /**
   * Called with the ids of rows that look different but keep their places, or with undefined if rows may have been
   * added, removed or moved.
   */
  readonly onChange: (changed: readonly string[] | undefined) => void;
}

/** The maximum number of rows in each list. The newest stay. */
const maxRows = 1_000;
/** More rows than this are read again by pages. */
const fewRows = 10;

/**
 * Rows of the service as far as they were requested, newest first: the newest page, and further ones on demand, up to
 * `maxRows`. Stale rows are read again, and reported only if they differ.
 */
export class PagedList<Item extends PagedRow> {
  readonly #parts: PagedListParts<Item>;
  /** By id, newest first. */
  #rows: ReadonlyMap<string, Item> = new Map();
  #cursor: string | undefined;
  /** Rows were cut off at the end, where no cursor leads. */
  #isCut = false;
  #isRead = false;
  /** Rows that have changed; undefined means all rows. */
  #stale: Set<string> | undefined;
  readonly #refreshing = new Coalescer(() => this.#readStale());
  /** Grows when other rows are requested. Results of an older reading are dropped. */
  #era = 0;

  constructor(parts: PagedListParts<Item>) {
    this.#parts = parts;
  }

  get rows(): readonly Item[] {
    return [...this.#rows.values()];
  }
  get last(): Item | undefined {
    return this.rows.at(-1);
  }
  get hasMore(): boolean {
    return this.#isCut || this.#cursor !== undefined;
  }
  /** The list is full. To see older rows, request them instead of these. */
  get isFull(): boolean {
    return this.#isCut || (this.#cursor !== undefined && this.#rows.size >= maxRows);
  }
  get isRead(): boolean {
    return this.#isRead;
  }

  row(id: string): Item | undefined {
    return this.#rows.get(id);
  }

  /** Reads a changed row again, or all rows without an id. Rejects if the service doesn't respond. */
  async refresh(id?: string): Promise<void> {
    if (id === undefined) this.#stale = undefined;
    else this.#stale?.add(id);
    await this.#refreshing.request();
  }

  reset(): void {
    this.#era += 1;
    this.#rows = new Map();
    this.#cursor = undefined;
    this.#isCut = false;
    this.#isRead = false;
    this.#stale = undefined;
    this.#parts.onChange(undefined);
  }

  async loadMore(): Promise<void> {
    const [era, cursor] = [this.#era, this.#cursor];
    if (cursor === undefined || this.isFull) return;
    const page = await this.#parts.page(cursor);
    if (era !== this.#era || cursor !== this.#cursor) return;
    this.#put([...this.rows, ...page.items.filter(({ id }) => !this.#rows.has(id))], page.nextCursor);
  }

  async #readStale(): Promise<void> {
    const stale = this.#stale;
    this.#stale = new Set();
    try {
      const before = stale ?? new Set(this.rows.filter(({ status }) => status === 'running').map(({ id }) => id));
      // A row that isn't in the list is new.
      const read =
        !stale || !this.#isRead || [...stale].some((id) => !this.#rows.has(id))
          ? await this.#readNewest()
          : new Set<string>();
      // The newest page doesn't cover all rows.
      const removedRows = [...before].flatMap((id) => (read.has(id) ? [] : (this.#rows.get(id) ?? [])));
      if (removedRows.length > fewRows) await this.#readThrough();
      else if (removedRows.length > 0) await this.#readRows(removedRows);
    } catch (error) {
      this.#stale = undefined;
      throw error;
    }
  }

  async #readNewest(): Promise<ReadonlySet<string>> {
    const era = this.#era;
    const page = await this.#parts.page(undefined);
    if (era !== this.#era) return new Set();
    const ids = new Set(page.items.map(({ id }) => id));
    const older = this.rows.filter(({ id }) => !ids.has(id));
    // The earlier rows continue the new page if it reaches them. Otherwise there is a gap, and the list starts again.
    const joins = older.length > 0 && older.length < this.#rows.size && page.nextCursor !== undefined;
    if (joins) this.#put([...page.items, ...older].sort(newestFirst), this.#cursor, this.#isCut);
    else this.#put(page.items, page.nextCursor);
    return ids;
  }

  async #readThrough(): Promise<void> {
    const [era, wanted] = [this.#era, this.#rows.size];
    const rows = new Map<string, Item>();
    let cursor: string | undefined;
    do {
      const page = await this.#parts.page(cursor);
      if (era !== this.#era) return;
      for (const item of page.items) rows.set(item.id, item);
      cursor = page.nextCursor;
    } while (cursor !== undefined && rows.size < wanted);
    this.#put([...rows.values()], cursor);
  }

  async #readRows(stale: readonly Item[]): Promise<void> {
    const era = this.#era;
    const read = await this.#parts.read(stale);
    if (era !== this.#era) return;
    const rows = new Map(this.#rows);
    for (const { id } of stale) rows.delete(id);
    this.#put([...rows.values(), ...read].sort(newestFirst), this.#cursor, this.#isCut);
  }

  #put(rows: readonly Item[], cursor: string | undefined, isCut = false): void {
    const before = { rows: this.#rows, isRead: this.#isRead, hasMore: this.hasMore };
    this.#isRead = true;
    this.#rows = new Map(rows.slice(0, maxRows).map((row) => [row.id, row]));
    this.#isCut = isCut || rows.length > maxRows;
    this.#cursor = cursor;
    const places = [...this.#rows.keys()];
    const stays =
      before.isRead &&
      before.hasMore === this.hasMore &&
      before.rows.size === places.length &&
      [...before.rows.keys()].every((id, at) => id === places[at]);
    const changed = places.filter((id) => !isDeepStrictEqual(before.rows.get(id), this.#rows.get(id)));
    if (!stays) this.#parts.onChange(undefined);
    else if (changed.length > 0) this.#parts.onChange(changed);
  }
}

/** The service orders rows with the same time by id. */
const newestFirst = (one: Pick<PagedRow, 'id' | 'startedAt'>, other: Pick<PagedRow, 'id' | 'startedAt'>): number =>
  Date.parse(other.startedAt) - Date.parse(one.startedAt) || (one.id < other.id ? 1 : -1);
