import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { mapIvr } from '../../../support/crawlTree.ts';

const ivr = ivrFileSchema.parse({
  name: 'IVR',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the shop. For orders, press 1. For returns, press 2.',
      keys: { 1: 'orders', 2: 'returns' },
      timeoutMs: 15_000,
    },
    orders: { prompt: 'You have no orders. Goodbye.', end: 'hangup' },
    returns: { prompt: 'For shoes, press 1. For coats, press 2.', keys: { 1: 'shoes', 2: 'coats' }, timeoutMs: 15_000 },
    shoes: { prompt: 'Shoes are returned by post. Goodbye.', end: 'hangup' },
    coats: { prompt: 'Coats are not taken back. Goodbye.', end: 'hangup' },
  },
});
const silence = { 'Welcome to': 700, 'You have': 2500, 'For shoes': 1500, 'Coats are': 4000 };
const latencyOf = (prompt: string): number =>
  Object.entries(silence).find(([words]) => prompt.startsWith(words))?.[1] ?? 0;

describe('crawl: latency', () => {
  for (const bargeIn of [true, false]) {
    it(`runs from the end of the key to the first sound, if keys ${bargeIn ? 'stop' : 'do not stop'} a prompt`, async () => {
      const { tree } = await mapIvr(
        { ...ivr, bargeIn },
        { line: { latencyOf }, config: { maxDepth: 5, maxCalls: 60, concurrency: 1 } },
      );
      const found = new Map<string, number>();
      const visit = ({ path = '', latencyMs, children = [] }: TreeNode): void => {
        if (latencyMs !== undefined) found.set(path, latencyMs);
        children.forEach(visit);
      };
      if (tree.tree) visit(tree.tree);
      const meant = { '': 700, 1: 2500, 2: 1500, '2 > 1': 0, '2 > 2': 4000 };
      for (const [path, ms] of Object.entries(meant)) {
        const measured = found.get(path);
        // A key that is remembered until the prompt ends is pressed again if the answer is slow, so the time of its
        // acceptance is unknown.
        if (measured === undefined)
          assert.ok(path.startsWith('2') && (!bargeIn || ms === 0), `${path} was not measured`);
        else assert.ok(Math.abs(measured - ms) <= 250, `${path}: ${String(measured)} ms, ${String(ms)} ms meant`);
      }
    });
  }
});
