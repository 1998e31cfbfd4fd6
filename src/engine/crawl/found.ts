import { patience } from '../hearing/patience.ts';
import type { CrawlNode } from './crawlNode.ts';
import type { HeardPrompt } from './hear.ts';
import type { MappingCall } from './menuWait.ts';
import type { Navigator, Press } from './navigator.ts';

/** One call, with what controls it and listens to it. */
export interface Visit extends MappingCall {
  readonly navigator: Navigator;
  /** What was stored before all of its words were text. */
  readonly late: Found[];
}

/** What a call heard of a task, from its key or phrase. */
export interface Found {
  readonly visit: Visit;
  readonly task: CrawlNode;
  readonly heard: HeardPrompt;
  readonly press: Press;
}

/** Returns the prompt's span in the call's audio, slightly extended at both ends. */
export const spanOf = ({ startMs, endMs }: HeardPrompt): [fromMs: number, toMs: number] => [startMs - 40, endMs + 60];

/** Returns true if this machine is so busy that listening gave up on words of the prompt that aren't text yet. */
export const isUnread = ({ visit: { log }, heard: { kind, startMs, endMs } }: Found): boolean =>
  (kind === 'menu' || kind === 'input' || kind === 'end') &&
  !log.ended &&
  log.unreadBefore(startMs, endMs) !== undefined;

/** Returns true if the prompt before the key was understood so late that the key may have counted somewhere else. */
export const isKeyLate = ({ visit: { log }, press: { arrivedAtMs, atMs } }: Found): boolean =>
  log.lateMs(arrivedAtMs, atMs) > patience.ofSystems;

/** Returns true if the call isn't at the menu that was heard any more. */
export const hasLeft = ({ visit: { call }, heard }: Found): boolean =>
  call.ended !== undefined || heard.overrun === 'other';
