import type { WorkspaceEvent } from '../../contract/events.ts';
import type { MappingJob } from '../../contract/mapping.ts';
import type { Basics } from '../basics/createBasics.ts';
import { after } from '../basics/wallClock.ts';
import { Coalescer } from '../basics/coalescer.ts';
import { Emitter } from '../basics/emitter.ts';
import { isStatus, unlessGone } from '../basics/errors.ts';
import type { Disposable } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import { KeptTrees, type TreeKey } from './keptTrees.ts';
import { isRunning, type JobSnapshot } from './snapshot.ts';
import { Watchers } from './watchers.ts';
import type { WorkspaceFeed } from './workspaceFeed.ts';

interface MappingStoreOptions extends Pick<Basics, 'clock' | 'log'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly feed: Pick<WorkspaceFeed, 'watch' | 'onDidChange'>;
}

/** `undefined`: the list itself, or several jobs. */
export type StoreChange = { readonly jobId: string } | undefined;

const pageSize = 100;
const retryMs = 5_000;
/** Only this many of the newest jobs are shown. */
const maxJobs = 1_000;

/**
 * The service's mappings, as far as they are shown: one immutable snapshot per job. While the store is watched or a run
 * is active, it listens to the service's events and reads again what they name.
 */
export class MappingStore {
  readonly #options: MappingStoreOptions;
  readonly #changed = new Emitter<StoreChange>();
  readonly onDidChange = this.#changed.listen;
  /** Newest first. */
  #jobs = new Map<string, JobSnapshot>();
  #listed = false;
  #stale = { list: false, jobs: new Set<string>(), trees: new Set<string>() };
  readonly #refresh = new Coalescer(() => this.#readStale());
  readonly #watchers = new Watchers(() => this.#follow());
  #listening: Disposable | undefined;
  readonly #keptTrees = new KeptTrees((keys) => this.#drop(keys));
  readonly #events: Disposable;
  #disposed = false;
  #cancelRetry = (): void => undefined;
  /** Grows when another service is in use. Results of an older reading are dropped. */
  #era = 0;

