import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../../contract/runs.ts';
import type { WallClock } from '../basics/wallClock.ts';
import { Emitter } from '../basics/emitter.ts';
import { unlessGone } from '../basics/errors.ts';
import { DisposableStore, type Disposable } from '../basics/lifetime.ts';
import { describeCause, type Logger } from '../basics/log/logger.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { PagedList } from '../store/pagedList.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import { conditionsOf, fits, queryOf, sinceOf, type RunsFilter } from './runsFilter.ts';
import type { RunsOrder } from './runsOrder.ts';

interface RunsListParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<WorkspaceFeed, 'watch' | 'onDidChange'>;
  readonly clock: Pick<WallClock, 'now'>;
  readonly log: Logger;
  readonly filter?: RunsFilter;
  readonly order?: Pick<RunsOrder, 'kept' | 'onDidChange'>;
}

const firstPage = 50;
const nextPage = 100;

/**
 * Runs of all kinds as far as they were requested, newest first. Follows changes while it is watched. Contains up to
 * `maxRows`; older rows replace them on request. Pinned runs come first, however old.
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
  readonly #runs: PagedList<Run>;
  #filter: RunsFilter;
  /** The start of the filter's period when the newest rows were read, in milliseconds since 1970. */
  #since: number | undefined;
  /** Pinned runs, by id, beyond what was requested. */
  #pinned: ReadonlyMap<string, Run> = new Map();
  /** By id; computed on demand. */
  #shown: ReadonlyMap<string, Run> | undefined;
  #watch: Disposable | undefined;
  #isSeen = false;
  #failure: unknown;

  constructor(parts: RunsListParts) {
    this.#parts = parts;
    this.#filter = parts.filter ?? {};
    const { client, feed, clock } = parts;
    const onChange = (changed: readonly string[] | undefined): void => {
      this.#shown = undefined;
      this.#changed.fire(changed);
      this.#keepUp();
    };
    this.#runs = new PagedList<Run>({
      onChange,
      page: (cursor) => {
        if (cursor === undefined) this.#since = sinceOf(this.#filter, clock.now());
        return client.call('listRuns', {
          ...queryOf(this.#filter, this.#since),
          ...(cursor === undefined ? { limit: firstPage } : { limit: nextPage, cursor }),
        });
      },
      read: async (rows) => (await this.#read(rows)).filter((run) => fits(run, this.#filter, this.#since)),
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
        else if (event.type === 'load.changed') void this.#quietly(this.#runs.refresh(event.loadTestId));
      }),
    );
  }

  /** Pinned runs, then newest first. */
  get rows(): readonly Run[] {
    return [...this.#listed().values()];
  }

  row(id: string): Run | undefined {
    return this.#listed().get(id);
  }

  get hasMore(): boolean {
    return this.#runs.hasMore;
  }
  /** `loadMore` replaces these rows with older ones. */
  get isFull(): boolean {
    return this.#runs.isFull;
  }
  /** The error of the newest reading, or undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }
  /** Whether any response has arrived. */
  get isRead(): boolean {
    return this.#runs.isRead;
  }
  /** Whether the rows follow the service, so that a new run would be among them. */
  get isCurrent(): boolean {
    return this.isRead && this.#watch !== undefined;
  }
  get filter(): RunsFilter {
    return this.#filter;
  }
  get running(): number {
    return this.rows.filter(({ status }) => status === 'running').length;
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
    try {
      await this.#runs.refresh();
      await this.#readPinned();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      this.#changed.fire([]);
      throw error;
    }
  }

  async setFilter(filter: RunsFilter): Promise<void> {
    this.#filter = filter;
    this.reset();
    await this.refresh();
  }

  reset(): void {
    this.#failure = undefined;
    this.#runs.reset();
  }

  async loadMore(): Promise<void> {
    const { last } = this.#runs;
    if (!this.isFull || !last) return this.#runs.loadMore();
    // The oldest row shown comes first then, because others with the same start time may not be shown yet.
    const startedBefore = new Date(Date.parse(last.startedAt) + 1).toISOString();
    await this.setFilter({ ...this.#filter, startedBefore });
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#disposables.dispose();
  }

  #listed(): ReadonlyMap<string, Run> {
    const pins = this.#parts.order?.kept.pins ?? [];
    return (this.#shown ??= new Map(
      [
        // The first entry of an id determines its place.
        ...pins.flatMap(({ id }) => this.#runs.row(id) ?? this.#pinned.get(id) ?? []),
        ...this.#runs.rows,
      ].map((run) => [run.id, run]),
    ));
  }

  /** Reads the pinned runs that the list doesn't reach. They must match the filter, but can be older than the list. */
  async #readPinned(): Promise<void> {
    const pins = this.#parts.order?.kept.pins.filter(({ id }) => !this.#runs.row(id)) ?? [];
    if (pins.length === 0 && this.#pinned.size === 0) return;
    const filter = conditionsOf(this.#filter);
    const runs = (await this.#read(pins)).filter((run) => fits(run, filter, this.#since));
    const before = this.#pinned;
    this.#pinned = new Map(runs.map((run) => [run.id, run]));
    if (isDeepStrictEqual(before, this.#pinned)) return;
    this.#shown = undefined;
    this.#changed.fire(undefined);
  }

  async #read(rows: readonly { readonly id: string }[]): Promise<Run[]> {
    const read = await Promise.all(rows.map(({ id }) => unlessGone(this.#parts.client.call('getRun', { id }))));
    return read.filter((run) => run !== undefined);
  }

  async #quietly(reading: Promise<void>): Promise<void> {
    await reading.catch((error: unknown) => this.#parts.log.debug(`The runs were not read: ${describeCause(error)}`));
  }
}
