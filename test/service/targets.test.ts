import assert from 'node:assert/strict';
import { join } from 'node:path';
import { linesSchema } from '../../src/contract/lines.ts';
import type { KeyLimits } from '../../src/contract/keyLimits.ts';
import { PracticeRegistry } from '../../src/practice/registry.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const bank = { name: 'Harbour Bank', uri: 'sip:bank@127.0.0.1:5071' };
const practice = { kind: 'practice', name: bank.name, phoneNumber: bank.uri, needsConsent: false };
const routes = {
  '+12025550101': 'sip:bank@127.0.0.1:5071',
  '+12025550102': 'sip:absent@127.0.0.1:5999',
  '+12125550123': 'sip:{number}@trunk.invalid',
  '+1*': 'sip:{number}@trunk.invalid',
};
const ofRoutes = [
  { kind: 'route', phoneNumber: '+12025550101', needsConsent: false },
  { kind: 'route', phoneNumber: '+12125550123', needsConsent: true },
  { kind: 'route', pattern: '+1*', needsConsent: true },
];
const ofLines = [
  { kind: 'line', name: 'desk', phoneNumber: 'sip:support@ivr.invalid', needsConsent: false },
  { kind: 'line', name: 'lab', pattern: 'sip:*@pbx.invalid:5080', needsConsent: false },
  { kind: 'line', name: 'lab', pattern: '+49*', needsConsent: true },
];
const lines = linesSchema.parse({
  desk: { kind: 'uri', uri: 'sip:support@ivr.invalid' },
  lab: { kind: 'pbx', host: 'pbx.invalid:5080', numbers: ['+49*'], headers: { 'X-Token': 'header-s3cret' } },
  locked: { kind: 'trunk', host: 'carrier.invalid', numbers: ['+44*', '+442071838750'], user: 'line-user' },
});

describe('service: what can be called', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  async function start() {
    const practices = new PracticeRegistry([join(await fixture.folder(), 'practice')]);
    const withdraw = practices.announce({ host: '127.0.0.1', port: 5071 }, [bank]);
    return { ...(await fixture.start({ routes, lines, parts: { practices } })), withdraw };
  }

  it('lists practice IVRs, lines and routes, and which of them need consent', async () => {
    const { client, withdraw, ...service } = await start();
    const all = { items: [practice, ...ofLines, ...ofRoutes] };
    assert.deepEqual(await client.call('listTargets', {}), all);
    assert.doesNotMatch(JSON.stringify(all), /trunk\.invalid|carrier|s3cret|line-user/);
    const mcp = await connectAgent(service);
    const { structuredContent } = await mcp.callTool({ name: 'listTargets', arguments: {} });
    await mcp.close();
    assert.deepEqual(structuredContent, all);
    await client.call('recordConsent', { phoneNumber: '+12125550123', statement: 'I may test this number' });
    withdraw();
    const { items } = await client.call('listTargets', {});
    assert.deepEqual(items, [...ofLines, { ...ofRoutes[1], needsConsent: false }, ofRoutes[2]]);
  });

  it('has pages, and no addresses or lines for workspaces that anyone can register', async () => {
    const service = await start();
    const first = await service.client.call('listTargets', { limit: 4 });
    const second = await service.client.call('listTargets', { limit: 4, cursor: first.nextCursor });
    assert.deepEqual([...first.items, ...second.items], [practice, ...ofLines, ...ofRoutes.slice(0, 1)]);
    assert.equal((await service.client.call('listTargets', { cursor: second.nextCursor })).nextCursor, undefined);
    await assert.rejects(service.client.call('listTargets', { cursor: '-1' }), { status: 400 });
    const { apiKey } = await service.client.call('registerWorkspace', {});
    assert.deepEqual((await service.clientOf(apiKey).call('listTargets', {})).items, ofRoutes);
  });

  it('includes only what a limited key may call', async () => {
    const service = await start();
    const listed = async (...numbers: NonNullable<KeyLimits['numbers']>) => {
      const { apiKey } = await service.client.call('createApiKey', { name: 'agent', limits: { numbers } });
      const { items } = await service.clientOf(apiKey).call('listTargets', {});
      return items.map(({ phoneNumber, pattern }) => phoneNumber ?? pattern);
    };
    assert.deepEqual(await listed('practice'), [bank.uri]);
    assert.deepEqual(await listed('+4930*', 'sip:600@pbx.invalid:5080'), ['sip:600@pbx.invalid:5080', '+4930*']);
    assert.deepEqual(await listed('+12125550123'), ['+12125550123']);
    assert.deepEqual(await listed(), []);
  });
});