  constructor(options: MappingStoreOptions) {
    this.#options = options;
    this.#events = options.feed.onDidChange((event) => {
      if (!this.#listening) return;
      if (event) this.#onEvent(event);
      else this.#readAll();
    });
  }

  /** Newest first. */
  get jobs(): readonly JobSnapshot[] {
    return [...this.#jobs.values()];
  }
  get listed(): boolean {
    return this.#listed;
  }
  job(id: string): JobSnapshot | undefined {
    return this.#jobs.get(id);
  }

  /** Keeps the store up to date until the result is disposed of. The first watcher makes it read everything. */
  watch(): Disposable {
    return this.#watchers.add();
  }

  /** Reads the list and everything that is shown again. Rejects if the service doesn't respond. */
  async refresh(): Promise<void> {
    this.#markAll();
    await this.#refresh.request();
  }

  /** Returns the job with its runs, which are read if necessary. @throws the service's error, such as `not_found` */
  async loadRuns(jobId: string): Promise<JobSnapshot> {
    const known = this.#jobs.get(jobId);
    return known?.runs ? known : this.#readJob(jobId, true);
  }

  /** Returns the job with the tree of a run. `fresh` reads the tree even if it is known. */
  async loadTree(jobId: string, runNumber: number | undefined, { fresh = false } = {}): Promise<JobSnapshot> {
    const known = await this.loadRuns(jobId);
    const version = runNumber ?? known.runs?.[0]?.runNumber;
    if (version === undefined) return known;
    if (fresh || !known.trees.has(version)) return this.#readTree(jobId, version);
    this.#keptTrees.touch({ jobId, runNumber: version });
    return known;
  }

  /** Keeps the tree of a run in memory until the result is disposed of. Only a few other trees stay. */
  showTree(jobId: string, runNumber: number): Disposable {
    return this.#keptTrees.show({ jobId, runNumber });
  }

  /** Stores the result of an operation without waiting for the event. */
  accept(job: MappingJob): void {
    this.#put(job.id, { job });
    this.#stale.jobs.add(job.id);
    void this.#refreshQuietly();
  }

  remove(jobId: string): void {
    if (!this.#jobs.delete(jobId)) return;
    this.#changed.fire(undefined);
    this.#follow();
  }

  /** Forgets everything, because another service is in use. */
  reset(): void {
    this.#era += 1;
    this.#jobs = new Map();
    this.#listed = false;
    this.#stale = { list: false, jobs: new Set(), trees: new Set() };
    this.#listening?.dispose();
    this.#listening = undefined;
    this.#changed.fire(undefined);
    this.#follow();
  }

  dispose(): void {
    this.#disposed = true;
    this.#cancelRetry();
    this.#listening?.dispose();
    this.#events.dispose();
    this.#changed.dispose();
  }

  #follow(): void {
    const wanted = !this.#disposed && (this.#watchers.any || this.jobs.some(isRunning));
    if (wanted && !this.#listening) {
      this.#listening = this.#options.feed.watch();
      this.#readAll();
    } else if (!wanted) {
      this.#listening?.dispose();
      this.#listening = undefined;
    }
  }

  #readAll(): void {
    this.#markAll();
    void this.#refreshQuietly();
  }

  #onEvent(event: WorkspaceEvent): void {
    if (!('jobId' in event)) return;
    if (event.type === 'mapping.deleted') {
      this.remove(event.jobId);
      return;
    }
    if (event.type === 'mapping.tree') this.#stale.trees.add(event.jobId);
    else this.#stale.jobs.add(event.jobId);
    void this.#refreshQuietly();
  }

  #markAll(): void {
    this.#stale.list = true;
    for (const [id, { runs, trees }] of this.#jobs) {
      if (runs) this.#stale.jobs.add(id);
      if (trees.size > 0) this.#stale.trees.add(id);
    }
  }

  /** Reads without a caller; the state of the connection shows why a reading fails. */
  async #refreshQuietly(): Promise<void> {
    await this.#refresh
      .request()
      .catch((error: unknown) => this.#options.log.debug(`A reading failed: ${describeCause(error)}`));
  }

  async #readStale(): Promise<void> {
    const { list, jobs, trees } = this.#stale;
    this.#stale = { list: false, jobs: new Set(), trees: new Set() };
    const era = this.#era;
    try {
      await this.#readMarked(list, jobs, trees);
    } catch (error) {
      // Nothing else would read them again.
      if (era === this.#era)
        this.#stale = {
          list: list || this.#stale.list,
          jobs: new Set([...jobs, ...this.#stale.jobs]),
          trees: new Set([...trees, ...this.#stale.trees]),
        };
      this.#retrySoon();
      throw error;
    }
  }

  #retrySoon(): void {
    this.#cancelRetry();
    this.#cancelRetry = after(this.#options.clock, retryMs, () => {
      if (this.#listening) void this.#refreshQuietly();
    });
  }

  async #readMarked(list: boolean, jobs: ReadonlySet<string>, trees: ReadonlySet<string>): Promise<void> {
    if (list) await this.#readList();
    // Ended runs don't change, so only the tree of the newest run can.
    const newestTrees = [...trees].flatMap((id) => {
      const newest = Math.max(...(this.#jobs.get(id)?.trees.keys() ?? []));
      return Number.isFinite(newest) ? [{ id, newest }] : [];
    });
    await Promise.all(
      [
        ...[...jobs].map((id) => this.#readJob(id, this.#jobs.get(id)?.runs !== undefined)),
        ...newestTrees.map(({ id, newest }) => this.#readTree(id, newest)),
      ].map((reading) => unlessGone<unknown>(reading)),
    );
  }

  async #readList(): Promise<void> {
    const era = this.#era;
    const read: MappingJob[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#options.client.call('listMappings', {
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      });
      read.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && read.length < maxJobs);
    if (era !== this.#era) return;
    this.#jobs = new Map(
      read.map((job) => [job.id, { runs: undefined, trees: new Map(), ...this.#jobs.get(job.id), job }]),
    );
    this.#listed = true;
    this.#changed.fire(undefined);
    this.#follow();
  }

  async #readJob(id: string, withRuns: boolean): Promise<JobSnapshot> {
    const era = this.#era;
    try {
      const [job, runs] = await Promise.all([
        this.#options.client.call('getMapping', { id }),
        withRuns ? this.#options.client.call('listMappingRuns', { id }) : undefined,
      ]);
      return this.#put(id, { job, ...(runs && { runs: runs.items }) }, era);
    } catch (error) {
      if (era === this.#era && isStatus(error, 404)) this.remove(id);
      throw error;
    }
  }

  async #readTree(id: string, version: number): Promise<JobSnapshot> {
    const era = this.#era;
    const response = await this.#options.client.call('getMappingTree', { id, version });
    const known = this.#jobs.get(id) ?? (await this.#readJob(id, true));
    const trees = new Map(known.trees).set(version, { response, readAt: this.#options.clock.now() });
    const snapshot = this.#put(id, { job: known.job, trees }, era);
    if (this.#jobs.get(id) === snapshot) this.#keptTrees.touch({ jobId: id, runNumber: version });
    return snapshot;
  }

  #drop(keys: readonly TreeKey[]): void {
    for (const { jobId, runNumber } of keys) {
      const known = this.#jobs.get(jobId);
      if (known?.trees.has(runNumber) === true)
        this.#put(jobId, {
          job: known.job,
          trees: new Map([...known.trees].filter(([version]) => version !== runNumber)),
        });
    }
  }

  #put(id: string, change: Partial<JobSnapshot> & Pick<JobSnapshot, 'job'>, era = this.#era): JobSnapshot {
    const known = this.#jobs.get(id);
    const read: JobSnapshot = { runs: undefined, trees: new Map(), ...known, ...change };
    const { currentRun } = read.job;
    // Both contain the active run. Only one set of figures is shown.
    const runs = read.runs?.map((run) => (run.runNumber === currentRun?.runNumber ? currentRun : run));
    const snapshot = { ...read, runs };
    if (era !== this.#era || this.#disposed) return snapshot;
    // A job that was just created is the newest.
    this.#jobs = known ? this.#jobs.set(id, snapshot) : new Map([[id, snapshot], ...this.#jobs]);
    if (known && isRunning(known) && !isRunning(snapshot) && snapshot.trees.size > 0) {
      // The last nodes may have arrived with the end.
      this.#stale.trees.add(id);
      void this.#refreshQuietly();
    }
    this.#changed.fire({ jobId: id });
    this.#follow();
    return snapshot;
  }
}
