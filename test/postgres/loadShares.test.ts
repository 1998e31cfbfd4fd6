import assert from 'node:assert/strict';
import { DialtreeClient } from '../../src/client/client.ts';
import type { LoadTest } from '../../src/contract/loadTests.ts';
import { sleep, systemClock } from '../../src/base/clock.ts';
import type { Store } from '../../src/service/store/store.ts';
import { grantPack, setTier } from '../../src/service/workspaces/operator.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { IncomingCallLeg, SipAgent } from '../../src/telephony/call.ts';
import { playedBy } from '../support/practicePlaces.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { JsonProcess } from '../support/serviceProcess.ts';
import { createReadyDatabase, openPostgres } from '../support/testStore.ts';

const number = '+12025550107';
const calls = 12;
const callsOfProcess = 4;
const references = 2;

describe('a load test whose calls three processes place', function () {
  const fixture = new ServiceFixture();
  let database: TestDatabase;
  let store: Store;
  let callee: SipAgent;
  let withdraw: () => void;
  let children: JsonProcess[];
  let client: DialtreeClient;
  /** All calls that the callee has received. */
  let legs: IncomingCallLeg[];

  beforeEach(async () => {
    legs = [];
    children = [];
    callee = await startSipAgent({ host: '127.0.0.1' });
    withdraw = playedBy(callee);
    database = await createReadyDatabase();
    store = await openPostgres(database.url);
    const uri = `sip:ivr@127.0.0.1:${String(callee.address.port)}`;
    const dataDir = await fixture.folder();
    for (let index = 0; index < calls / callsOfProcess; index += 1)
      children.push(
        new JsonProcess(new URL('../support/loadChild.ts', import.meta.url), [
          dataDir,
          database.url,
          number,
          uri,
          String(callsOfProcess),
        ]),
      );
    const [first] = await Promise.all(children.map((child) => child.line('ready')));
    const baseUrl = String(first?.['baseUrl']);
    const { workspaceId, apiKey } = await new DialtreeClient({ baseUrl }).call('registerWorkspace', {});
    await setTier(store, workspaceId, 'team', new Date());
    await grantPack(store, workspaceId, 'loadTesting', 10_000, new Date());
    client = new DialtreeClient({ baseUrl, apiKey });
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await fixture.close();
    await store.close();
    await database.drop();
    withdraw();
    await callee.close();
  });

  /** Starts a load test of this many calls. The calls after the reference calls wait until `answerLoad`. */
  async function launch(load: object = {}, unheld = 0): Promise<LoadTest> {
    const all = Promise.withResolvers<undefined>();
    callee.onCall((leg) => {
      legs.push(leg);
      leg.ring();
      if (legs.length <= unheld) leg.answer();
      if (legs.length === unheld + calls) all.resolve(undefined);
    });
    const test = await client.call('runLoadTest', { concurrency: calls, rampSeconds: 0, holdSeconds: 600, ...load });
    await all.promise;
    return test;
  }
  const launchTest = async (): Promise<LoadTest> => {
    const { id: configId } = await client.call('createTestConfig', {
      name: 'n',
      phoneNumber: number,
      steps: [
        { name: 'answer', action: { type: 'dial' } },
        { name: 'stay', action: { type: 'wait', seconds: 0.5 } },
      ],
    });
    return await launch({ configId }, references);
  };
  const answerLoad = (): void => {
    for (const leg of legs) if (leg.state !== 'ended' && leg.state !== 'answered') leg.answer();
  };
  /** The number of calls from each process, apart from reference calls. */
  const shares = (): number[] =>
    [...Map.groupBy(legs.slice(-calls), ({ remoteUri }) => remoteUri).values()].map(({ length }) => length);

  /** The process that runs the load test, and the others. The client talks to the first process, so not to the last helper. */
  async function roles(): Promise<{ readonly leader: JsonProcess; readonly helpers: readonly JsonProcess[] }> {
    const leader = await Promise.race(children.map((child) => child.line('started').then(() => child)));
    return { leader, helpers: children.filter((child) => child !== leader) };
  }
  async function untilNoMail(): Promise<void> {
    while ((await store.db.selectFrom('load_mail').select('number').execute()).length > 0) await sleep(systemClock, 50);
  }

  it('is divided evenly, starts once, and has the figures of all calls', async () => {
    const { id } = await launchTest();
    answerLoad();
    const { status, stats } = await client.waitForLoadTest(id);
    assert.deepEqual(shares(), [4, 4, 4]);
    assert.equal(
      children.reduce((sum, child) => sum + child.count('started'), 0),
      1,
    );
    assert.equal(status, 'completed');
    assert.deepEqual([stats?.callsPlaced, stats?.callsAnswered, stats?.outcomes], [calls, calls, { answered: calls }]);
    assert.deepEqual([stats?.tested?.passed, stats?.tested?.failures], [calls, []]);
    assert.equal(stats?.verdict?.outcome, 'pass');
    await untilNoMail();
  });

  it('counts the calls of a killed process as lost, and continues with the others', async () => {
    const { id } = await launchTest();
    const { helpers } = await roles();
    await helpers.at(-1)?.kill();
    answerLoad();
    const { status, stats } = await client.waitForLoadTest(id);
    assert.equal(status, 'completed');
    assert.deepEqual([stats?.callsPlaced, stats?.outcomes], [calls, { answered: 8, internal: 4 }]);
    assert.equal(stats?.tested?.passed, 8);
    assert.deepEqual(
      stats.tested.failures.map(({ reason }) => reason),
      Array.from({ length: 4 }, () => 'the process that placed this call stopped responding'),
    );
    await untilNoMail();
  });

  it('counts the calls of a process that is stopped as lost, at once', async () => {
    const { id } = await launchTest();
    const { helpers } = await roles();
    assert.equal(await helpers.at(-1)?.kill('SIGTERM'), 0);
    answerLoad();
    const { stats } = await client.waitForLoadTest(id);
    assert.deepEqual([stats?.tested?.passed, stats?.outcomes], [8, { answered: 8, internal: 4 }]);
    assert.equal(stats?.tested?.failures[0]?.reason, 'the process that placed this call was stopped');
    assert.equal(legs.filter(({ state }) => state === 'ended').length, legs.length, 'it hung up first');
    await untilNoMail();
  });

  it('hangs up the calls of all processes when it is cancelled', async () => {
    const { id } = await launch({ phoneNumber: number });
    answerLoad();
    const ended = await client.call('cancelLoadTest', { id });
    assert.deepEqual([ended.status, ended.stats?.callsPlaced], ['aborted', calls]);
    assert.ok(legs.every(({ state }) => state === 'ended'));
    await untilNoMail();
  });

  it('hangs up the calls of the helpers if the process that runs it is killed', async () => {
    await launch({ phoneNumber: number });
    answerLoad();
    const { leader } = await roles();
    const hungUp = Promise.withResolvers<undefined>();
    let ended = 0;
    for (const leg of legs)
      leg.listen((event) => {
        if (event.type === 'ended' && ++ended === calls - callsOfProcess) hungUp.resolve(undefined);
      });
    await leader.kill();
    await hungUp.promise;
    await untilNoMail();
  });
});
