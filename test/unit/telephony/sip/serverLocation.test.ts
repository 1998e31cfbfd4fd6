import assert from 'node:assert/strict';
import type { NameService } from '../../../../src/telephony/sip/serverLocation.ts';
import { locateServers } from '../../../../src/telephony/sip/serverLocation.ts';

type Record = readonly [name: string, port: number, priority: number, weight: number];

/** A name service with these records; other names don't exist. */
function names(
  records: readonly Record[],
  addresses: { readonly [name: string]: readonly string[] },
  random = 0,
): NameService {
  return {
    srv: (name) =>
      name === '_sip._udp.example.com'
        ? Promise.resolve(records.map(([target, port, priority, weight]) => ({ name: target, port, priority, weight })))
        : Promise.reject(new Error('ENOTFOUND')),
    addresses: (name) =>
      addresses[name] ? Promise.resolve(addresses[name]) : Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`)),
    random: () => random,
  };
}
const locate = async (service: NameService, families: readonly (4 | 6)[] = [4, 6], port?: number): Promise<string[]> =>
  (await locateServers('UDP', families, 'example.com', port, service)).map(
    ({ host, port: at, name }) => `${host} ${String(at)} ${name ?? ''}`,
  );
const own = { 'a.net': ['10.0.0.1'], 'b.net': ['10.0.0.2'], 'c.net': ['10.0.0.3', '2001:db8::3'] };

describe('the servers of a domain', () => {
  it('come in order of priority, with all their addresses', async () => {
    const service = names(
      [
        ['c.net', 5062, 20, 0],
        ['a.net', 5060, 10, 0],
      ],
      own,
    );
    assert.deepEqual(await locate(service), [
      '10.0.0.1 5060 example.com',
      '10.0.0.3 5062 example.com',
      '2001:db8::3 5062 example.com',
    ]);
    assert.deepEqual(await locate(service, [6]), ['2001:db8::3 5062 example.com']);
  });

  it('come by chance within a priority, by their weights', async () => {
    const records: Record[] = [
      ['a.net', 1, 10, 30],
      ['b.net', 2, 10, 70],
    ];
    const first = async (random: number): Promise<string | undefined> => (await locate(names(records, own, random)))[0];
    assert.deepEqual(
      [await first(0.29), await first(0.32), await first(0.99)],
      ['10.0.0.1 1 example.com', '10.0.0.2 2 example.com', '10.0.0.2 2 example.com'],
    );
    assert.equal((await locate(names(records, own, 0.99))).length, 2);
  });

  it('have the addresses of the domain without SRV records, or with a port', async () => {
    const domain = { 'example.com': ['2001:db8::1'] };
    assert.deepEqual(await locate(names([], domain)), ['2001:db8::1 5060 example.com']);
    assert.deepEqual(await locate(names([['a.net', 1, 1, 1]], domain), [4, 6], 5070), ['2001:db8::1 5070 example.com']);
    await assert.rejects(locate(names([], domain), [4]), /“example.com” has no IPv4 address/);
  });

  it('number up to five, without one that has no address', async () => {
    const many = Array.from({ length: 40 }, (_, i): Record => [`h${String(i)}.net`, 5060, i, 0]);
    const addresses = Object.fromEntries(many.slice(1).map(([name], i) => [name, [`10.0.1.${String(i)}`]]));
    assert.equal((await locate(names(many, addresses))).length, 4);
  });

  it('fail in words if their records lead nowhere', async () => {
    for (const [records, why] of [
      [[['', 0, 0, 0]], /doesn't offer SIP over UDP, as its SRV record says/],
      [[['.', 5060, 0, 0]], /doesn't offer SIP over UDP, as its SRV record says/],
      [[['a.net', 0, 0, 0]], /doesn't offer SIP over UDP/],
      [[['_sip._udp.example.com', 5060, 0, 0]], /ENOTFOUND _sip._udp.example.com/],
    ] as const)
      await assert.rejects(locate(names(records, own)), why);
  });
});
