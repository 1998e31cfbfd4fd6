import type { MappingConfig } from '../../contract/mapping.ts';
import type { PressRules } from '../../language/labels/pressRules.ts';
import type { Clock } from '../../base/clock.ts';
import type { CrawlEvent } from './crawlEvent.ts';
import type { CrawlNode } from './crawlNode.ts';
import { CrawlMap } from './crawlMap.ts';
import { CrawlMeter } from './crawlMeter.ts';
import { Dispatcher } from './dispatcher.ts';
import { EventStream, whileRead } from '../eventStream.ts';
import { Explorer } from './explorer.ts';
import type { Dialer } from '../call/talk.ts';

/** Calls a second, where nothing else is asked for. */
export const usualCallsPerSecond = 10;

export interface CrawlOptions {
  /** SIP URI. */
  readonly target: string;
  readonly config: Pick<MappingConfig, 'mappingMode' | 'maxDepth' | 'maxCalls' | 'concurrency'> & PressRules;
  readonly dialer: Dialer;
  readonly clock: Clock;
  /** Aborting hangs up every call; the run ends with what was found. */
  readonly signal: AbortSignal;
  /** Nodes of an interrupted run: what was explored is kept, the rest is done again. */
  readonly resume?: readonly CrawlNode[];
  /**
   * The number is live: only options that are plainly harmless, or that the config allows, are pressed; the others are
   * told, with the reason.
   */
  readonly guarded?: boolean;
  /** Keys that are not pressed, such as `9*`: what they lead to is skipped. */
  readonly forbiddenKeys?: string;
  /** Call seconds that this run may use. */
  readonly budgetSeconds?: number;
  /** As `HearOptions.patienceMs`. */
  readonly patienceMs?: number;
  /** Calls a second to this number. */
  readonly callsPerSecond?: number;
}

/**
 * Maps the tree behind a number by calling it: parallel calls, each of which goes on to a leaf. Yields what is found as
 * it is found; the last event is `ended`. Never throws on what the far side does. A reader that stops reading hangs up
 * all calls.
 */
export function crawl(options: CrawlOptions): AsyncIterable<CrawlEvent> {
  const events = new EventStream<CrawlEvent>();
  return whileRead(events, options.signal, (signal) => mapTree({ ...options, signal }, events));
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
  const callsPerSecond = options.callsPerSecond ?? usualCallsPerSecond;
  const meter = new CrawlMeter(options.clock, map, { lines: options.config.concurrency, callsPerSecond });
  const report = (): void => {
    events.push({ type: 'stats', stats: meter.stats(), inFlight: meter.inFlight });
  };
  map.begin(options.resume ?? []);
  const explorer = new Explorer(map, options.clock, options.config.mappingMode, options.patienceMs);
  const dispatcher = new Dispatcher({ ...options, callsPerSecond, map, meter, explorer, report });
  wake = () => {
    dispatcher.wake();
  };
  const outcome = await dispatcher.run().catch((error: unknown) => ({
    status: 'failed' as const,
    reason: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
  }));
  events.push({ type: 'ended', ...outcome, stats: meter.stats() });
}
