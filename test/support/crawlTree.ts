import type { MappingStats } from '../../src/contract/mapping.ts';
import type { IvrFile } from '../../src/contract/ivrFile.ts';
import { stayWay, type TreeResponse } from '../../src/contract/tree.ts';
import { crawl, type CrawlOptions } from '../../src/engine/crawl/crawl.ts';
import type { CrawlEvent } from '../../src/engine/crawl/crawlEvent.ts';
import { stepOf } from '../../src/engine/crawl/crawlStep.ts';
import { readMenu } from '../../src/language/menu/readMenu.ts';
import { ivrTruth } from '../../src/model/tree/ivrTruth.ts';
import { buildTree, type TreeStep } from '../../src/model/tree/treeBuild.ts';
import { simulatedDialer, type SimulatedDialerOptions, type SimulatedCall } from './simulatedDialer.ts';
import { VirtualClock } from './virtualClock.ts';

export interface Crawled {
  readonly tree: TreeResponse;
  readonly stats: MappingStats;
  readonly end: Extract<CrawlEvent, { type: 'ended' }>;
  readonly events: readonly CrawlEvent[];
}

/** Crawls to the end and builds the tree like the service. */
export async function crawlTree(
  options: CrawlOptions,
  onEvent: (event: CrawlEvent) => void = () => undefined,
): Promise<Crawled> {
  const steps = new Map<string, TreeStep>();
  const events: CrawlEvent[] = [];
  for await (const event of crawl(options)) {
    events.push(event);
    onEvent(event);
    if (event.type === 'node') steps.set(event.node.id, stepOf(event.node));
    else if (event.type === 'nodeRemoved') steps.delete(event.nodeId);
    else if (event.type === 'ended')
      return {
        tree: { jobId: 'test', tree: buildTree([...steps.values()]), stats: event.stats },
        stats: event.stats,
        end: event,
        events,
      };
  }
  throw new Error('The crawl ended without telling.');
}

type MapOptions = Partial<Omit<CrawlOptions, 'config'>> & {
  readonly config?: Partial<CrawlOptions['config']>;
  readonly line?: Partial<SimulatedDialerOptions>;
};

/** Crawls an IVR on virtual time, over a line without audio. */
export async function mapIvr(
  ivr: IvrFile,
  { config, line, ...options }: MapOptions = {},
): Promise<Crawled & { readonly calls: readonly SimulatedCall[] }> {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({ ivr, clock, ...line });
  const crawled = await clock.run(
    crawlTree({
      target: 'sip:x',
      clock,
      dialer,
      signal: new AbortController().signal,
      config: { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 500, concurrency: 4, ...config },
      ...options,
    }),
  );
  return { ...crawled, calls: dialer.calls };
}

export const truthOf = (ivr: IvrFile): TreeResponse =>
  ivrTruth(ivr, {
    start: ivr.start,
    offeredKeys: (prompt) => {
      const { options, stayOnLine } = readMenu(prompt);
      return new Set([...options.map(({ key }) => key), ...(stayOnLine ? [stayWay] : [])]);
    },
  });
