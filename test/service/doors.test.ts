import assert from 'node:assert/strict';
import { DialError, type DialOptions } from '../../src/engine/call/activeCall.ts';
import { crawl } from '../../src/engine/crawl/crawl.ts';
import { linesSchema } from '../../src/contract/lines.ts';
import type { DialtreeClient } from '../../src/client/client.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { eventually } from '../support/eventually.ts';
import { fakeDialer } from '../support/fakeDialer.ts';
import { missionInput, scriptInput } from '../support/savedInputs.ts';

const number = '+12025550101';

/** How to start each kind of run that places its calls with the shared dialer. */
const kinds: Readonly<Record<string, (client: DialtreeClient) => Promise<unknown>>> = {
  mapping: async (client) => {
    const { id } = await client.call('createMapping', { phoneNumber: number });
    return await client.call('startMapping', { id });
  },
  'scripted test': async (client) => {
    const { id: configId } = await client.call('createTestConfig', scriptInput(number));
    return await client.call('runTest', { configId });
  },
  mission: async (client) => {
    const { id: configId } = await client.call('createMissionTestConfig', missionInput(number));
    return await client.call('runMissionTest', { configId });
  },
  'compliance probe': (client) =>
    client.call('runComplianceTest', { phoneNumber: number, catalogueTestId: 'ai-disclose-start' }),
  'reference call of a load test': async (client) => {
    const { id: configId } = await client.call('createTestConfig', scriptInput(number));
    return await client.call('runLoadTest', { configId, concurrency: 1, rampSeconds: 0, holdSeconds: 10 });
  },
};

describe('service: the doors of a call', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  for (const [kind, start] of Object.entries(kinds))
    it(`let a ${kind} call over its line, with the line's login and caller ID, and count the call`, async () => {
      const calls: { readonly target: string; readonly options: DialOptions; readonly onLine: number | undefined }[] =
        [];
      const { client } = await fixture.start({
        routes: {},
        lines: linesSchema.parse({
          lab: { kind: 'pbx', host: '127.0.0.1:5070', numbers: ['+1*'], user: 'acme', callerId: '600' },
        }),
        linePasswords: { lab: 'doors-pw' },
        parts: {
          crawl,
          openDialer: () =>
            fakeDialer({
              dial: async (target, _signal, options = {}) => {
                const { items } = await client.call('listLines', {});
                calls.push({ target, options, onLine: items[0]?.callsNow });
                throw new DialError({ by: 'remote', kind: 'busy', reason: 'busy' });
              },
            }),
        },
      });
      await start(client);
      await eventually(
        client,
        async () => calls.length > 0 && (await client.call('getWorkspaceUsage', {})).runsInFlight === 0,
      );
      for (const { target, options, onLine } of calls)
        assert.deepEqual(
          [target, options.from, options.credentials?.user, options.voice, onLine],
          ['sip:+12025550101@127.0.0.1:5070', 'sip:600@127.0.0.1', 'acme', 'rms', 1],
        );
      assert.equal((await client.call('listLines', {})).items[0]?.callsNow, 0);
      await client.call('updateWorkspaceSettings', { budgets: { callsPerDay: calls.length } });
      await assert.rejects(start(client), { code: 'budget_exceeded' }, 'the calls were counted');
    });
});
