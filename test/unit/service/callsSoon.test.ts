import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../src/service/basics/log.ts';
import type { OpenDialer } from '../../../src/service/runs/sharedDialer.ts';
import { startService } from '../../../src/service/service.ts';

describe('service: a start that says whether calls follow soon', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'dialtree-soon-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  /** Starts and stops a service without a request. Returns how often it opened and closed what calls need. */
  async function started(callsSoon: boolean, fails = false): Promise<{ opened: number; closed: number }> {
    const seen = { opened: 0, closed: 0 };
    const openDialer = (): Promise<OpenDialer> => {
      seen.opened += 1;
      if (fails) return Promise.reject(new Error('a model is missing'));
      const close = (): Promise<void> => {
        seen.closed += 1;
        return Promise.resolve();
      };
      return Promise.resolve({ close } as unknown as OpenDialer);
    };
    const service = await startService({ dataDir, callsSoon, log: silentLog, parts: { openDialer } });
    await service.close();
    return seen;
  }

  it('loads what calls need before the first request, and releases it', async () =>
    assert.deepEqual(await started(true), { opened: 1, closed: 1 }));

  it('loads nothing if no calls follow', async () => assert.deepEqual(await started(false), { opened: 0, closed: 0 }));

  it('leaves it to the first call to report what is missing', async () =>
    assert.deepEqual(await started(true, true), { opened: 1, closed: 0 }));
});
