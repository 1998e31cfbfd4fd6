import assert from 'node:assert/strict';
import { Arrivals } from '../../../../src/editor/folders/arrivals.ts';
import { FakeClock, settle } from '../fakes.ts';

describe('files that arrive in a workspace', () => {
  let looked: string[], folders: number, arrivals: Arrivals, clock: FakeClock;
  beforeEach(() => {
    [looked, folders] = [[], 0];
    clock = new FakeClock();
    arrivals = new Arrivals(
      (uri) => {
        looked.push(uri);
        return uri.endsWith('/gone') ? Promise.reject(new Error('no file')) : Promise.resolve(!uri.endsWith('.txt'));
      },
      () => (folders += 1),
      clock,
    );
  });

  it('trigger a search if they come with a folder', async () => {
    for (const uri of ['file:///w/a.txt', 'file:///w/gone']) arrivals.note(uri);
    await settle();
    assert.deepEqual([looked.length, folders], [2, 0]);
    arrivals.note('file:///w/calls');
    await settle();
    assert.equal(folders, 1);
  });

  it('trigger a second search, because the watcher reports no file that is deleted soon after the first one', async () => {
    arrivals.note('file:///w/calls');
    await settle();
    await clock.pass(1_000);
    assert.equal(folders, 1);
    await clock.pass(1_000);
    assert.equal(folders, 2);
    await clock.pass(60_000);
    assert.equal(folders, 2);
  });

  it('trigger no second search after the end of the watch', async () => {
    arrivals.note('file:///w/calls');
    await settle();
    arrivals.dispose();
    await clock.pass(60_000);
    assert.equal(folders, 1);
  });

  it('share one check if there are many, and need none in package folders', async () => {
    for (let number = 0; number < 500; number += 1) arrivals.note(`file:///w/node_modules/p/${String(number)}`);
    await settle();
    assert.deepEqual([looked, folders], [[], 0]);
    for (let number = 0; number < 500; number += 1) arrivals.note(`file:///w/${String(number)}.txt`);
    await settle();
    assert.ok(looked.length <= 1 && folders === 1, 'one finding for all');
  });
});
