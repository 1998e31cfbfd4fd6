import type { Routes } from '../contract/dialPlan.ts';
import type { Lines } from '../contract/lines.ts';
import { HumanError } from '../contract/errors.ts';
import { serverLimits } from '../contract/limits.ts';
import type { CountedCall } from '../engine/call/activeCall.ts';
import { crawl as crawlNumber } from '../engine/crawl/crawl.ts';
import { SentenceMeaning } from '../language/meaning/meaning.ts';
import type { LanguageModel } from '../language/model/languageModel.ts';
import { PracticeRegistry } from '../practice/registry.ts';
import type { PracticePlaces } from '../practice/registry.ts';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { LocalKey } from './workspaces/localKey.ts';
import type { MailSender } from './people/mail.ts';
import type { SmsSender } from './people/sms.ts';
import { findPrincipal } from './workspaces/principal.ts';
import { LoopTime } from './workspaces/loopTime.ts';
import { RateLimit } from './workspaces/rateLimit.ts';
import { countInMemory, countInPostgres } from './workspaces/requestCounts.ts';
import { TryLimit } from './people/tryLimit.ts';
import { EventBus } from './store/events.ts';
import { createApp } from './http/app.ts';
import type { LoopCharges, RateCounts } from './http/app.ts';
import { EventStreams } from './http/eventStreams.ts';
import { LiveSounds } from './runs/liveSounds.ts';
import { Waits } from './runs/waits.ts';
import { bracketed, RequestGuard } from './http/guard.ts';
import { listenHttp } from './http/listen.ts';
import type { ConnectionBounds } from './http/listen.ts';
import { countWaitingRuns, Metrics } from './http/metrics.ts';
import type { StoreState } from './http/metrics.ts';
import { promptMethods } from './http/prompts.ts';
import { clientAddress, readPublicUrl } from './http/publicUrl.ts';
import { recordingUrl } from './http/recording.ts';
import { IdleExit } from './idleExit.ts';
import type { Installation } from './basics/installation.ts';
import { findInstallation, meaningAssets } from './basics/installation.ts';
import type { Logger } from './basics/log.ts';
import { createLog } from './basics/log.ts';
import { LineBook } from './lines/lineBook.ts';
import { LineRegistrations } from './lines/lineRegistrations.ts';
import { openParts } from './openParts.ts';
import { ownDataFolder } from './store/ownership.ts';
import { SharedDialer } from './runs/sharedDialer.ts';
import type { OpenDialer } from './runs/sharedDialer.ts';
import type { Crawl } from './mapping/mappingRuns.ts';
import { Recordings } from './runs/recordings.ts';
import { createLoadPerformer } from './load/loadPerformer.ts';
import type { PerformLoad } from './load/loadRuns.ts';
import { createPerformer } from './testing/performPlan.ts';
import type { PerformPlan } from './testing/testPlan.ts';
import { openSipDialer } from './runs/sipDialer.ts';
import { openEmbeddedStore } from './store/embeddedStore.ts';
import { DataFolder } from './store/folder.ts';
import { LazyStore } from './store/lazyStore.ts';
import { openPostgresStore } from './store/postgresStore.ts';
import { PostgresServer } from './store/postgresServer.ts';
import { repairStore } from './store/repair.ts';

