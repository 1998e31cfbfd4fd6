import { HumanError } from '../contract/errors.ts';
import { crawl as crawlNumber } from '../engine/crawl.ts';
import type { Clock } from '../telephony/clock.ts';
import { systemClock } from '../telephony/clock.ts';
import { LocalKey } from './workspaces/localKey.ts';
import type { SmsSender } from './workspaces/sms.ts';
import { findPrincipal } from './workspaces/principal.ts';
import { RateLimit } from './workspaces/rateLimit.ts';
import { EventBus } from './events.ts';
import { createApp } from './http/app.ts';
import { EventStreams } from './http/eventStreams.ts';
import { bracketed, RequestGuard } from './http/guard.ts';
import { listenHttp } from './http/listen.ts';
import { recordingUrl } from './http/recording.ts';
import { IdleExit } from './idleExit.ts';
import type { Installation } from './installation.ts';
import { findInstallation } from './installation.ts';
import type { Logger } from './log.ts';
import { createLog } from './log.ts';
import { openParts } from './openParts.ts';
import { ownDataFolder } from './store/ownership.ts';
import { CallLine } from './runs/callLine.ts';
import type { OpenLine } from './runs/callLine.ts';
import type { Routes } from './runs/dialGate.ts';
import type { Crawl } from './runs/mappingRuns.ts';
import { Recordings } from './runs/recordings.ts';
import { openSipLine } from './runs/sipLine.ts';
import { DataFolder } from './store/folder.ts';
import { LazyStore } from './store/lazyStore.ts';
import { repairStore } from './store/repair.ts';

export interface ServiceOptions {
  /** Everything the service keeps lies in here. */
  readonly dataDir: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, any free one. */
  readonly port?: number;
  readonly allowRemote?: boolean;
  readonly routes?: Routes;
  readonly installation?: Installation;
  readonly repair?: boolean;
  /** Without a client, a run or a request for this long, `onIdle` is called. */
  readonly idleExitSeconds?: number;
  readonly onIdle?: () => void;
  readonly log?: Logger;
  /** Sends verification codes; without it none are sent. */
  readonly sms?: SmsSender;
  /** What tests put in place of calls, crawling, time and the disk. */
  readonly parts?: {
    readonly openLine?: () => Promise<OpenLine>;
    readonly crawl?: Crawl;
    readonly clock?: Clock;
    readonly now?: () => Date;
    readonly rateLimit?: Pick<RateLimit, 'allows'>;
    readonly freeBytes?: (directory: string) => Promise<number>;
  };
}

export interface RunningService {
  /** False: another process owns the data folder, and these are its addresses; `close` then leaves it alone. */
  readonly owner: boolean;
  readonly mcpUrl: string;
  readonly baseUrl: string;
  /** The process that serves. */
  readonly pid: number;
  /** The key of the local workspace. */
  readonly apiKey: string;
  close(): Promise<void>;
}

/** Starts the service, or finds the one that serves this data folder already. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const folder = new DataFolder(options.dataDir);
  await folder.create().catch((cause: unknown) => {
    throw new HumanError(`The data folder ${options.dataDir} cannot be made. Choose another with --data.`, { status: 503, code: 'data_folder', cause });
  });
  const ownership = await ownDataFolder(options.dataDir);
  if ('address' in ownership) {
    const key = await LocalKey.read(folder);
    if (!key) throw new HumanError(`Another process serves ${options.dataDir}, but its key file ${folder.keyFile} cannot be read. Stop that process, then start again.`, { status: 503, code: 'key_file' });
    return { owner: false, mcpUrl: ownership.address.mcpUrl, baseUrl: ownership.address.baseUrl, pid: ownership.address.pid, apiKey: key.key, close: () => Promise.resolve() };
  }
  const { owner } = ownership;
  try {
    const service = await startOwned(options, folder);
    owner.publish({ mcpUrl: service.mcpUrl, baseUrl: service.baseUrl, pid: process.pid });
    let closing: Promise<void> | undefined;
    return { ...service, close: () => closing ??= service.close().finally(() => owner.release()) };
  } catch (error) {
    await owner.release();
    throw error;
  }
}

async function startOwned(options: ServiceOptions, folder: DataFolder): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0, allowRemote = false, routes = {}, installation = findInstallation(), log = createLog(), sms, parts = {} } = options;
  const { clock = systemClock, now = () => new Date(), crawl = crawlNumber, openLine = () => openSipLine(installation, routes, log) } = parts;
  if (options.repair === true) await repairStore(folder, installation.assetsDir, log, now());
  const key = await LocalKey.readOrCreate(folder);
  const events = new EventBus();
  const recordings = new Recordings(folder.recordings);
  const line = new CallLine(openLine, clock);
  let baseUrl = '';
  const store = new LazyStore(() => openParts({
    storeOptions: { folder, assetsDir: installation.assetsDir, log, now, ...(parts.freeBytes && { freeBytes: parts.freeBytes }) },
    key, mediaDir: installation.mediaDir, sms, claimUrl: (token) => `${baseUrl.replace(/\/v1$/, '')}/claim/${token}`, events, recordings, recordingsPath: folder.recordings, line, routes, crawl, clock, now, log,
    audioUrl: (signer) => (runId, stepId) => recordingUrl(baseUrl, signer, now(), runId, stepId),
  }));

  let requests = 0;
  const idle = options.idleExitSeconds === undefined ? undefined : new IdleExit(
    clock, options.idleExitSeconds * 1000, () => requests > 0 || streams.count > 0 || store.busy, () => options.onIdle?.());
  const streams = new EventStreams(events, clock, () => idle?.touch());
  let stopping = false;

  const server = await listenHttp({
    host, port, allowRemote,
    onRequest: (open) => { requests = open; idle?.touch(); },
    answer: (actualPort) => {
      baseUrl = `http://${bracketed(host)}:${String(actualPort)}/v1`;
      const app = createApp({
        guard: new RequestGuard(host, actualPort), baseUrl, recordings, events, streams, clock, now, log, rateLimit: parts.rateLimit ?? new RateLimit(),
        authenticate: async (given) => key.principal(given) ?? (looksLikeKey(given) ? await findPrincipal((await store.get()).store, given, now()) : undefined),
        handlers: async () => (await store.get()).handlers,
        pages: () => store.get(),
        signer: async () => (await store.get()).signer,
        readiness: () => ({ ready: !stopping && store.failure === undefined, store: store.failure !== undefined ? 'failed' : store.isOpen ? 'open' : 'closed' }),
      });
      return async (request, address) => await app.fetch(request, { address });
    },
  });
  idle?.touch();
  // Interrupted runs go on without a request. The first answers come before that: opening the store takes half a second of this thread.
  // A folder that was never used is left for the first request that needs it.
  const resuming = await folder.hasDatabase() ? clock.setTimeout(() => {
    store.get().catch((error: unknown) => { log.error({ err: error }, 'the store does not open'); });
  }, openUnaskedMs) : undefined;
  log.info({ port: server.port }, 'listening');

  return {
    owner: true, pid: process.pid, apiKey: key.key, baseUrl, mcpUrl: baseUrl.replace(/\/v1$/, '/mcp'),
    async close() {
      stopping = true;
      idle?.stop();
      if (resuming !== undefined) clock.clearTimeout(resuming);
      streams.closeAll();
      const served = server.close();
      await store.close();
      await line.close();
      await served;
      log.info('stopped');
    },
  };
}

/** A client that starts the service has asked its first questions by then. */
const openUnaskedMs = 1000;

const looksLikeKey = (text: string): boolean => text.startsWith('dt_');
