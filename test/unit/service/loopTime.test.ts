import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { serverLimits, tiers } from '../../../src/contract/limits.ts';
import { LoopTime } from '../../../src/service/workspaces/loopTime.ts';

describe('the time for which requests block the event loop', () => {
  const share = tiers.free.loopMsPerMinute;
  const [mine, yours] = ['mine', 'yours'].map((workspaceId) => ({ workspaceId, tier: 'free' as const }));
  let ms = 0;
  let loopTime = new LoopTime({ now: () => ms });
  beforeEach(() => {
    loopTime = new LoopTime({ now: () => ms });
  });
  const block = (part: number): void => {
    ms += share * part;
  };
  const ask = (payer: Parameters<LoopTime['charge']>[0] = mine!): Promise<void> =>
    loopTime.charge(payer, () => Promise.resolve());
  const refused = (retryAfterSeconds: number) => ({ status: 429, code: 'too_many_requests', retryAfterSeconds });

  it('includes the stretches before and after every wait, until the share has recovered', async () => {
    await loopTime.charge(mine!, async () => {
      block(1);
      await nextTurn();
      await Promise.resolve();
      block(0.4);
    });
    await assert.rejects(ask(), refused(21));
    await ask(yours);
    ms += 20_000;
    await assert.rejects(ask(), refused(1));
    ms += 1000;
    await ask();
  });

  it('leaves out other requests, other work and waits', async () => {
    const request = async (part: number): Promise<void> => {
      for (let stretch = 0; stretch < 3; stretch += 1) {
        await nextTurn();
        block(part);
      }
    };
    const callbacks = (left: number): void => {
      block(0.6);
      if (left > 1) setImmediate(callbacks, left - 1);
    };
    const first = loopTime.charge(mine!, () => request(0.3));
    setImmediate(callbacks, 3);
    await Promise.all([first, loopTime.charge(yours!, () => request(0.6)), request(0.6)]);
    await ask();
    await assert.rejects(ask(yours));
  });

  it('leaves out what continues after the response', async () => {
    let run: Promise<void> | undefined;
    await loopTime.charge(mine!, async () => {
      await nextTurn();
      run = nextTurn().then(() => block(1.1));
    });
    await loopTime.charge(yours!, () => run!);
    await ask();
    await ask(yours);
  });

  it('counts against the network of a request without a key, and its IPv6 site', async () => {
    const visit = (address: string): Promise<void> =>
      loopTime.charge(address, () => Promise.resolve(void (ms += serverLimits.visitLoopMsPerMinute * 1.3)));
    await visit('2001:db8:7:1::1');
    await visit('198.51.100.1');
    await assert.rejects(ask('2001:db8:7:2::1'), { status: 429 });
    await assert.rejects(ask('198.51.100.1'), { status: 429 });
    await ask('2001:db8:8:1::1');
    await ask('198.51.100.2');
    await ask();
  });
});