export interface ServiceOptions {
  /** All data of the service. With a database server, only the recordings, in a folder that its processes share. */
  readonly dataDir: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0, any free one. */
  readonly port?: number;
  readonly allowRemote?: boolean;
  /** `https://` and a host, if a proxy with TLS is in front: the address for people and programs. */
  readonly publicUrl?: string;
  readonly routes?: Routes;
  readonly lines?: Lines;
  /** Passwords of lines that log in, by line name. */
  readonly linePasswords?: Readonly<Record<string, string>>;
  readonly installation?: Installation;
  readonly repair?: boolean;
  /** Loads what calls need while the store opens, because a call follows soon. */
  readonly callsSoon?: boolean;
  /** `onIdle` is called after this long without a client, a run or a request. */
  readonly idleExitSeconds?: number;
  readonly onIdle?: () => void;
  readonly log?: Logger;
  /** Sends verification codes; without it, none are sent. */
  readonly sms?: SmsSender;
  /** Sends the codes for signing up; without it, no one can sign up. */
  readonly mail?: MailSender;
  /** How to reach the operator, who grants minutes: an e-mail address or a page. */
  readonly contact?: string;
  /** Steers and judges missions; without it, rules do. */
  readonly model?: LanguageModel;
  /** Test replacements for calls, crawling, practice IVRs, time and the disk. */
  readonly parts?: {
    readonly openDialer?: () => Promise<OpenDialer>;
    readonly crawl?: Crawl;
    readonly perform?: PerformPlan;
    readonly performLoad?: PerformLoad;
    readonly practices?: PracticePlaces;
    readonly clock?: Clock;
    readonly now?: () => Date;
    readonly rateLimit?: RateCounts;
    readonly loopTime?: LoopCharges;
    readonly freeBytes?: (directory: string) => Promise<number>;
    readonly connection?: Partial<ConnectionBounds>;
  };
}

/** What a process on a shared store does: answers requests, performs runs, or both. */
export type Role = 'all' | 'api' | 'worker';

export interface SharedServiceOptions extends Omit<ServiceOptions, 'repair' | 'idleExitSeconds' | 'onIdle'> {
  /**
   * `postgres://user:password@host:port/database`: the store, for any number of processes. Recordings are in `dataDir`,
   * which all of them share.
   */
  readonly databaseUrl: string;
  /** Default `all`. */
  readonly role?: Role;
}

/** One process of a service whose store is a database server. Workspaces register; none is created automatically. */
export interface SharedService {
  readonly mcpUrl: string;
  readonly baseUrl: string;
  readonly pid: number;
  /**
   * Active runs are handed to other processes, or wait for the next one. `isLate`: skips the last export of a data
   * folder, because there is no time for it.
   */
  readonly close: (isLate?: () => boolean) => Promise<void>;
}

export interface RunningService extends SharedService {
  /** False: another process owns the data folder, and these are its addresses. `close` doesn't affect it. */
  readonly owner: boolean;
  /** The key of the local workspace. */
  readonly apiKey: string;
}

/** Starts the service, or finds the one that already owns this data folder. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const folder = await makeFolder(options.dataDir);
  const ownership = await ownDataFolder(folder, options.parts?.clock);
  if ('address' in ownership) {
    const { address, key } = ownership;
    return {
      owner: false,
      mcpUrl: address.mcpUrl,
      baseUrl: address.baseUrl,
      pid: address.pid,
      apiKey: key,
      close: () => Promise.resolve(),
    };
  }
  const { owner } = ownership;
  try {
    const { repair, idleExitSeconds } = options;
    const log = options.log ?? createLog();
    if (repair === true)
      await repairStore(
        folder,
        (options.installation ?? findInstallation()).assetsDir,
        log,
        options.parts?.now?.() ?? new Date(),
      );
    const key = await LocalKey.readOrCreate(folder);
    const service = await startOn({ ...options, log }, folder, {
      key,
      ...(idleExitSeconds !== undefined && { idle: { seconds: idleExitSeconds, onIdle: options.onIdle } }),
    });
    owner.publish({ mcpUrl: hereOf(service.mcpUrl), baseUrl: hereOf(service.baseUrl), pid: process.pid }, key.key);
    const close = async (isLate?: () => boolean): Promise<void> => {
      // New processes must not be directed to this service any more.
      owner.withdraw();
      // If the store didn't close, it keeps its folder until the process ends.
      await service.close(isLate);
      await owner.release();
    };
    let closing: Promise<void> | undefined;
    return { ...service, owner: true, apiKey: key.key, close: (isLate) => (closing ??= close(isLate)) };
  } catch (error) {
    await owner.release();
    throw error;
  }
}

/** Returns an address that works on this machine if a service listens on all addresses. */
const hereOf = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

/** Starts a process on a store that others can share. Rejects with HumanError `store_unreachable` or `database_url`. */
export async function startSharedService(options: SharedServiceOptions): Promise<SharedService> {
  const log = options.log ?? createLog();
  const database = new PostgresServer(options.databaseUrl, log);
  return await startOn({ ...options, log }, await makeFolder(options.dataDir), {
    database,
    role: options.role ?? 'all',
  });
}

