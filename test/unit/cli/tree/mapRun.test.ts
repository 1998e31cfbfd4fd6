import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { mapOnce, type MapRun } from '../../../../src/cli/tree/mapRun.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import type { OperationName } from '../../../../src/contract/operations.ts';
import { bankTree, FakeClient, job, run, uuid } from '../../editor/fakes.ts';

const number = '+12025550101';

describe('mapping a number once', () => {
  let client: FakeClient;
  let interruption: AbortController;
  /** Resolves when the run has ended. */
  let ended: PromiseWithResolvers<undefined>;

  beforeEach(() => {
    interruption = new AbortController();
    ended = Promise.withResolvers();
    client = new FakeClient({
      createMapping: () => job(1),
      startMapping: () => job(1, { status: 'running' }),
      cancelMapping: () => {
        ended.resolve(undefined);
        return job(1);
      },
      getMappingTree: () => ({ jobId: uuid(1), tree: bankTree }),
    });
  });

  const map = (): Promise<MapRun> =>
    mapOnce(
      {
        call: (name, input) => client.call(name, input),
        waitForRun: async () => {
          await ended.promise;
          return job(1, { currentRun: run() });
        },
      },
      { phoneNumber: number, config: {} },
      interruption.signal,
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
});
