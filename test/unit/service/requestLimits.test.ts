import assert from 'node:assert/strict';
import { serverLimits } from '../../../src/contract/limits.ts';
import { RateLimit } from '../../../src/service/workspaces/rateLimit.ts';
import { countInMemory } from '../../../src/service/workspaces/requestCounts.ts';
import { TryLimit } from '../../../src/service/people/tryLimit.ts';

describe('request limits', () => {
  it('bound wrong passwords for an address from all networks, and from a network for all addresses', async () => {
    const tooMany = { status: 429, code: 'too_many_tries' };
    const byAddress = new TryLimit(countInMemory);
    for (let network = 1; network <= 10; network += 1)
      await byAddress.count(`198.51.100.${String(network)}`, 'ann@example.com');
    await assert.rejects(byAddress.count('198.51.100.11', 'ann@example.com'), tooMany);
    await byAddress.count('198.51.100.12', 'bob@example.com');
    const byNetwork = new TryLimit(countInMemory);
    for (let person = 1; person <= 10; person += 1)
      await byNetwork.count('2001:db8::1', `p${String(person)}@example.com`);
    await assert.rejects(byNetwork.count('2001:db8::2', 'p11@example.com'), tooMany, 'a household is one network');
    await byNetwork.count('2001:db8:0:1::1', 'p12@example.com');
    const forgiving = new TryLimit(countInMemory);
    for (let attempt = 1; attempt <= 30; attempt += 1) {
      await forgiving.count('198.51.100.1', 'ann@example.com');
      await forgiving.forgive('198.51.100.1', 'ann@example.com');
    }
  });

  it('allow an IPv6 /48 four times as much, for all its networks together', async () => {
    const hosts = (site: string): string[] =>
      Array.from({ length: 5 }, (_value, network) => `2001:db8:${site}:${String(network + 1)}::1`);
    const tries = new TryLimit(countInMemory);
    let person = 0;
    const spray = async (address: string, times: number): Promise<void> => {
      for (let attempt = 0; attempt < times; attempt += 1) {
        person += 1;
        await tries.count(address, `p${String(person)}@example.com`);
      }
    };
    const [last = '', ...others] = hosts('7');
    for (const address of others) await spray(address, 10);
    await assert.rejects(spray(last, 1), { status: 429, code: 'too_many_tries' });
    await spray('2001:db8:8:1::1', 1);
    // A rejected one was counted as well.
    for (let times = 0; times < 2; times += 1) await tries.forgive(others[0] ?? '', 'p1@example.com');
    await spray(last, 1);

    const rates = new RateLimit(countInMemory);
    const [late = '', ...early] = hosts('7');
    for (const address of early)
      for (let visit = 0; visit < serverLimits.visitsPerMinute; visit += 1)
        assert.equal(await rates.takeVisit(address), 0);
    assert.ok((await rates.takeVisit(late)) > 0);
    assert.equal(await rates.takeVisit('2001:db8:8:1::1'), 0);
  });
});
