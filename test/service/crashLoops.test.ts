import assert from 'node:assert/strict';
import { DialtreeClient } from '../../src/client/client.ts';
import { CapacityError } from '../../src/client/errors.ts';
import { seededRandom } from '../../src/practice/random.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';

const number = '+12025550101';
const crashes = 20;
const callsPerDay = 25;

describe('service: crashes during calls @full', function () {
  const fixture = new ServiceFixture();
  const processes: JsonProcess[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()));
    await fixture.close();
  });

  async function launch(dataDir: string) {
    const child = new JsonProcess(new URL('../support/serviceChild.ts', import.meta.url), [dataDir, 'calls']);
    processes.push(child);
    const { baseUrl, apiKey } = await child.line('ready');
    return { child, client: new DialtreeClient({ baseUrl: String(baseUrl), apiKey: String(apiKey) }) };
  }

  /** Kills this process during a call, and the next one too. Returns the second and the third. */
  async function crashTwice(dataDir: string, first: JsonProcess) {
    await first.line('dialled');
    await first.kill();
    const { child: second } = await launch(dataDir);
    await second.line('dialled');
    await second.kill();
    return { second, third: await launch(dataDir) };
  }

  /** Waits until all runs in flight have ended, or this process has dialled this many calls. */
  async function untilDialled(child: JsonProcess, client: DialtreeClient, calls: number): Promise<void> {
    const watch = new EventWatch(client);
    await watch.ready;
    try {
      await Promise.race([
        child.line('dialled', calls),
        watch.until(async () => (await client.call('getWorkspaceUsage', {})).runsInFlight === 0),
      ]);
    } finally {
      await watch.close();
    }
  }

  it('counts each dialled call against the budget, and places none beyond it', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seededRandom(seed);
    const dataDir = await fixture.folder();
    let dialled = 0;
    for (let crash = 0; crash < crashes; crash += 1) {
      const { child, client } = await launch(dataDir);
      await client.call('updateWorkspaceSettings', { budgets: { callsPerDay } });
      try {
        if (random() < 0.5) {
          const { id } = await client.call('createMapping', {
            phoneNumber: number,
            config: { maxCalls: 1 + Math.floor(random() * 4) },
          });
          await client.call('startMapping', { id });
        } else {
          const { id: configId } = await client.call('createTestConfig', {
            name: 'call',
            phoneNumber: number,
            steps: [
              { name: 'call', action: { type: 'dial' } },
              { name: 'wait', action: { type: 'wait', seconds: 8 } },
            ],
            rows: [{ a: '1' }, { a: '2' }],
          });
          await client.call('runTest', { configId });
        }
      } catch (error) {
        assert.ok(error instanceof CapacityError && error.status === 402, `seed ${String(seed)}: ${String(error)}`);
      }
      // Before the first call, during it, or during the next one.
      const calls = Math.floor(random() * 2.5);
      if (calls > 0) await untilDialled(child, client, calls);
      await child.kill();
      dialled += child.count('dialled');
    }
    const { child, client } = await launch(dataDir);
    await untilDialled(child, client, Infinity);
    dialled += child.count('dialled');
    const { budget } = await client.call('planCalls', { mapping: { phoneNumber: number, config: { maxCalls: 1 } } });
    const counted = callsPerDay - (budget.left.callsPerDay ?? 0);
    // A process can die between the record and the INVITE.
    assert.ok(
      counted >= dialled && counted <= callsPerDay,
      `seed ${String(seed)}: ${String(dialled)} calls were dialled, and ${String(counted)} of ${String(callsPerDay)} are counted`,
    );
    const told = (await client.call('listMappings', { limit: 100 })).items.reduce(
      (sum, { stats }) => sum + (stats?.callsPlaced ?? 0),
      0,
    );
    assert.ok(told <= counted, `seed ${String(seed)}: the mappings tell of ${String(told)} calls`);
  });

  it("doesn't call again by itself after a second crash during a call, and says so", async () => {
    const dataDir = await fixture.folder();
    const first = await launch(dataDir);
    await first.client.call('updateWorkspaceSettings', { budgets: { callsPerDay } });
    const { id } = await first.client.call('createMapping', { phoneNumber: number, config: { maxCalls: 20 } });
    await first.client.call('startMapping', { id });
    const {
      second,
      third: { child, client },
    } = await crashTwice(dataDir, first.child);
    const job = await client.waitForRun(id);
    assert.deepEqual([job.currentRun?.status, job.currentRun?.endedBy, child.count('dialled')], ['failed', 'crash', 0]);
    assert.match(job.currentRun?.reason ?? '', /won't resume it again/);
    const calls = first.child.count('dialled') + second.count('dialled');
    assert.ok((job.stats?.callsPlaced ?? 0) >= calls, 'the run tells the calls that it placed');
    const { budget } = await client.call('planCalls', { mapping: { phoneNumber: number, config: { maxCalls: 1 } } });
    assert.ok(callsPerDay - (budget.left.callsPerDay ?? 0) >= calls);
  });

  it("dials none of a launch's calls by itself after two crashes during them", async () => {
    const dataDir = await fixture.folder();
    const first = await launch(dataDir);
    const { id: configId } = await first.client.call('createTestConfig', {
      name: 'call',
      phoneNumber: number,
      steps: [
        { name: 'call', action: { type: 'dial' } },
        { name: 'wait', action: { type: 'wait', seconds: 8 } },
      ],
      rows: [{ a: '1' }, { a: '2' }, { a: '3' }, { a: '4' }],
    });
    const { items } = await first.client.call('runTest', { configId });
    const {
      third: { child, client },
    } = await crashTwice(dataDir, first.child);
    const results = await Promise.all(items.map(({ id }) => client.waitForTestRun(id)));
    assert.deepEqual(
      results.map(({ outcome, endedBy }) => [outcome, endedBy]),
      items.map(() => ['ERROR', 'crash']),
    );
    assert.equal(child.count('dialled'), 0);
  });
});
