import assert from 'node:assert/strict';
import { serverLimits } from '../../../src/contract/limits.ts';
import { Signer } from '../../../src/service/basics/signing.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { networkOf } from '../../../src/service/workspaces/networks.ts';
import { registerWorkspace } from '../../../src/service/workspaces/registration.ts';
import { SignUps } from '../../../src/service/people/signUps.ts';
import { countMessage } from '../../../src/service/people/textMessages.ts';
import { MailInbox } from '../../support/mailInbox.ts';
import { openTestStore } from '../../support/testStore.ts';

const hourMs = 3_600_000;

describe('networks', function () {
  let now = new Date('2026-03-01T12:00:00.000Z');
  let store: Store;
  before(async () => {
    store = await openTestStore(() => now);
  });
  after(() => store.close());
  /** The counts of a day are forgotten. */
  beforeEach(() => {
    now = new Date(now.getTime() + 48 * hourMs);
  });

  const register = (address: string) => registerWorkspace(store, address, now);
  const tooMany = (seconds: number) => ({
    status: 429,
    code: 'too_many_registrations',
    retryAfterSeconds: seconds,
  });
  /** Returns an address in one of the /64 networks of a /48. */
  const inSite = (site: number, network: number): string => `2001:db8:${site.toString(16)}:${network.toString(16)}::1`;

  it('count an IPv6 household as one', () => {
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf('2001:db8:0:1::1'), networkOf('2001:0db8:0000:0001:ffff:1:2:3'));
    assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'));
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
  });

  it('register a few workspaces per hour from an IPv6 /48, from any of its /64 networks', async () => {
    const { registrations, networksOfSite } = serverLimits;
    const most = registrations.networkAnHour * networksOfSite;
    for (let network = 0; network < most; network += 1) await register(inSite(1, network));
    for (const network of [0, most, 0xff_ff]) await assert.rejects(register(inSite(1, network)), tooMany(3600));
    await register('2001:0DB8:2::1');
    now = new Date(now.getTime() + hourMs);
    await register(inSite(1, most));
  });

  it('register a few workspaces per day from a network, and from a /48', async () => {
    const { registrations, networksOfSite } = serverLimits;
    const aDay = async (mostADay: number, address: (count: number) => string): Promise<void> => {
      const begun = now.getTime();
      for (let count = 0; count < mostADay; count += 1) {
        await register(address(count));
        now = new Date(begun + Math.floor((count + 1) / registrations.networkAnHour) * hourMs);
      }
      now = new Date(begun + 23 * hourMs);
      await assert.rejects(register(address(mostADay)), tooMany(3600));
      now = new Date(begun + 24 * hourMs);
      await register(address(mostADay));
    };
    await aDay(registrations.networkADay, () => '192.0.2.1');
    await aDay(registrations.networkADay * networksOfSite, (count) => inSite(3, count));
  });

  it('register no more workspaces per day than one server allows', async () => {
    const { serverADay } = serverLimits.registrations;
    const others = Array.from({ length: serverADay - 1 }, (_, index) => ({
      network: `other ${String(index)}`,
      at: now,
    }));
    await store.db.insertInto('registrations').values(others).execute();
    await register('192.0.2.1');
    await assert.rejects(register('198.51.100.1'), tooMany(86_400));
    await assert.rejects(register('198.51.100.1'), /on this server/);
    now = new Date(now.getTime() + 24 * hourMs);
    await register('198.51.100.1');
  });

  it('get a few codes per hour in an IPv6 /48, by text message and by mail', async () => {
    const { textMessages, signUp, networksOfSite } = serverLimits;
    const message = (network: number): Promise<boolean> =>
      store.write((transaction) =>
        countMessage(transaction, new Signer(store.secret), {
          number: `+4474001${String(network).padStart(5, '0')}`,
          address: inSite(4, network),
          now,
        }),
      );
    const mostMessages = textMessages.networkAnHour * networksOfSite;
    for (let network = 0; network < mostMessages; network += 1) assert.equal(await message(network), true);
    await assert.rejects(message(mostMessages), { status: 429, code: 'too_many_codes' });

    const signUps = new SignUps({
      store,
      signer: new Signer(store.secret),
      now: () => now,
      mail: new MailInbox(),
      signInUrl: () => '',
      claims: { complete: () => Promise.resolve({ state: 'unproven' }) },
    });
    const mail = (network: number) => signUps.begin(inSite(4, network), `ann${String(network)}@example.com`);
    const mostMails = signUp.codesAnHourPerNetwork * networksOfSite;
    for (let network = 0; network < mostMails; network += 1) await mail(network);
    await assert.rejects(mail(mostMails), { status: 429, code: 'too_many_codes' });
  });
});
