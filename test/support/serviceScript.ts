import type { MappingStats } from '../../src/contract/mapping.ts';
import type { CrawlOptions } from '../../src/engine/crawl/crawl.ts';
import type { CrawlEvent } from '../../src/engine/crawl/crawlEvent.ts';
import type { CrawlNode } from '../../src/engine/crawl/crawlNode.ts';
import { EventStream } from '../../src/engine/eventStream.ts';

export const statsOf = (stats: Partial<MappingStats> = {}): MappingStats => ({
  callsPlaced: 0,
  callsFailed: 0,
  nodesDiscovered: 0,
  terminalNodes: 0,
  maxDepthReached: 0,
  callSeconds: 0,
  linkedMenus: 0,
  promptSeconds: 0,
  ...stats,
});

export const rootNode = (node: Partial<CrawlNode> = {}): CrawlNode => ({
  id: 'root',
  label: 'main menu',
  depth: 0,
  status: 'explored',
  attempts: 1,
  transcript: 'for sales press one',
  durationMs: 2500,
  promptMs: 2400,
  reading: {
    options: [
      { key: '1', label: 'sales' },
      { key: '2', label: 'billing' },
    ],
    speech: [],
    input: null,
    repeatKey: null,
    stayOnLine: false,
  },
  fingerprint: new Uint8Array([1, 2, 3, 250]),
  aliases: [new Uint8Array([9, 9])],
  ...node,
});

export const leafNode = (digit: string, node: Partial<CrawlNode> = {}): CrawlNode => ({
  id: `leaf-${digit}`,
  parentId: 'root',
  digit,
  label: `option ${digit}`,
  depth: 1,
  status: 'explored',
  attempts: 1,
  transcript: `you chose ${digit}`,
  end: 'human',
  ...node,
});

/** One run of a scripted crawl: the test says what it finds, and when. */
export class ScriptedRun {
  readonly options: CrawlOptions;
  readonly events = new EventStream<CrawlEvent>();

  #stats = statsOf();

  constructor(options: CrawlOptions) {
    this.options = options;
  }

  /** Reports its progress; a run ended from outside receives this too. */
  did(stats: Partial<MappingStats>): void {
    this.#stats = statsOf(stats);
    this.events.push({ type: 'stats', stats: this.#stats, inFlight: 1 });
  }

  found(...nodes: CrawlNode[]): void {
    for (const node of nodes) this.events.push({ type: 'node', node });
  }

  end(event: Partial<Extract<CrawlEvent, { type: 'ended' }>> = {}): void {
    this.events.push({ type: 'ended', status: 'completed', stats: this.#stats, ...event });
    this.events.close();
  }
}

/**
 * Stands in for the crawl: each run that a service starts comes out of `next()`. Ends as failed if it is aborted, like
 * the real one.
 */
export class ScriptedCrawl {
  readonly #begun: ScriptedRun[] = [];
  readonly #waiting: ((run: ScriptedRun) => void)[] = [];

  readonly crawl = (options: CrawlOptions): AsyncIterable<CrawlEvent> => {
    const run = new ScriptedRun(options);
    options.signal.addEventListener('abort', () => run.end({ status: 'failed' }), { once: true });
    const taker = this.#waiting.shift();
    if (taker) taker(run);
    else this.#begun.push(run);
    return run.events;
  };

  next(): Promise<ScriptedRun> {
    const run = this.#begun.shift();
    return run ? Promise.resolve(run) : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
