import assert from 'node:assert/strict';
import type { DialtreeClient } from '../../src/client/client.ts';
import type { OperationInput } from '../../src/contract/operations.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode } from '../support/serviceScript.ts';

const lab = '+12025550101';
const open = '+12125550123';

describe('service: forbidden and risky keys', function () {
  const fixture = new ServiceFixture();
  const calls = new ScriptedCalls();
  let client: DialtreeClient;

  before(async () => {
    ({ client } = await fixture.start({ parts: { perform: calls.perform } }));
    await client.call('recordConsent', { phoneNumber: open, statement: 'I may test this number' });
    await client.call('updateWorkspaceSettings', { forbiddenKeys: '9*' });
  });
  after(() => fixture.close());

  const save = async (
    phoneNumber: string,
    steps: OperationInput<'createTestConfig'>['steps'],
    rows?: Record<string, string>[],
  ): Promise<string> =>
    (await client.call('createTestConfig', { name: 'keys', phoneNumber, steps, ...(rows && { rows }) })).id;
  const press = (name: string, keys: string, secret = false) => ({
    name,
    action: { type: 'press' as const, keys },
    ...(secret && { secret }),
  });

  it('refuse a step that presses one on the public network, and name it unless it is secret', async () => {
    for (const [steps, rows, presses, message] of [
      [
        [press('sales', '1'), press('agent', '1,9')],
        undefined,
        [{ step: 'agent', key: '9' }],
        /“agent” presses the key 9/,
      ],
      [
        [press('account', '{account}#')],
        [{ account: '123' }, { account: '12*' }],
        [{ step: 'account', key: '*' }],
        /“account” presses the key \*/,
      ],
      [[press('pin', '{pin}', true)], [{ pin: '4719' }], [{ step: 'pin' }], /“pin” presses a key that/],
    ] as const) {
      const configId = await save(open, [...steps], rows && rows.map((row) => ({ ...row })));
      assert.deepEqual((await client.call('planCalls', { testConfigId: configId })).forbiddenKeys, presses);
      await assert.rejects(client.call('runTest', { configId }), {
        status: 403,
        code: 'forbidden_key',
        details: { presses },
        message,
      });
    }
    const load = { phoneNumber: open, concurrency: 1, keys: [{ afterSeconds: 2, digits: '1*' }] };
    await assert.rejects(client.call('runLoadTest', load), {
      status: 403,
      code: 'forbidden_key',
      message: /“keys after 2 s” presses the key \*/,
    });
    assert.equal((await client.call('planCalls', { load })).refusal?.code, 'forbidden_key');
  });

  it('apply to calls that leave the machine, and not to calls on it', async () => {
    const steps = [press('agent', '9')];
    await client.call('runTest', { configId: await save(lab, steps) });
    assert.equal((await calls.next()).options.forbiddenKeys, '');
    await client.call('runTest', { configId: await save(open, [press('sales', '1')]) });
    assert.equal((await calls.next()).options.forbiddenKeys, '9*');
    const sales = 'sip:sales@trunk.example.com';
    await client.call('recordConsent', { phoneNumber: sales, statement: 'I may test this number' });
    for (const [phoneNumber, keys] of [
      [lab, ''],
      [open, '9*'],
      [sales, '9*'],
    ] as const) {
      const { id } = await client.call('createMapping', { phoneNumber });
      await client.call('startMapping', { id });
      const run = await fixture.crawl.next();
      assert.equal(run.options.forbiddenKeys, keys, phoneNumber);
      run.end();
    }
  });

  it('include in a plan those that pay or cancel, as far as the mapping or the steps show them', async () => {
    const { id } = await client.call('createMapping', { phoneNumber: lab });
    await client.call('startMapping', { id });
    const run = await fixture.crawl.next();
    run.found(
      rootNode(),
      leafNode('1', { label: 'cards' }),
      leafNode('2', { label: 'pay your bill' }),
      leafNode('5', { id: 'deep', parentId: 'leaf-1', depth: 2, label: 'cancel a card', status: 'skipped' }),
    );
    run.end();
    await client.waitForRun(id);
    const risky = async (input: OperationInput<'planCalls'>) => (await client.call('planCalls', input)).riskyKeys;
    const all = [
      { key: '2', label: 'pay your bill' },
      { key: '1 5', label: 'cancel a card' },
    ];
    assert.deepEqual(await risky({ mappingId: id }), all);
    assert.deepEqual(await risky({ phoneNumber: lab, catalogueTestId: 'ai-disclose-start' }), all);
    assert.deepEqual(
      await risky({
        testConfigId: await save(lab, [press('cards', '1'), press('five', '5'), press('Confirm the order', '3')]),
      }),
      [
        { key: '1 5', label: 'cancel a card', step: 'five' },
        { key: '3', label: 'Confirm the order', step: 'Confirm the order' },
      ],
    );
    assert.deepEqual(await risky({ testConfigId: await save(lab, [press('cards', '1'), press('other', '2')]) }), []);
    assert.deepEqual(
      await risky({ testConfigId: await save(open, [press('both', '15')]) }),
      [],
      'of another number nothing is known',
    );
  });
});