async function makeFolder(path: string): Promise<DataFolder> {
  const folder = new DataFolder(path);
  await folder.create().catch((cause: unknown) => {
    throw new HumanError(`Couldn't create the data folder ${path}. Choose another with --data.`, {
      status: 503,
      code: 'data_folder',
      cause,
    });
  });
  return folder;
}

/** The store of a service: its own folder, with the key in it, or a server. */
type StoreMode =
  | {
      readonly key: LocalKey;
      readonly idle?: { readonly seconds: number; readonly onIdle: (() => void) | undefined };
      readonly database?: never;
      readonly role?: never;
    }
  | {
      readonly database: PostgresServer;
      readonly role: Role;
      readonly key?: never;
      readonly idle?: never;
    };

async function startOn(
  options: Omit<ServiceOptions, 'repair' | 'idleExitSeconds' | 'onIdle'>,
  folder: DataFolder,
  ground: StoreMode,
): Promise<SharedService> {
  const { database, key, role = 'all' } = ground;
  const {
    host = '127.0.0.1',
    port = 0,
    allowRemote = false,
    installation = findInstallation(),
    log = createLog(),
    sms,
    mail,
    contact,
    parts = {},
  } = options;
  const { clock = systemClock } = parts;
  const lines: LineBook = new LineBook({
    registrations: new LineRegistrations(() => dialer.keep(), clock),
    routes: options.routes ?? {},
    lines: options.lines ?? {},
    passwords: options.linePasswords ?? {},
    practices: parts.practices ?? new PracticeRegistry(),
    clock,
  });
  const {
    now = () => new Date(),
    crawl = crawlNumber,
    perform = createPerformer(now, new SentenceMeaning(meaningAssets(installation))),
    performLoad = createLoadPerformer(installation.callerWorker, lines.leavesMachine),
    openDialer = () => openSipDialer(installation, lines.leavesMachine, log),
  } = parts;
  const countUses = database ? countInPostgres(database) : countInMemory;
  const events = new EventBus();
  const waits = new Waits(events, clock);
  const sounds = new LiveSounds(clock);
  const recordings = new Recordings(folder.recordings);
  const active = new Set<CountedCall>();
  const dialer: SharedDialer = new SharedDialer(openDialer, clock);
  let baseUrl = '';
  const publicUrl = options.publicUrl === undefined ? undefined : assertPublicUrl(options.publicUrl);
  const offeredUrl = (): string => (publicUrl ? `${publicUrl.origin}/v1` : baseUrl);
  const pageUrl = (path: string): string => `${offeredUrl().replace(/\/v1$/, '')}/${path}`;
  const store = new LazyStore(() =>
    openParts({
      openStore: () =>
        database
          ? openPostgresStore(database, clock, log)
          : openEmbeddedStore({
              folder,
              assetsDir: installation.assetsDir,
              log,
              now,
              ...(parts.freeBytes && { freeBytes: parts.freeBytes }),
            }),
      works: role !== 'api',
      onGap() {
        streams.interrupt();
        waits.readAgain();
      },
      onKeyRevoked(keyId) {
        streams.endOf(keyId);
        waits.endOf(keyId);
        sounds.endOf(keyId);
      },
      key,
      mediaDir: installation.mediaDir,
      model: options.model,
      sms,
      mail,
      contact,
      pageUrl,
      events,
      recordings,
      sounds,
      recordingsPath: folder.recordings,
      dialer,
      active,
      lines,
      crawl,
      perform,
      performLoad,
      clock,
      now,
      log,
      audioUrl: (signer) => (runId, stepId) => recordingUrl(offeredUrl(), signer, now(), runId, stepId),
    }),
  );

  let requests = 0;
  const idle =
    ground.idle &&
    new IdleExit(
      clock,
      ground.idle.seconds * 1000,
      () => requests > 0 || streams.count > 0 || store.busy,
      () => ground.idle?.onIdle?.(),
    );
  const streams = new EventStreams(events, clock, () => idle?.touch());
  let stopping = false;

  const storeState = (): StoreState => (store.failure !== undefined ? 'failed' : store.isOpen ? 'open' : 'closed');
  const metrics = new Metrics({
    openRequests: () => requests,
    connections: () => server.connections(),
    droppedConnections: () => server.dropped,
    eventStreams: () => streams.count,
    store: storeState,
    runs: () => store.opened?.activeRuns() ?? 0,
    calls: () => active.size,
    waitingRuns: async () => store.opened && (await countWaitingRuns(store.opened.store)),
  });

  const openSoon = (): void => {
    if (stopping || store.isOpen || store.busy) return;
    store.get().catch((error: unknown) => log.error({ err: error }, 'the store does not open'));
  };

  // A wrong database address is reported immediately, not by the first request.
  if (database) await store.get();
  const server = await listenHttp({
    host,
    port,
    allowRemote,
    bounds: { ...serverLimits.connection, ...parts.connection },
    onRequest: (open) => {
      requests = open;
      idle?.touch();
    },
    answer: (actualPort) => {
      baseUrl = `http://${bracketed(host)}:${String(actualPort)}/v1`;
      const app = createApp({
        guard: new RequestGuard(host, actualPort, publicUrl),
        baseUrl: offeredUrl(),
        recordings,
        events,
        streams,
        waits,
        sounds,
        metrics,
        clock,
        now,
        log,
        rateLimit: parts.rateLimit ?? new RateLimit(countUses),
        loopTime: parts.loopTime ?? new LoopTime(clock),
        tries: new TryLimit(countUses),
        authenticate: async (given) =>
          (await key?.use(given, store.opened?.store, now())) ??
          (looksLikeKey(given) ? await findPrincipal((await store.get()).store, given, now()) : undefined),
        handlers: async () => (await store.get()).handlers,
        prompts: promptMethods(installation.mediaDir),
        pages: () => store.get(),
        signsUp: mail !== undefined,
        contact,
        signer: async () => (await store.get()).signer,
        readiness: async () => {
          // Clients that wait for it send nothing else, so it also opens the store.
          openSoon();
          const state = database && !(await database.answers()) ? 'failed' : storeState();
          return { ready: !stopping && state === 'open', store: state };
        },
      });
      return async (request, env) =>
        role === 'worker' && !workerPaths.has(new URL(request.url).pathname)
          ? Response.json(
              {
                message:
                  "This process only carries out runs and doesn't serve the API. Use one with the role api or all.",
                code: 'worker',
              },
              { status: 404 },
            )
          : await app.fetch(request, { ...env, address: clientAddress(request.headers, env.address, publicUrl) });
    },
  });
  idle?.touch();
  // The first call reports what went wrong.
  if (options.callsSoon) dialer.use(() => Promise.resolve()).catch(() => undefined);
  // Interrupted runs continue without a request. The first responses come before that, because opening the store blocks
  // this thread for half a second. An unused folder is left for the first request that needs it.
  const resuming = !database && (await folder.hasDatabase()) ? clock.setTimeout(openSoon, openUnaskedMs) : undefined;
  log.info({ port: server.port }, 'listening');

  return {
    pid: process.pid,
    baseUrl,
    mcpUrl: baseUrl.replace(/\/v1$/, '/mcp'),
    async close(isLate) {
      stopping = true;
      idle?.stop();
      if (resuming !== undefined) clock.clearTimeout(resuming);
      streams.closeAll();
      waits.stop();
      sounds.closeAll();
      const served = server.close();
      await store.close(isLate);
      await dialer.close();
      await served;
      log.info('stopped');
    },
  };
}

/** A client that starts the service has sent its first requests by then. */
const openUnaskedMs = 1000;

function assertPublicUrl(text: string): URL {
  const url = readPublicUrl(text);
  if (!url)
    throw new HumanError(
      `"${text}" isn't a valid public address. Use https:// and a host without a path, such as https://dialtree.example.com.`,
      { status: 400, code: 'public_url' },
    );
  return url;
}

/** A worker only answers how it is. */
const workerPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const looksLikeKey = (text: string): boolean => text.startsWith('dt_');
