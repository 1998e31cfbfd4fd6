import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { scopes as allScopes } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { admit } from '../../src/service/workspaces/admission.ts';
import { Keys } from '../../src/service/workspaces/keys.ts';
import { registerWorkspace } from '../../src/service/workspaces/registration.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { openTestStore } from '../support/testStore.ts';
import { heldLoad } from '../support/heldLoad.ts';
import { eventually } from '../support/eventually.ts';

const lab = '+12025550101';
const scopes: Scope[] = ['mapping:read', 'mapping:write', 'testing:read', 'testing:write', 'workspace:read'];
const steps = [{ name: 'call', action: { type: 'dial' as const } }];

describe('service: a revoked key', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('ends the runs that it started, running or waiting, and none of other keys', async () => {
    const calls = new ScriptedCalls();
    const service = await fixture.start({
      parts: {
        perform: calls.perform,
        performLoad: heldLoad(),
      },
    });
    const { client: owner } = service;
    const { apiKey, id } = await owner.call('createApiKey', { name: 'An agent', scopes });
    const agent = service.clientOf(apiKey);
    const job = await agent.call('createMapping', { phoneNumber: lab });
    await agent.call('startMapping', { id: job.id });
    const crawl = await fixture.crawl.next();
    const config = await agent.call('createTestConfig', {
      name: 'n',
      phoneNumber: lab,
      steps,
      rows: [{ a: '1' }, { a: '2' }, { a: '3' }],
    });
    const { items } = await agent.call('runTest', { configId: config.id });
    const under = await calls.next();
    const load = await agent.call('runLoadTest', { phoneNumber: lab, concurrency: 2 });
    const [others] = (
      await owner.call('runTest', {
        configId: (await owner.call('createTestConfig', { name: 'n', phoneNumber: lab, steps })).id,
      })
    ).items;
    const theirs = await calls.next();
    const listening = new EventWatch(agent);
    const refused = assert.rejects(listening.ended, { status: 401 });
    await listening.ready;

    const waiting = assert.rejects(agent.call('getMapping', { id: job.id, waitSeconds: 45 }), { status: 401 });

    await owner.call('revokeApiKey', { id });
    await waiting;
    assert.deepEqual(
      [crawl.options.signal.aborted, under.options.signal.aborted, theirs.options.signal.aborted],
      [true, true, false],
    );
    const { status, reason } = (await owner.call('getMapping', { id: job.id })).currentRun ?? assert.fail();
    assert.equal(status, 'failed');
    assert.match(reason ?? '', /key that started this was revoked/);
    const ends = await Promise.all(
      items.map(async ({ id: runId }) => {
        const run = await owner.call('getRunResults', { runId });
        return [run.outcome, run.reason];
      }),
    );
    assert.match(ends[0]?.[1] ?? '', /key that started this was revoked/);
    assert.deepEqual(
      ends.slice(1),
      [
        ['ERROR', 'Cancelled before the call was placed.'],
        ['ERROR', 'Cancelled before the call was placed.'],
      ],
      'the waiting ones were not begun',
    );
    assert.equal((await owner.call('getLoadTest', { id: load.id })).status, 'aborted');
    assert.equal((await owner.call('getWorkspaceUsage', {})).runsInFlight, 1);
    theirs.end();
    await eventually(
      owner,
      async () => (await owner.call('getRunResults', { runId: others?.id ?? '' })).status === 'completed',
    );
    assert.equal((await owner.call('getRunResults', { runId: others?.id ?? '' })).outcome, 'PASS');
    // The event stream ended with the key; a new request for one is refused.
    await refused;
    await assert.rejects(agent.call('listMappings', {}), { status: 401 });
  });

  it('admits nothing that was requested before the revocation', async () => {
    const store = await openTestStore();
    try {
      const now = new Date();
      const { workspaceId, apiKey } = await registerWorkspace(store, '198.51.100.7', now);
      const principal = { workspaceId, keyId: apiKey.slice(3, 11), tier: 'free' as const, scopes: new Set(allScopes) };
      const revoked: string[][] = [];
      const keys = new Keys(
        store,
        () => now,
        undefined,
        (...of) => {
          revoked.push(of);
          return Promise.resolve();
        },
      );
      const { id } = await keys.create(principal, { name: 'An agent', scopes });
      await keys.revoke(principal, id);
      assert.deepEqual(revoked, [[workspaceId, id]]);
      const wanted = { calls: 1, seconds: 1, secondsOfRun: 1, costPerMinute: undefined };
      await assert.rejects(
        store.write((transaction) =>
          admit(transaction, {
            workspaceId,
            runId: randomUUID(),
            kind: 'tests',
            wanted,
            now,
            launcher: { keyId: id },
          }),
        ),
        { status: 401 },
      );
    } finally {
      await store.close();
    }
  });
});
