import { isDeepStrictEqual } from 'node:util';
import type { LoadTest } from '../../contract/loadTests.ts';
import { testRunSchema, type TestRun } from '../../contract/testRuns.ts';
import type { WallClock } from '../basics/wallClock.ts';
import { Emitter } from '../basics/emitter.ts';
import { unlessGone } from '../basics/errors.ts';
import { DisposableStore, type Disposable } from '../basics/lifetime.ts';
import { describeCause, type Logger } from '../basics/log/logger.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { newestFirst, PagedList } from '../store/pagedList.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import type { TestNames } from '../testing/testNames.ts';
import { conditionsOf, fitsLoad, fitsRun, queryOf, showsLoads, sinceOf, type RunsFilter } from './runsFilter.ts';
import type { RunsOrder } from './runsOrder.ts';

export type ListedRun =
  { readonly kind: 'run'; readonly run: TestRun } | { readonly kind: 'load'; readonly test: LoadTest };

export const runOf = (row: ListedRun): TestRun | LoadTest => (row.kind === 'run' ? row.run : row.test);
export const idOf = (row: ListedRun): string => runOf(row).id;

interface RunsListParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<WorkspaceFeed, 'watch' | 'onDidChange'>;
  readonly names: TestNames;
  readonly clock: Pick<WallClock, 'now'>;
  readonly log: Logger;
  readonly filter?: RunsFilter;
  readonly order?: Pick<RunsOrder, 'kept' | 'onDidChange'>;
}

const firstPage = 50;
const nextPage = 100;
/** The part of a run that lists contain. */
const rowSchema = testRunSchema.strip();

/**
 * Runs of tests and load tests as far as they were requested, newest first. Follows changes while it is watched.
 * Contains up to `maxRows` of each kind; older rows replace them on request. Pinned runs come first, however old.
 */
export class RunsList {
  readonly #parts: RunsListParts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<readonly string[] | undefined>());
  /**
   * Fires with the ids of rows that look different but keep their places, or with undefined if rows may have been
   * added, removed or moved.
   */
  readonly onDidChange = this.#changed.listen;
  readonly #runs: PagedList<TestRun>;
  readonly #loads: PagedList<LoadTest>;
  #filter: RunsFilter;
  /** The start of the filter's period when the newest rows were read, in milliseconds since 1970. */
  #since: number | undefined;
  /** Pinned runs, by id, beyond what was requested. */
  #pinned: ReadonlyMap<string, ListedRun> = new Map();
  /** By id; computed on demand. */
  #shown: Map<string, ListedRun> | undefined;
  #watch: Disposable | undefined;
  #isSeen = false;

