import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DialtreeClient } from '../../src/client/client.ts';
import type { WorkspaceEvent } from '../../src/contract/events.ts';
import { startService, startSharedService } from '../../src/service/service.ts';
import type { RunningService, ServiceOptions, SharedService, SharedServiceOptions } from '../../src/service/service.ts';
import { DataFolder } from '../../src/service/store/folder.ts';
import type { Store } from '../../src/service/store/store.ts';
import { LocalKey } from '../../src/service/workspaces/localKey.ts';
import { undeclaredError } from './declaredErrors.ts';
import { inVain, patienceMs } from './patience.ts';
import { noteSecret, testLog } from './secretRegistry.ts';
import type { TestDatabase } from './postgres.ts';
import { practiceAt } from './practicePlaces.ts';
import { serviceAssets } from './serviceAssets.ts';
import { ScriptedCrawl } from './serviceScript.ts';
import { createReadyDatabase, onPostgres, openPostgres } from './testStore.ts';

/**
 * Services on scripted crawls, each in its own folder; `close` ends them all, removes the folders, and fails if a
 * client received an error that the contract doesn't list.
 */
export class ServiceFixture {
  readonly crawl = new ScriptedCrawl();
  readonly #folders: string[] = [];
  readonly #services: SharedService[] = [];
  readonly #databases = new Map<string, TestDatabase>();
  readonly #undeclared = new Set<string>();

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'dialtree-service-'));
    this.#folders.push(folder);
    return folder;
  }

  /**
   * Starts a service on the engine of this run: with a separate data folder, or a temporary database with the folder's
   * workspace and key. `clientOf` uses another key; neither client waits between its retries.
   */
  async start(
    options: Partial<ServiceOptions> = {},
  ): Promise<RunningService & { readonly client: DialtreeClient; clientOf(apiKey: string): DialtreeClient }> {
    const dataDir = options.dataDir ?? (await this.folder());
    const service = onPostgres()
      ? await this.#startOnPostgres({ ...options, dataDir })
      : await startService(await this.#complete({ ...options, dataDir }));
    this.#services.push(service);
    const clientOf = (apiKey: string): DialtreeClient => {
      noteSecret(apiKey);
      return new DialtreeClient({ baseUrl: service.baseUrl, apiKey, retry: { random: () => 0 }, fetch: this.#fetch });
    };
    return { ...service, clientOf, client: clientOf(service.apiKey) };
  }

  /** Starts one of several processes on the database at this address, each with its own events and memory. */
  async startShared(
    options: Partial<SharedServiceOptions> & Pick<SharedServiceOptions, 'databaseUrl'>,
  ): Promise<SharedService & { clientOf(apiKey: string): DialtreeClient }> {
    const service = await startSharedService({
      ...options,
      ...(await this.#complete(options)),
      dataDir: options.dataDir ?? (await this.folder()),
    });
    this.#services.push(service);
    return {
      ...service,
      clientOf: (apiKey) =>
        new DialtreeClient({ baseUrl: service.baseUrl, apiKey, retry: { random: () => 0 }, fetch: this.#fetch }),
    };
  }

  /** Opens the store of a data folder's database; only on Postgres. */
  async openDatabase(dataDir: string): Promise<Store> {
    return await openPostgres((await this.databaseOf(dataDir)).url);
  }

  async databaseOf(dataDir: string): Promise<TestDatabase> {
    const database = this.#databases.get(dataDir) ?? (await createReadyDatabase());
    this.#databases.set(dataDir, database);
    return database;
  }

  /**
   * Ends everything that was started, including the watches that a failed test left open, which would retry forever.
   * Removes the folders too, so that no closing export is written into them.
   */
  async close(): Promise<void> {
    EventWatch.stopAll();
    await Promise.allSettled(this.#services.splice(0).map((service) => service.close(() => true)));
    await Promise.allSettled([...this.#databases.values()].map(({ drop }) => drop()));
    this.#databases.clear();
    await Promise.allSettled(this.#folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
    assert.deepEqual([...this.#undeclared], []);
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const undeclared = undeclaredError(
      init?.method ?? 'GET',
      input instanceof Request ? input.url : String(input),
      response.status,
    );
    if (undeclared !== undefined) this.#undeclared.add(undeclared);
    return response;
  };

  async #complete(options: Partial<ServiceOptions>): Promise<ServiceOptions> {
    const { parts, ...rest } = options;
    for (const password of Object.values(options.linePasswords ?? {})) noteSecret(password);
    return {
      dataDir: '',
      installation: await serviceAssets(),
      log: testLog,
      routes: { '+12025550101': 'sip:practice@127.0.0.1:5070', '+1*': 'sip:{number}@trunk.example.com' },
      ...rest,
      // The address that would answer the scripted calls of these tests.
      parts: {
        crawl: this.crawl.crawl,
        practices: practiceAt('127.0.0.1:5070'),
        openDialer: () =>
          Promise.resolve({
            dialer: { dial: () => Promise.reject(new Error('no calls here')) },
            receive: () => Promise.reject(new Error('no calls here')),
            register: () => assert.fail('no line registers'),
            close: () => Promise.resolve(),
          }),
        ...parts,
      },
    };
  }

  async #startOnPostgres(options: Partial<ServiceOptions> & Pick<ServiceOptions, 'dataDir'>): Promise<RunningService> {
    const { dataDir } = options;
    const folder = new DataFolder(dataDir);
    await folder.create();
    const key = await LocalKey.readOrCreate(folder);
    const store = await this.openDatabase(dataDir);
    await key.enrol(store, randomUUID(), new Date());
    await store.close();
    const service = await startSharedService({
      ...(await this.#complete(options)),
      databaseUrl: (await this.databaseOf(dataDir)).url,
    });
    return { ...service, owner: true, apiKey: key.key };
  }
}

/** The events of a workspace's stream, kept until read. */
export class EventWatch {
  static readonly #open = new Set<EventWatch>();
  readonly seen: WorkspaceEvent[] = [];
  readonly #stop = new AbortController();
  readonly #checks = new Set<() => void>();
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;

  constructor(client: DialtreeClient) {
    EventWatch.#open.add(this);
    let connected = (): void => undefined;
    this.ready = new Promise((resolve) => {
      connected = resolve;
    });
    this.ended = client.events(
      this.#stop.signal,
      (event) => {
        this.seen.push(event);
        for (const check of this.#checks) check();
      },
      connected,
    );
  }

  /** Settles as soon as `condition` holds; checks now and after every event. Rejects if it never does. */
  async until(condition: () => Promise<boolean>): Promise<void> {
    await this.ready;
    let wake = (): void => undefined;
    let pending = false;
    let late = false;
    const check = (): void => {
      pending = true;
      wake();
    };
    this.#checks.add(check);
    const timer = setTimeout(() => {
      late = true;
      check();
    }, patienceMs);
    try {
      while (!(await condition())) {
        if (late) throw inVain(String(condition), this.seen.slice(-10));
        if (!pending)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        pending = false;
      }
    } finally {
      clearTimeout(timer);
      this.#checks.delete(check);
    }
  }

  async close(): Promise<void> {
    EventWatch.#open.delete(this);
    this.#stop.abort();
    await this.ended;
  }

  static stopAll(): void {
    for (const watch of this.#open) watch.#stop.abort();
    this.#open.clear();
  }
}
