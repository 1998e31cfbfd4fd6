import type { Reason } from '../../base/sentences.ts';
import type { LimitReason, MappingStats } from '../../contract/mapping.ts';
import type { CrawlNode } from './crawlNode.ts';

export type CrawlEvent =
  /** A node was added or changed. The node is a copy. */
  | { readonly type: 'node'; readonly node: Readonly<CrawlNode> }
  | { readonly type: 'nodeRemoved'; readonly nodeId: string }
  /** The step's audio, 8 kHz PCM, from the key that led here to the end of the prompt. */
  | { readonly type: 'audio'; readonly nodeId: string; readonly pcm: Int16Array }
  | { readonly type: 'stats'; readonly stats: MappingStats; readonly inFlight: number }
  | ({
      readonly type: 'ended';
      readonly status: 'completed' | 'failed' | 'limited';
      readonly limitReason?: LimitReason;
      readonly stats: MappingStats;
    } & Reason);
