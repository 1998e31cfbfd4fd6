import assert from 'node:assert/strict';
import type { IvrFile } from '../../src/contract/ivrFile.ts';
import type { CrawlOptions } from '../../src/engine/crawl/crawl.ts';
import { DialError } from '../../src/engine/call/activeCall.ts';
import { crawlTree } from '../support/crawlTree.ts';
import { generateIvr } from '../support/generateIvr.ts';
import { simulatedDialer } from '../support/simulatedDialer.ts';
import { VirtualClock } from '../support/virtualClock.ts';

const config = { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 1000, concurrency: 4 } as const;

/** Maps a generated IVR without sound in virtual time. `steps`: every change of a node's status on the way. */
async function map(
  seed: number,
  {
    ivr = generateIvr(seed),
    refuse,
    ...more
  }: Partial<CrawlOptions> & { readonly ivr?: IvrFile; readonly refuse?: (call: number) => number | undefined } = {},
) {
  const clock = new VirtualClock();
  const crawled = await clock.run(
    crawlTree({
      target: 'sip:x',
      clock,
      dialer: simulatedDialer({ ivr, clock, ...(refuse && { refuse }) }),
      signal: new AbortController().signal,
      config,
      ...more,
    }),
  );
  const status = new Map<string, string>();
  const steps = new Set<string>();
  for (const event of crawled.events) {
    if (event.type === 'node' && status.get(event.node.id) !== event.node.status) {
      steps.add(`${status.get(event.node.id) ?? 'new'} → ${event.node.status}`);
      status.set(event.node.id, event.node.status);
    }
    if (event.type === 'nodeRemoved') status.delete(event.nodeId);
  }
  return { ...crawled, steps, left: new Set(status.values()) };
}

describe('the end of a mapping run', () => {
  it('names the limit on calls, depth or minutes, and skips unreached steps', async () => {
    for (const [limitReason, more, words] of [
      ['max_calls', { config: { ...config, maxCalls: 2 } }, /Raise maxCalls/],
      ['max_depth', { config: { ...config, maxDepth: 1 } }, /Raise maxDepth/],
      ['capacity', { budgetSeconds: 20 }, /Get more minutes/],
    ] as const) {
      const { end, left, steps } = await map(1, more);
      assert.deepEqual([end.status, end.limitReason], ['limited', limitReason]);
      assert.match(end.reason ?? '', words);
      assert.equal(steps.has('pending → skipped'), limitReason !== 'max_depth');
      if (limitReason === 'capacity')
        assert.ok(steps.has('exploring → pending'), 'what a call was at when it was hung up is open again');
      assert.ok(!left.has('pending') && !left.has('exploring'));
    }
  });

  it('reports a limit if the number keeps refusing, and continues if it refuses only for a while', async () => {
    const busy = await map(1, { refuse: () => 486 });
    assert.deepEqual([busy.end.status, busy.end.limitReason, busy.stats.callsPlaced], ['limited', 'target_refused', 5]);
    const later = await map(1, { refuse: (call) => (call > 3 ? 503 : undefined) });
    assert.deepEqual([later.end.status, later.end.limitReason], ['limited', 'target_refused']);
    assert.ok(later.left.has('skipped') && later.left.has('explored'));
    const unknown = await map(1, { refuse: () => 404 });
    assert.deepEqual([unknown.end.status, unknown.end.limitReason], ['failed', undefined]);
    const passing = await map(1, { refuse: (call) => (call % 3 === 2 ? 486 : undefined) });
    assert.equal(passing.end.status, 'completed');
    assert.ok(!passing.left.has('skipped'));
  });

  it('keeps one skipped step and counts none if no call was answered', async () => {
    const unreachable = {
      dial: () => Promise.reject(new DialError({ by: 'remote', kind: 'unreachable', reason: 'refused' })),
    };
    for (const more of [{ refuse: () => 486 }, { refuse: () => 404 }, { dialer: unreachable }]) {
      const { left, stats } = await map(1, more);
      assert.deepEqual([[...left], stats.nodesDiscovered], [['skipped'], 0]);
    }
  });

  it("reports a failure immediately if the number doesn't exist", async () => {
    const unreachable = {
      dial: () => Promise.reject(new DialError({ by: 'remote', kind: 'unreachable', reason: 'refused' })),
    };
    const { end, stats } = await map(1, { dialer: unreachable });
    assert.deepEqual([end.status, stats.callsPlaced, stats.callsFailed], ['failed', 1, 1]);
    assert.match(end.reason ?? '', /Check the host and port/);
  });

  it('gives up a place that no call reaches, with its reason', async () => {
    const whole = generateIvr(1);
    const reasons = new Set<string | undefined>();
    for (let dropCallAfterMs = 9000; dropCallAfterMs <= 16_000; dropCallAfterMs += 1000) {
      const { steps, tree } = await map(1, { ivr: { ...whole, faults: { ...whole.faults, dropCallAfterMs } } });
      if (steps.has('exploring → failed'))
        for (const { status, reason } of tree.tree?.children ?? []) if (status === 'failed') reasons.add(reason);
    }
    assert.ok(reasons.size > 0);
    for (const reason of reasons) assert.match(reason ?? '', /^The call (?:dropped|ended) /);
  });

  it('leaves every node explored or linked if it is completed', async () => {
    const { end, left, steps } = await map(3);
    assert.equal(end.status, 'completed');
    assert.deepEqual([...left].sort(), ['explored', 'linked']);
    for (const step of ['new → pending', 'pending → exploring', 'exploring → explored', 'exploring → linked'])
      assert.ok(steps.has(step), step);
  });
});
