import type { CrawlNode } from './crawlNode.ts';
import type { HeardPrompt } from './hear.ts';
import type { MappingCall } from './menuWait.ts';
import type { Navigator, Press } from './navigator.ts';

/** One call, with what controls it and listens to it. */
export interface Visit extends MappingCall {
  readonly navigator: Navigator;
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

/** Returns true if the call isn't at the menu that was heard any more. */
export const hasLeft = ({ visit: { call }, heard }: Found): boolean =>
  call.ended !== undefined || heard.overrun === 'other';
