import assert from 'node:assert/strict';
import { RunWorkers } from '../../../../src/service/runs/runWorkers.ts';
import type { Lane } from '../../../../src/service/store/schema.ts';

const lanes: readonly Lane[] = ['mapping', 'tests', 'load', 'wait'];

/** Takes workers until there are no more. Returns how many it took. */
function fill(workers: RunWorkers, lane: Lane, workspaceId: string): number {
  let taken = 0;
  for (; workers.mayTake(lane, workspaceId); taken += 1) workers.take(lane, workspaceId);
  return taken;
}

describe('the workers of a process', () => {
  for (const lane of lanes) {
    it(`leave a ${lane} worker to another workspace, however much one asks for`, () => {
      const workers = new RunWorkers();
      const greedy = fill(workers, lane, 'greedy');
      assert.ok(greedy > 0);
      assert.ok(workers.mayTake(lane, 'other'));
      const busy = new RunWorkers();
      for (const workspace of ['a', 'b', 'c']) fill(busy, lane, workspace);
      assert.ok(busy.mayTake(lane, 'd'), 'three greedy workspaces leave one to a fourth');
    });

    it(`have a limit for ${lane}, over all workspaces, and leave the other kinds alone`, () => {
      const workers = new RunWorkers();
      let all = 0;
      for (let index = 0; index < 1000; index += 1) all += fill(workers, lane, `workspace ${String(index)}`);
      assert.ok(all <= 100, String(all));
      for (const other of lanes) assert.equal(workers.mayTake(other, 'new'), other !== lane);
    });

    it(`give a ${lane} worker to the next run once one is free`, () => {
      const workers = new RunWorkers();
      const free = workers.take(lane, 'one');
      fill(workers, lane, 'one');
      assert.ok(!workers.mayTake(lane, 'one'));
      free();
      assert.ok(workers.mayTake(lane, 'one'));
    });
  }
});
