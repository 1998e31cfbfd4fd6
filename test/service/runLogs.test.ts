import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HumanError } from '../../src/contract/errors.ts';
import { createLog } from '../../src/service/basics/log.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';

const phoneNumber = '+12025550101';

/** Pino's number for errors. */
const errorLevel = 50;

describe('service: the log of runs', () => {
  const fixture = new ServiceFixture();
  let folder: string;
  let logFile: string;
  let client: Awaited<ReturnType<ServiceFixture['start']>>['client'];
  /** What a run rejects with when it is aborted; otherwise it rejects with this at once. */
  let atOnce: Error | undefined;
  let begun: () => void = () => undefined;

  async function* failing({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<never> {
    begun();
    if (atOnce) throw atOnce;
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped in the middle'))),
    );
  }

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-run-logs-'));
    logFile = path.join(folder, 'log');
    ({ client } = await fixture.start({
      log: createLog(logFile),
      parts: { crawl: failing, performLoad: failing },
    }));
  });
  after(async () => {
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  });

  const errors = async (): Promise<string[]> =>
    (await readFile(logFile, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly level: number; readonly msg: string })
      .filter(({ level }) => level >= errorLevel)
      .map(({ msg }) => msg);

  const map = async (cancels: boolean) => {
    const { id } = await client.call('createMapping', { phoneNumber });
    const started = new Promise<void>((resolve) => (begun = resolve));
    await client.call('startMapping', { id });
    await started;
    if (cancels) await client.call('cancelMapping', { id });
    return (await client.waitForRun(id)).currentRun;
  };
  const load = async (cancels: boolean) => {
    const started = new Promise<void>((resolve) => (begun = resolve));
    const { id } = await client.call('runLoadTest', { phoneNumber, concurrency: 1, holdSeconds: 5 });
    await started;
    if (cancels) await client.call('cancelLoadTest', { id });
    return await client.waitForLoadTest(id);
  };

  it('has no error about a run that was cancelled, or that ended with a refusal', async () => {
    atOnce = undefined;
    assert.equal((await map(true))?.endedBy, 'cancel');
    assert.equal((await load(true)).endedBy, 'cancel');
    atOnce = new HumanError('The number was withdrawn. Choose another one.', { status: 403, code: 'withdrawn' });
    assert.equal((await map(false))?.reason, atOnce.message);
    assert.equal((await load(false)).reason, atOnce.message);
    assert.deepEqual(await errors(), []);
  });

  it('has an error about a run that failed because of a fault', async () => {
    atOnce = new Error('a fault');
    await map(false);
    await load(false);
    assert.deepEqual(await errors(), ['a run failed', 'a load test placed no call']);
  });
});
