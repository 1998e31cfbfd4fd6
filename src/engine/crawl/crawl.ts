import { because, join, sentence, sentencesOf } from '../../base/sentences.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { PressRules } from '../../language/labels/pressRules.ts';
import type { Clock } from '../../base/clock.ts';
import type { CrawlEvent } from './crawlEvent.ts';
import type { CrawlNode } from './crawlNode.ts';
import { CrawlMap } from './crawlMap.ts';
import { CrawlMeter } from './crawlMeter.ts';
import { Dispatcher } from './dispatcher.ts';
import { EventStream, streamUntilClosed } from '../eventStream.ts';
import { Explorer } from './explorer.ts';
import type { Dialer } from '../call/activeCall.ts';

export const defaultCallsPerSecond = 10;

export interface CrawlOptions {
  /** SIP URI. */
  readonly target: string;
  readonly config: Pick<MappingConfig, 'mappingMode' | 'maxDepth' | 'maxCalls' | 'concurrency' | 'ringSeconds'> &
    Partial<Pick<MappingConfig, 'maxCallSeconds'>> &
    PressRules;
  readonly dialer: Dialer;
  readonly clock: Clock;
  /** Aborting hangs up every call. The run ends with what was found. */
  readonly signal: AbortSignal;
  /** Nodes of an interrupted run. Explored nodes are kept; the rest is explored again. */
  readonly resume?: readonly CrawlNode[];
  /** The number is live: presses only what is plainly harmless, or allowed, and reports others with the reason. */
  readonly guarded?: boolean | undefined;
  /** Keys that aren't pressed, such as `9*`. Their branches are skipped. */
  readonly forbiddenKeys?: string | undefined;
  /** Call seconds that this run may use. */
  readonly budgetSeconds?: number;
  /** See `HearOptions.patienceMs`. */
  readonly patienceMs?: number | undefined;
  readonly callsPerSecond?: number;
}

/**
 * Maps the tree behind a number with parallel calls, each of which continues to a leaf. Yields nodes as they are found;
 * the last event is `ended`. Never throws because of the called side. If the reader stops reading, all calls are hung
 * up.
 */
export function crawl(options: CrawlOptions): AsyncIterable<CrawlEvent> {
  const events = new EventStream<CrawlEvent>();
  return streamUntilClosed(events, options.signal, (signal) => mapTree({ ...options, signal }, events));
}

async function mapTree(options: CrawlOptions, events: EventStream<CrawlEvent>): Promise<void> {
  let wake = (): void => undefined;
  const map = new CrawlMap(
    { ...options.config, guarded: options.guarded ?? false, forbiddenKeys: options.forbiddenKeys ?? '' },
    (event) => {
      events.push(event);
      wake();
    },
  );
  const callsPerSecond = options.callsPerSecond ?? defaultCallsPerSecond;
  const meter = new CrawlMeter(options.clock, map, { lines: options.config.concurrency, callsPerSecond });
  const report = (): void => {
    events.push({ type: 'stats', stats: meter.stats(), inFlight: meter.inFlight });
  };
  map.begin(options.resume ?? []);
  const explorer = new Explorer(map, options);
  const dispatcher = new Dispatcher({ ...options, callsPerSecond, map, meter, explorer, report });
  wake = () => dispatcher.wake();
  const outcome = await dispatcher.run().catch((error: unknown) => ({
    status: 'failed' as const,
    ...because(join(sentence`Internal error:`, sentencesOf(error))),
  }));
  events.push({ type: 'ended', ...outcome, stats: meter.stats() });
}