  constructor(parts: RunsListParts) {
    this.#parts = parts;
    this.#filter = parts.filter ?? {};
    const { client, feed, clock } = parts;
    const onChange = (changed: readonly string[] | undefined): void => {
      this.#takeIn(changed);
      this.#changed.fire(changed);
      this.#keepUp();
    };
    this.#runs = new PagedList<TestRun>({
      onChange,
      page: async (cursor) => {
        if (cursor === undefined) this.#since = sinceOf(this.#filter, clock.now());
        const query = queryOf(this.#filter, this.#since);
        const page = query ? await client.call('listTestRuns', { ...query, ...placeOf(cursor) }) : { items: [] };
        await this.#learnNames(page.items);
        return page;
      },
      read: async (rows) => (await this.#readRuns(rows)).filter((run) => fitsRun(run, this.#filter, this.#since)),
    });
    this.#loads = new PagedList<LoadTest>({
      onChange,
      page: async (cursor) => {
        if (cursor === undefined) this.#since = sinceOf(this.#filter, clock.now());
        if (!showsLoads(this.#filter)) return { items: [] };
        const page = await this.#loadPage(cursor);
        await this.#learnNames(page.items);
        return page;
      },
      read: async (rows) => (await this.#readLoads(rows)).filter((test) => fitsLoad(test, this.#filter, this.#since)),
    });
    if (parts.order)
      this.#disposables.add(
        parts.order.onDidChange(() => {
          onChange(undefined);
          void this.#quietly(this.#readPinned());
        }),
      );
    this.#disposables.add(
      feed.onDidChange((event) => {
        if (!this.#watch) return;
        if (!event) void this.#quietly(this.refresh());
        else if (event.type === 'test.changed') void this.#quietly(this.#runs.refresh(event.runId));
        else if (event.type === 'load.changed' && showsLoads(this.#filter))
          void this.#quietly(this.#loads.refresh(event.loadTestId));
      }),
    );
  }

  /** Pinned runs, then newest first. A load test is shown when the runs reach back to it, and vice versa. */
  get rows(): readonly ListedRun[] {
    return [...this.#listed().values()];
  }

  row(id: string): ListedRun | undefined {
    return this.#listed().get(id);
  }

  get hasMore(): boolean {
    return this.#runs.hasMore || this.#loads.hasMore;
  }
  /** `loadMore` replaces these rows with older ones. */
  get isFull(): boolean {
    return this.#older?.isFull ?? false;
  }
  /** Whether any response has arrived. */
  get isRead(): boolean {
    return this.#runs.isRead && this.#loads.isRead;
  }
  /** Whether the rows follow the service, so that a new run would be among them. */
  get isCurrent(): boolean {
    return this.isRead && this.#watch !== undefined;
  }
  get filter(): RunsFilter {
    return this.#filter;
  }
  get running(): number {
    return this.rows.filter((row) => runOf(row).status === 'running').length;
  }

  /** Follows the service while the list is watched. Reads immediately. */
  follow(watched: boolean): void {
    this.#isSeen = watched;
    this.#keepUp();
  }

  /** Follows an active run to its end even if the view is hidden, because the badge shows it. */
  #keepUp(): void {
    const isWanted = this.#isSeen || this.running > 0;
    if (isWanted === (this.#watch !== undefined)) return;
    this.#watch?.dispose();
    this.#watch = isWanted ? this.#parts.feed.watch() : undefined;
    if (isWanted) void this.#quietly(this.refresh());
  }

  /** Rejects if the service doesn't respond. */
  async refresh(): Promise<void> {
    await Promise.all([this.#runs.refresh(), this.#loads.refresh()]);
    await this.#readPinned();
  }

  async setFilter(filter: RunsFilter): Promise<void> {
    this.#filter = filter;
    this.reset();
    await this.refresh();
  }

  reset(): void {
    this.#runs.reset();
    this.#loads.reset();
  }

  async loadMore(): Promise<void> {
    const last = this.rows.at(-1);
    if (!this.isFull || !last) return this.#older?.loadMore();
    // The oldest row shown comes first then, because others with the same start time may not be shown yet.
    const { startedAt } = runOf(last);
    await this.setFilter({ ...this.#filter, startedBefore: new Date(Date.parse(startedAt) + 1).toISOString() });
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#disposables.dispose();
  }

  /** The list to load from next: the one that ends first. */
  get #older(): PagedList<TestRun> | PagedList<LoadTest> | undefined {
    return [this.#runs, this.#loads]
      .filter(({ hasMore }) => hasMore)
      .sort((one, other) => endOf(other) - endOf(one))[0];
  }

  #takeIn(changed: readonly string[] | undefined): void {
    if (!changed) this.#shown = undefined;
    for (const id of changed ?? []) {
      const [run, test] = [this.#runs.row(id), this.#loads.row(id)];
      if (!this.#shown?.has(id)) continue;
      if (run) this.#shown.set(id, { kind: 'run', run });
      else if (test) this.#shown.set(id, { kind: 'load', test });
    }
  }

  #listed(): ReadonlyMap<string, ListedRun> {
    if (this.#shown) return this.#shown;
    const bound = Math.max(...[this.#runs, this.#loads].map((list) => (list.hasMore ? endOf(list) : -Infinity)));
    const listed = [
      ...this.#runs.rows.map((run): ListedRun => ({ kind: 'run', run })),
      ...this.#loads.rows.map((test): ListedRun => ({ kind: 'load', test })),
    ];
    const pins = this.#parts.order?.kept.pins ?? [];
    const rows = new Map(listed.map((row) => [idOf(row), row]));
    const pinned = pins.flatMap(({ id }) => {
      const row = rows.get(id) ?? this.#pinned.get(id);
      return row ? [[id, row] as const] : [];
    });
    this.#shown = new Map([
      // The first entry of an id determines its place.
      ...pinned,
      ...listed
        .filter((row) => Date.parse(runOf(row).startedAt) >= bound)
        .sort((one, other) => newestFirst(runOf(one), runOf(other)))
        .map((row) => [idOf(row), row] as const),
    ]);
    return this.#shown;
  }

  /** Also learns the name of the filtered test, which the filter shows even if it has no run. */
  #learnNames(
    runs: readonly { readonly configId?: string | undefined; readonly runType?: TestRun['runType'] }[],
  ): Promise<void> {
    const { configId, isMission } = this.#filter;
    return this.#parts.names.learn([
      ...runs,
      ...(configId === undefined || isMission === undefined
        ? []
        : [{ configId, runType: isMission ? ('mission' as const) : ('standard' as const) }]),
    ]);
  }

  /**
   * The service lists load tests only by start, newest first, so pages without a match are skipped, as far back as one
   * can match.
   */
  async #loadPage(cursor: string | undefined): Promise<{ items: LoadTest[]; nextCursor?: string | undefined }> {
    for (let at = cursor; ;) {
      const { items, nextCursor } = await this.#parts.client.call('listLoadTests', placeOf(at));
      const fitting = items.filter((test) => fitsLoad(test, this.#filter, this.#since)).map(rowOf);
      const isPast =
        this.#since !== undefined && items.some(({ startedAt }) => Date.parse(startedAt) <= (this.#since ?? 0));
      const next = isPast ? undefined : nextCursor;
      if (fitting.length > 0 || next === undefined) return { items: fitting, nextCursor: next };
      at = next;
    }
  }

  /** Reads the pinned runs that the lists don't reach. They must match the filter, but can be older than the list. */
  async #readPinned(): Promise<void> {
    const { order, names } = this.#parts;
    const pins = order?.kept.pins.filter(({ id }) => !this.#runs.row(id) && !this.#loads.row(id)) ?? [];
    if (pins.length === 0 && this.#pinned.size === 0) return;
    const filter = conditionsOf(this.#filter);
    const ofKind = (kind: ListedRun['kind']) => pins.filter((pin) => pin.kind === kind);
    const [runs, loads] = [await this.#readRuns(ofKind('run')), await this.#readLoads(ofKind('load'))];
    await names.learn([...runs, ...loads]);
    const rows: ListedRun[] = [
      ...runs.filter((run) => fitsRun(run, filter, this.#since)).map((run) => ({ kind: 'run', run }) as const),
      ...loads.filter((test) => fitsLoad(test, filter, this.#since)).map((test) => ({ kind: 'load', test }) as const),
    ];
    const before = this.#pinned;
    this.#pinned = new Map(rows.map((row) => [idOf(row), row]));
    if (isDeepStrictEqual(before, this.#pinned)) return;
    this.#shown = undefined;
    this.#changed.fire(undefined);
  }

  /** Reads rows from short lists, because the results of a run would contain its whole transcript. */
  async #readRuns(rows: readonly Pick<TestRun, 'id' | 'startedAt'>[]): Promise<TestRun[]> {
    const { client } = this.#parts;
    const moments = new Set(rows.map(({ startedAt }) => Date.parse(startedAt)));
    const lists = await Promise.all(
      [...moments].map((ms) =>
        client.call('listTestRuns', {
          startedAfter: new Date(ms - 1).toISOString(),
          startedBefore: new Date(ms + 1).toISOString(),
          limit: nextPage,
        }),
      ),
    );
    const listed = new Map(lists.flatMap(({ items }) => items).map((run) => [run.id, run]));
    const read = await Promise.all(
      rows.map(async ({ id }) => {
        // A run that waited starts again when its turn comes.
        const run = listed.get(id) ?? (await unlessGone(client.call('getRunResults', { runId: id })));
        return run && rowSchema.parse(run);
      }),
    );
    return read.filter((run) => run !== undefined);
  }

  async #readLoads(rows: readonly { readonly id: string }[]): Promise<LoadTest[]> {
    const read = rows.map(({ id }) => unlessGone(this.#parts.client.call('getLoadTest', { id })));
    return (await Promise.all(read)).filter((test) => test !== undefined).map(rowOf);
  }

  async #quietly(reading: Promise<void>): Promise<void> {
    await reading.catch((error: unknown) => this.#parts.log.debug(`The runs were not read: ${describeCause(error)}`));
  }
}

const placeOf = (cursor: string | undefined): { readonly limit: number; readonly cursor?: string } =>
  cursor === undefined ? { limit: firstPage } : { limit: nextPage, cursor };
const endOf = (list: { readonly last: { readonly startedAt: string } | undefined }): number =>
  Date.parse(list.last?.startedAt ?? '');

/** Rows don't show the timeline of a load test, which is most of its data. */
function rowOf(test: LoadTest): LoadTest {
  if (!test.stats) return test;
  const { timeline: _timeline, ...stats } = test.stats;
  return { ...test, stats };
}
