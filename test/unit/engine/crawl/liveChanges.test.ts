import assert from 'node:assert/strict';
import type { Dialer } from '../../../../src/engine/call/activeCall.ts';
import { ChangingIvr } from '../../../support/changingIvr.ts';
import { crawlTree } from '../../../support/crawlTree.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const examples = 500;

interface Mapped {
  readonly keys: number;
  /** What is wrong with each key whose harmless offer its call hadn't heard. */
  readonly wrong: readonly string[];
}

/** Maps an IVR that changes from call to call, as a live number. */
async function mapChanging(seed: number): Promise<Mapped> {
  const ivr = new ChangingIvr(seed);
  const clock = new VirtualClock();
  let placed = 0;
  let keys = 0;
  const wrong: string[] = [];
  const dialer: Dialer = {
    dial: (...dialled) => {
      const one = simulatedDialer({
        ivr: ivr.at(placed),
        clock,
        onCall(call) {
          let sinceMs = 0;
          const add = call.keys.push.bind(call.keys);
          call.keys.push = (key = '') => {
            keys += 1;
            const why = ivr.wrongKey(call, key, sinceMs);
            if (why !== undefined) wrong.push(`${key}: ${why}`);
            sinceMs = call.now();
            return add(key);
          };
        },
      });
      placed += 1;
      return one.dial(...dialled);
    },
  };
  await clock.run(
    crawlTree({
      target: 'sip:x',
      clock,
      dialer,
      signal: new AbortController().signal,
      guarded: true,
      config: { mappingMode: 'dtmf', maxDepth: 5, maxCalls: 12, concurrency: 1 + (seed % 3) },
    }),
  );
  return { keys, wrong };
}

describe('crawl: live menus that change, lengthen, swap, warn, or time out into others', () => {
  it('get no key whose harmless offer this call has not heard', async () => {
    const wrong: string[] = [];
    let keys = 0;
    for (let seed = 1; seed <= examples; seed += 1) {
      const mapped = await mapChanging(seed);
      keys += mapped.keys;
      wrong.push(...mapped.wrong.map((why) => `seed ${String(seed)}, key ${why}`));
    }
    assert.deepEqual(wrong.slice(0, 20), [], `${String(wrong.length)} of ${String(keys)} keys`);
    assert.ok(keys > examples * 2, `${String(keys)} keys`);
  });
});
