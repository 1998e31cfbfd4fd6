import { sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import { HumanError } from '../../contract/errors.ts';
import type { MappingStats } from '../../contract/mapping.ts';
import type { CrawlEvent } from '../../engine/crawl/crawlEvent.ts';
import type { CrawlNode } from '../../engine/crawl/crawlNode.ts';
import { nodeOf } from '../../engine/crawl/crawlStep.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import { diskFull, isDiskFull } from '../store/diskSpace.ts';
import { toStoredNode } from '../store/stepMemory.ts';
import type { Store } from '../store/store.ts';
import type { Recordings } from '../runs/recordings.ts';

interface RunRecorderOptions {
  readonly runId: string;
  readonly store: Store;
  readonly recordings: Recordings;
  readonly recordingsPath: string;
  readonly clock: Clock;
  /** The position of the next new step after the stored ones. */
  readonly nextPosition: number;
  readonly onStored: (what: { readonly tree: boolean }) => void;
  /** Called once; nothing is stored afterwards. */
  readonly onFailure: (error: unknown) => void;
}

/** How often an active run is stored. */
const flushMs = 100;

/** Stores what a crawl reports, in small transactions: several changes of one node within 100 ms are one write. */
export class RunRecorder {
  readonly #options: RunRecorderOptions;
  readonly #positions = new Map<string, number>();
  readonly #recorded = new Map<string, { readonly bytes: number; readonly seconds: number }>();
  #nextPosition: number;
  #nodes = new Map<string, Readonly<CrawlNode>>();
  #removed = new Set<string>();
  #stats: { readonly stats: MappingStats; readonly inFlight: number } | undefined;
  #timer: TimerHandle | undefined;
  #queue: Promise<void> = Promise.resolve();
  #failed = false;
  #closed = false;

  constructor(options: RunRecorderOptions) {
    this.#options = options;
    this.#nextPosition = options.nextPosition;
  }

  /** Ignores events after `close`, because an abandoned crawl can continue for a while. */
  take(event: Exclude<CrawlEvent, { type: 'ended' }>): void {
    if (this.#closed) return;
    switch (event.type) {
      case 'node':
        this.#removed.delete(event.node.id);
        this.#nodes.set(event.node.id, event.node);
        if (!this.#positions.has(event.node.id)) this.#positions.set(event.node.id, this.#nextPosition++);
        break;
      case 'nodeRemoved':
        this.#nodes.delete(event.nodeId);
        this.#removed.add(event.nodeId);
        break;
      case 'stats':
        this.#stats = event;
        break;
      case 'audio':
        this.#enqueue(async () => {
          try {
            this.#recorded.set(
              event.nodeId,
              await this.#options.recordings.write(this.#options.runId, event.nodeId, event.pcm),
            );
          } catch (error) {
            throw isDiskFull(error) ? diskFull(this.#options.recordingsPath, error) : error;
          }
        });
        break;
    }
    this.#timer ??= this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#enqueue(() => this.#store());
    }, flushMs);
  }

  /** Accepts no more events. Resolves when all of them are stored, or storing has failed. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#enqueue(() => this.#store());
    await this.#queue;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#failed) return;
      try {
        await work();
      } catch (error) {
        this.#failed = true;
        this.#options.onFailure(error);
      }
    });
  }

  async #store(): Promise<void> {
    const nodes = [...this.#nodes.values()];
    const removed = [...this.#removed];
    const recorded = [...this.#recorded];
    const stats = this.#stats;
    this.#nodes = new Map();
    this.#removed = new Set();
    this.#recorded.clear();
    this.#stats = undefined;
    const tree = nodes.length + removed.length + recorded.length > 0;
    if (!tree && !stats) return;
    const { runId, store } = this.#options;
    await store.write(async (transaction) => {
      for (const node of nodes) {
        const row = {
          parent_id: node.parentId ?? null,
          status: node.status,
          depth: node.depth,
          node: JSON.stringify(nodeOf(node)),
          memory: JSON.stringify(toStoredNode(node)),
        };
        await transaction
          .insertInto('mapping_steps')
          .values({ run_id: runId, step_id: node.id, position: this.#positions.get(node.id) ?? 0, ...row })
          .onConflict((conflict) => conflict.columns(['run_id', 'step_id']).doUpdateSet(row))
          .execute();
      }
      if (removed.length > 0) {
        await transaction
          .deleteFrom('mapping_steps')
          .where('run_id', '=', runId)
          .where('step_id', 'in', removed)
          .execute();
        await transaction
          .deleteFrom('recordings')
          .where('run_id', '=', runId)
          .where('step_id', 'in', removed)
          .execute();
      }
      for (const [stepId, recording] of recorded) {
        await transaction
          .insertInto('recordings')
          .values({ run_id: runId, step_id: stepId, ...recording })
          .onConflict((conflict) => conflict.columns(['run_id', 'step_id']).doUpdateSet(recording))
          .execute();
      }
      if (stats) {
        await transaction
          .updateTable('mapping_runs')
          .set({ stats: JSON.stringify(stats.stats), in_flight: stats.inFlight })
          .where('id', '=', runId)
          .where('status', '=', 'running')
          .execute();
      }
    });
    this.#options.onStored({ tree });
    for (const stepId of removed) await this.#options.recordings.remove(runId, stepId);
    if (nodes.some((node) => node.status !== 'pending' && node.status !== 'exploring')) await store.sync();
  }
}

/** The message for the user if storing fails during a run. */
export const storeFailureReason = (error: unknown): Sentences =>
  error instanceof HumanError
    ? sentencesOf(error)
    : sentence`Couldn't store what was found. See the log of the service.`;
