import assert from 'node:assert/strict';
import { mapOnce, type MapRun } from '../../../../src/cli/tree/mapRun.ts';
import { sleep } from '../../../../src/base/clock.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import type { OperationName } from '../../../../src/contract/operations.ts';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';
import { bankTree, FakeClient, job, run, uuid } from '../../editor/fakes.ts';

const number = '+12025550101';

describe('mapping a number once', () => {
  let client: FakeClient;
  let interruption: AbortController;
  /** Resolves when the run has ended. */
  let ended: PromiseWithResolvers<undefined>;
  let clock: VirtualClock;
  let printed: string[];

  afterEach(() => assert.equal(client.streams, 0, 'the stream of events is closed'));

  beforeEach(() => {
    interruption = new AbortController();
    ended = Promise.withResolvers();
    clock = new VirtualClock();
    printed = [];
    client = new FakeClient({
      createMapping: () => job(1),
      startMapping: () => job(1, { status: 'running' }),
      cancelMapping: () => {
        ended.resolve(undefined);
        return job(1);
      },
      getMappingTree: () => ({ jobId: uuid(1), tree: bankTree }),
    });
    client.hasEvents = false;
  });

  const map = (): Promise<MapRun> =>
    mapOnce(
      {
        call: (name, input) => client.call(name, input),
        events: (...stream) => client.events(...stream),
        waitForRun: async () => {
          await ended.promise;
          return job(1, { currentRun: run() });
        },
      },
      { phoneNumber: number, config: {} },
      interruption.signal,
      { clock, width: 100, print: (line) => printed.push(line) },
    );
  const called = (): OperationName[] => client.calls.map(({ name }) => name);
  /** Interrupts the command while the service carries out this operation. */
  const interruptDuring = (name: 'createMapping' | 'startMapping'): void => {
    const answer = client.answers[name];
    client.answers[name] = () => {
      interruption.abort();
      return answer?.(undefined as never) ?? job(1);
    };
  };

  it('returns the job and its tree', async () => {
    ended.resolve(undefined);
    const { job: mapped, tree } = await map();
    assert.deepEqual([mapped.id, tree.tree], [uuid(1), bankTree]);
    interruption.abort();
    assert.deepEqual(called(), ['createMapping', 'startMapping', 'getMappingTree'], 'nothing is left to cancel');
  });

  it('places no call if it is interrupted before the run starts', async () => {
    interruptDuring('createMapping');
    await assert.rejects(map(), (error) => {
      assert.ok(error instanceof HumanError);
      assert.equal(error.message, 'Cancelled before the first call.');
      return true;
    });
    assert.deepEqual(called(), ['createMapping']);
  });

  it('cancels the run if it is interrupted while the run starts', async () => {
    interruptDuring('startMapping');
    await map();
    assert.deepEqual(called(), ['createMapping', 'startMapping', 'cancelMapping', 'getMappingTree']);
  });

  it('returns after the service has cancelled the run', async () => {
    const cancelled = Promise.withResolvers<undefined>();
    const treeRead = Promise.withResolvers<undefined>();
    client.answers.cancelMapping = async () => {
      ended.resolve(undefined);
      await cancelled.promise;
      return job(1);
    };
    client.answers.getMappingTree = () => {
      treeRead.resolve(undefined);
      return { jobId: uuid(1), tree: bankTree };
    };
    interruptDuring('startMapping');
    let isOver = false;
    const mapped = map().finally(() => {
      isOver = true;
    });
    await treeRead.promise;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    assert.equal(isOver, false);
    cancelled.resolve(undefined);
    await mapped;
  });

  describe('while it runs', () => {
    beforeEach(() => {
      client.hasEvents = true;
    });

    const grows = (): void => {
      client.emit({ type: 'mapping.tree', jobId: uuid(1), runId: uuid(2) });
    };
    const pass = (milliseconds: number): Promise<void> => clock.run(sleep(clock, milliseconds));

    it('prints the steps that were found since the last line', async () => {
      const [accounts, cards] = bankTree.children ?? [];
      const trees: TreeNode[] = [
        {
          ...bankTree,
          status: 'exploring',
          children: [{ stepId: 's2', digit: '1', path: '1', label: 'accounts', status: 'pending' }],
        },
        { ...bankTree, children: [{ ...accounts, path: '1' }] },
        {
          ...bankTree,
          children: [
            { ...accounts, path: '1' },
            { ...cards, path: '2' },
          ],
        },
      ];
      let reads = 0;
      client.answers.getMappingTree = () => ({ jobId: uuid(1), tree: trees[Math.min(reads++, 2)] });
      const mapped = map();
      await pass(2000);
      assert.deepEqual(printed, ['  1 · accounts']);
      grows();
      await pass(2000);
      assert.deepEqual(printed.splice(0), [
        '  1 · accounts',
        '☎  Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
        '  1 · accounts  [asks for data]  — Accounts. Please enter your account number.',
      ]);
      ended.resolve(undefined);
      await clock.run(mapped);
      assert.deepEqual(printed, ['  2 · cards  [transfers the call]  — One moment.']);
    });

    it('reads the tree once a second while events arrive, and only if it has grown', async () => {
      const mapped = map();
      for (let second = 0; second < 5; second += 1) {
        for (let event = 0; event < 10; event += 1) {
          grows();
          await pass(100);
        }
      }
      const reads = client.count('getMappingTree');
      assert.ok(reads >= 4 && reads <= 6, String(reads));
      client.emit({ type: 'mapping.tree', jobId: uuid(3), runId: uuid(2) });
      await pass(60_000);
      assert.ok(client.count('getMappingTree') <= reads + 1);
      ended.resolve(undefined);
      await clock.run(mapped);
    });

    it('reads a tree less often if reading it takes long', async () => {
      client.answers.getMappingTree = async () => {
        await sleep(clock, 1000);
        return { jobId: uuid(1), tree: bankTree };
      };
      const mapped = map();
      for (let second = 0; second < 60; second += 1) {
        grows();
        await pass(1000);
      }
      assert.equal(client.count('getMappingTree'), 3);
      ended.resolve(undefined);
      await clock.run(mapped);
    });

    it("continues if the tree can't be read", async () => {
      let reads = 0;
      client.answers.getMappingTree = () => {
        reads += 1;
        if (reads === 1) throw new Error('busy');
        return { jobId: uuid(1), tree: bankTree };
      };
      const mapped = map();
      await pass(2000);
      ended.resolve(undefined);
      await clock.run(mapped);
      assert.equal(printed.at(0), '☎  Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.');
    });
  });
});
