import { testRunSchema } from '../../contract/testRuns.ts';
import type { RunOutcome, RunType, TestRun } from '../../contract/testRuns.ts';
import { Emitter } from '../emitter.ts';
import { isStatus } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { Disposable } from '../lifetime.ts';
import { DisposableStore } from '../lifetime.ts';
import type { Logger } from '../logger.ts';
import { describeCause } from '../logger.ts';
import { Coalescer } from '../store/coalescer.ts';
import type { RunFeed } from '../testing/runFeed.ts';
import type { TestNames } from '../testing/testNames.ts';

export interface RunsFilter { readonly outcome?: RunOutcome; readonly runType?: RunType }

export interface RunsListParts {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<RunFeed, 'watch' | 'onDidChange'>;
  readonly names: TestNames;
  readonly log: Logger;
}

const pageSize = 50;
/** What lists hold of a run, out of all that is known of it. */
const rowSchema = testRunSchema.strip();

/** Runs of tests as far as they were asked for: the newest page, and each further one on demand. Live while it is watched. */
export class RunsList {
  readonly #parts: RunsListParts;
  readonly #held = new DisposableStore();
  readonly #changed = this.#held.add(new Emitter<undefined>());
  readonly onDidChange = this.#changed.listen;
  #runs: readonly TestRun[] = [];
  #cursor: string | undefined;
  #isRead = false;
  #filter: RunsFilter = {};
  #watch: Disposable | undefined;
  /** Runs that an event named; undefined: all that is shown. */
  #stale: Set<string> | undefined;
  readonly #refreshing = new Coalescer(() => this.#readStale());
  /** Grows when other runs are asked for: what an older reading brings is dropped. */
  #era = 0;

  constructor(parts: RunsListParts) {
    this.#parts = parts;
    this.#held.add(parts.feed.onDidChange((runId) => {
      if (!this.#watch) return;
      if (runId === undefined) this.#stale = undefined;
      else this.#stale?.add(runId);
      void this.#refreshQuietly();
    }));
  }

  /** Newest first. */
  get runs(): readonly TestRun[] { return this.#runs; }
  get hasMore(): boolean { return this.#cursor !== undefined; }
  /** Whether any answer has come. */
  get isRead(): boolean { return this.#isRead; }
  get filter(): RunsFilter { return this.#filter; }

  /** Follows the service while it is looked at; reads at once. */
  follow(watched: boolean): void {
    if (watched === (this.#watch !== undefined)) return;
    this.#watch?.dispose();
    this.#watch = watched ? this.#parts.feed.watch() : undefined;
    if (!watched) return;
    this.#stale = undefined;
    void this.#refreshQuietly();
  }

  /** Rejects when the service does not answer. */
  async refresh(): Promise<void> {
    this.#stale = undefined;
    await this.#refreshing.request();
  }

  async setFilter(filter: RunsFilter): Promise<void> {
    this.#filter = filter;
    this.reset();
    await this.refresh();
  }

  /** Forgets everything. */
  reset(): void {
    this.#era += 1;
    this.#runs = [];
    this.#cursor = undefined;
    this.#isRead = false;
    this.#stale = undefined;
    this.#changed.fire(undefined);
  }

  async loadMore(): Promise<void> {
    const [era, cursor] = [this.#era, this.#cursor];
    if (cursor === undefined) return;
    const page = await this.#parts.client.call('listTestRuns', { ...this.#filter, limit: pageSize, cursor });
    await this.#parts.names.learn(page.items);
    if (era !== this.#era || cursor !== this.#cursor) return;
    this.#put([...this.#runs, ...page.items.filter(({ id }) => !this.#runs.some((run) => run.id === id))], page.nextCursor);
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#held.dispose();
  }

  async #refreshQuietly(): Promise<void> {
    await this.#refreshing.request().catch((error: unknown) => { this.#parts.log.debug(`The runs were not read: ${describeCause(error)}`); });
  }

  async #readStale(): Promise<void> {
    const stale = this.#stale;
    this.#stale = new Set();
    const isKnown = (id: string): boolean => this.#runs.some((run) => run.id === id);
    try {
      // A run that is not shown is a new one.
      if (!stale || !this.#isRead || [...stale].some((id) => !isKnown(id))) await this.#readNewest();
      else await Promise.all([...stale].map((id) => this.#readRun(id)));
    } catch (error) {
      this.#stale = undefined;
      throw error;
    }
  }

  async #readNewest(): Promise<void> {
    const era = this.#era;
    const page = await this.#parts.client.call('listTestRuns', { ...this.#filter, limit: pageSize });
    await this.#parts.names.learn(page.items);
    if (era !== this.#era) return;
    this.#isRead = true;
    const ids = new Set(page.items.map(({ id }) => id));
    const older = this.#runs.filter(({ id }) => !ids.has(id));
    // What was shown joins on where the new page reaches it; else there is a gap, and the list begins anew.
    const joins = page.nextCursor === undefined || this.#runs.some(({ id }) => ids.has(id));
    if (joins && older.length > 0 && page.nextCursor !== undefined) this.#put([...page.items, ...older].sort(newestFirst), this.#cursor);
    else this.#put(page.items, page.nextCursor);
  }

  async #readRun(runId: string): Promise<void> {
    const era = this.#era;
    try {
      const run = rowSchema.parse(await this.#parts.client.call('getRunResults', { runId }));
      if (era === this.#era) this.#put(this.#runs.flatMap((known) => (known.id !== runId ? [known] : this.#fits(run) ? [run] : [])), this.#cursor);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }

  #fits({ outcome, runType }: TestRun): boolean {
    return (this.#filter.outcome === undefined || this.#filter.outcome === outcome) && (this.#filter.runType === undefined || this.#filter.runType === runType);
  }

  #put(runs: readonly TestRun[], cursor: string | undefined): void {
    this.#isRead = true;
    this.#runs = runs;
    this.#cursor = cursor;
    this.#changed.fire(undefined);
  }
}

const newestFirst = (one: TestRun, other: TestRun): number => Date.parse(other.startedAt) - Date.parse(one.startedAt);
