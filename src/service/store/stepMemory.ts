import type { CrawlNode } from '../../engine/crawl/crawlNode.ts';

/** A crawl's node as JSON; fingerprints are base64. */
export type StoredMemory = Omit<CrawlNode, 'fingerprint' | 'aliases'> & {
  readonly fingerprint?: string;
  readonly aliases?: readonly string[];
};

const encode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
/** Copied out of the pool of small buffers, so that the array has its own buffer. */
const decode = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

export function toStoredNode(node: Readonly<CrawlNode>): StoredMemory {
  const { fingerprint, aliases, ...rest } = node;
  return {
    ...rest,
    ...(fingerprint && { fingerprint: encode(fingerprint) }),
    ...(aliases && { aliases: aliases.map(encode) }),
  };
}

export function fromMemory(memory: StoredMemory): CrawlNode {
  const { fingerprint, aliases, ...rest } = memory;
  return {
    ...rest,
    ...(fingerprint !== undefined && { fingerprint: decode(fingerprint) }),
    ...(aliases && { aliases: aliases.map(decode) }),
  };
}
