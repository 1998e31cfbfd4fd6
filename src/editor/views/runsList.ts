import type { LoadTest } from '../../contract/loadTests.ts';
import { testRunSchema } from '../../contract/testRuns.ts';
import type { RunOutcome, RunType, TestRun } from '../../contract/testRuns.ts';
import { Emitter } from '../emitter.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { Disposable } from '../lifetime.ts';
import { DisposableStore } from '../lifetime.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import { newestFirst, PagedList } from '../store/pagedList.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import type { TestNames } from '../testing/testNames.ts';

/** Load tests are a kind of their own, and have no outcome. */
export interface RunsFilter { readonly outcome?: RunOutcome; readonly runType?: RunType | 'load' }

export type ListedRun = { readonly kind: 'run'; readonly run: TestRun } | { readonly kind: 'load'; readonly test: LoadTest };

export interface RunsListParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<WorkspaceFeed, 'watch' | 'onDidChange'>;
  readonly names: TestNames;
  readonly log: Logger;
}

const pageSize = 50;
/** What lists hold of a run, out of all that is known of it. */
const rowSchema = testRunSchema.strip();

/** Runs of tests and load tests as far as they were asked for, newest first. Live while it is watched. */
export class RunsList {
  readonly #parts: RunsListParts;
  readonly #held = new DisposableStore();
  readonly #changed = this.#held.add(new Emitter<undefined>());
  readonly onDidChange = this.#changed.listen;
  readonly #runs: PagedList<TestRun>;
  readonly #loads: PagedList<LoadTest>;
  #filter: RunsFilter = {};
  /** By id; made anew when it is asked for. */
  #shown: ReadonlyMap<string, ListedRun> | undefined;
  #watch: Disposable | undefined;
  #isSeen = false;

  constructor(parts: RunsListParts) {
    this.#parts = parts;
    const { client, names, feed } = parts;
    const onChange = (): void => {
      this.#shown = undefined;
      this.#changed.fire(undefined);
      this.#keepUp();
    };
    this.#runs = new PagedList<TestRun>({
      onChange,
      page: async (cursor) => {
        const { outcome, runType } = this.#filter;
        if (runType === 'load') return { items: [] };
        const page = await client.call('listTestRuns', { ...(outcome && { outcome }), ...(runType && { runType }), limit: pageSize, ...(cursor !== undefined && { cursor }) });
        await names.learn(page.items);
        return page;
      },
      read: async (runId) => {
        const run = rowSchema.parse(await client.call('getRunResults', { runId }));
        return this.#fits(run) ? run : undefined;
      },
    });
    this.#loads = new PagedList<LoadTest>({
      onChange,
      page: async (cursor) => {
        if (!this.#showsLoads) return { items: [] };
        const page = await client.call('listLoadTests', { limit: pageSize, ...(cursor !== undefined && { cursor }) });
        await names.learn(page.items);
        return page;
      },
      read: (id) => client.call('getLoadTest', { id }),
    });
    this.#held.add(feed.onDidChange((event) => {
      if (!this.#watch) return;
      if (!event) void this.#quietly(this.refresh());
      else if (event.type === 'test.changed') void this.#quietly(this.#runs.refresh(event.runId));
      else if (event.type === 'load.changed' && this.#showsLoads) void this.#quietly(this.#loads.refresh(event.loadTestId));
    }));
  }

  /** Newest first. A load test is shown as soon as the runs reach back to it, and a run likewise. */
  get rows(): readonly ListedRun[] { return [...this.#listed().values()]; }

  /** The run or load test, if it is shown. */
  row(id: string): ListedRun | undefined { return this.#listed().get(id); }

  get hasMore(): boolean { return this.#runs.hasMore || this.#loads.hasMore; }
  /** Whether any answer has come. */
  get isRead(): boolean { return this.#runs.isRead && this.#loads.isRead; }
  get filter(): RunsFilter { return this.#filter; }

  /** Follows the service while it is looked at; reads at once. */
  follow(watched: boolean): void {
    this.#isSeen = watched;
    this.#keepUp();
  }

  /** A run that goes on is followed to its end also while nobody looks: the badge tells of it. */
  #keepUp(): void {
    const isWanted = this.#isSeen || [...this.#listed().values()].some((row) => (row.kind === 'run' ? row.run : row.test).status === 'running');
    if (isWanted === (this.#watch !== undefined)) return;
    this.#watch?.dispose();
    this.#watch = isWanted ? this.#parts.feed.watch() : undefined;
    if (isWanted) void this.#quietly(this.refresh());
  }

  /** Rejects when the service does not answer. */
  async refresh(): Promise<void> {
    await Promise.all([this.#runs.refresh(), this.#loads.refresh()]);
  }

  async setFilter(filter: RunsFilter): Promise<void> {
    this.#filter = filter;
    this.reset();
    await this.refresh();
  }

  /** Forgets everything. */
  reset(): void {
    this.#runs.reset();
    this.#loads.reset();
  }

  /** Reads on where the rows end that are shown. */
  async loadMore(): Promise<void> {
    const [newest] = [this.#runs, this.#loads].filter(({ hasMore }) => hasMore).sort((one, other) => (one.rows.at(-1)?.startedAt ?? '') < (other.rows.at(-1)?.startedAt ?? '') ? 1 : -1);
    await newest?.loadMore();
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#held.dispose();
  }

  #listed(): ReadonlyMap<string, ListedRun> {
    if (this.#shown) return this.#shown;
    const bound = Math.max(...[this.#runs, this.#loads].map(({ rows, hasMore }) => (hasMore ? Date.parse(rows.at(-1)?.startedAt ?? '') : -Infinity)));
    const listed = [
      ...this.#runs.rows.map((run) => ({ id: run.id, startedAt: run.startedAt, row: { kind: 'run', run } as const })),
      ...this.#loads.rows.map((test) => ({ id: test.id, startedAt: test.startedAt, row: { kind: 'load', test } as const })),
    ];
    this.#shown = new Map(listed.filter(({ startedAt }) => Date.parse(startedAt) >= bound).sort(newestFirst).map(({ id, row }) => [id, row]));
    return this.#shown;
  }

  get #showsLoads(): boolean { return this.#filter.outcome === undefined && (this.#filter.runType === undefined || this.#filter.runType === 'load'); }

  #fits({ outcome, runType }: TestRun): boolean {
    return (this.#filter.outcome === undefined || this.#filter.outcome === outcome) && (this.#filter.runType === undefined || this.#filter.runType === runType);
  }

  async #quietly(reading: Promise<void>): Promise<void> {
    await reading.catch((error: unknown) => { this.#parts.log.debug(`The runs were not read: ${describeCause(error)}`); });
  }
}
