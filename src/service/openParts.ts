import { randomUUID } from 'node:crypto';
import type { LocalKey } from './apiKeys.ts';
import type { Clock } from '../telephony/clock.ts';
import type { EventBus } from './events.ts';
import type { Logger } from './log.ts';
import { createHandlers } from './mapping/handlers.ts';
import type { Handlers } from './mapping/handlers.ts';
import { Jobs } from './mapping/jobs.ts';
import type { AudioAddress } from './mapping/tree.ts';
import { RunQueue } from './queue/runQueue.ts';
import { MappingRuns } from './runs/mappingRuns.ts';
import type { MappingRunsOptions } from './runs/mappingRuns.ts';
import { Signer } from './signing.ts';
import { openStore } from './store/store.ts';
import type { Store, StoreOptions } from './store/store.ts';

/** What exists once the store is open. */
export interface OpenParts {
  readonly store: Store;
  readonly signer: Signer;
  readonly runs: MappingRuns;
  readonly handlers: Handlers;
  close(): Promise<void>;
}

export interface OpenPartsOptions extends Omit<MappingRunsOptions, 'store' | 'queue'> {
  readonly storeOptions: StoreOptions;
  readonly key: LocalKey;
  readonly events: EventBus;
  readonly audioUrl: (signer: Signer) => AudioAddress;
}

/** Opens the store and starts work on what waits in it, interrupted runs first. */
export async function openParts(options: OpenPartsOptions): Promise<OpenParts> {
  const { storeOptions, key, events, recordings, clock, now, log } = options;
  const store = await openStore(storeOptions);
  try {
    await key.enrol(store, randomUUID(), now());
    const signer = new Signer(store.secret);
    const queue = await RunQueue.open(store, log);
    const runs = new MappingRuns({ ...options, store, queue });
    await runs.recover();
    await queue.work((runId) => runs.carryOut(runId));
    const jobs = new Jobs({ store, signer, events, recordings, now });
    const stopExports = exportHourly(store, runs, clock, log);
    return {
      store, signer, runs,
      handlers: createHandlers({ store, jobs, runs, audioUrl: options.audioUrl(signer), now }),
      async close() {
        stopExports();
        await runs.stop();
        await queue.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const exportEveryMs = 3_600_000;

/** Only while no call goes on: packing the store takes the better part of a second in which no audio would be sent. */
function exportHourly(store: Store, runs: MappingRuns, clock: Clock, log: Logger): () => void {
  const tick = (): void => {
    timer = clock.setTimeout(tick, exportEveryMs);
    if (runs.activeCount === 0) store.export().catch((error: unknown) => { log.error({ err: error }, 'the hourly export was not written'); });
  };
  let timer = clock.setTimeout(tick, exportEveryMs);
  return () => { clock.clearTimeout(timer); };
}
