import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DialtreeClient } from '../../src/client/client.ts';
import type { WorkspaceEvent } from '../../src/contract/events.ts';
import type { Installation } from '../../src/service/installation.ts';
import { silentLog } from '../../src/service/log.ts';
import { startService } from '../../src/service/service.ts';
import type { RunningService, ServiceOptions } from '../../src/service/service.ts';
import { writeStoreTemplate } from '../../src/service/store/template.ts';
import { ScriptedCrawl } from './serviceScript.ts';

/** A folder with the store's template: made once for this state of the schema and kept, since initdb takes seconds. */
export async function serviceAssets(): Promise<Installation> {
  const hash = createHash('sha256');
  for (const file of ['store/migrations.ts', 'store/migrations/mapping.ts', 'store/migrations/testing.ts', 'store/migrations/workspaces.ts', 'store/template.ts', 'queue/boss.ts']) hash.update(await readFile(new URL(`../../src/service/${file}`, import.meta.url)));
  const assetsDir = join(tmpdir(), `dialtree-test-assets-${hash.digest('hex').slice(0, 16)}`);
  const template = join(assetsDir, 'store-template.tar.gz');
  if (!await stat(template).catch(() => undefined)) await writeStoreTemplate(template);
  return { assetsDir, mediaDir: fileURLToPath(new URL('../../media', import.meta.url)), speechWorker: new URL('../../src/speech/worker.ts', import.meta.url) };
}

/** Services on scripted crawls, each in its own folder; `close` ends them all and removes the folders. */
export class ServiceFixture {
  readonly crawl = new ScriptedCrawl();
  readonly #folders: string[] = [];
  readonly #services: RunningService[] = [];

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'dialtree-service-'));
    this.#folders.push(folder);
    return folder;
  }

  /** `clientOf` asks with another key; neither client waits between its tries. */
  async start(options: Partial<ServiceOptions> = {}): Promise<RunningService & { readonly client: DialtreeClient; clientOf(apiKey: string): DialtreeClient }> {
    const { parts, ...rest } = options;
    const service = await startService({
      dataDir: rest.dataDir ?? await this.folder(), installation: await serviceAssets(), log: silentLog,
      routes: { '+12025550101': 'sip:practice@127.0.0.1:5070', '+1*': 'sip:{number}@trunk.example.com' },
      ...rest,
      parts: { crawl: this.crawl.crawl, openLine: () => Promise.resolve({ line: { dial: () => Promise.reject(new Error('no calls here')) }, close: () => Promise.resolve() }), ...parts },
    });
    this.#services.push(service);
    const clientOf = (apiKey: string): DialtreeClient => new DialtreeClient({ baseUrl: service.baseUrl, apiKey, retry: { random: () => 0 } });
    return { ...service, clientOf, client: clientOf(service.apiKey) };
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#services.splice(0).map((service) => service.close()));
    await Promise.allSettled(this.#folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

/** What a workspace's event stream says, kept until it is asked for. */
export class EventWatch {
  readonly seen: WorkspaceEvent[] = [];
  readonly #stop = new AbortController();
  readonly #checks = new Set<() => void>();
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;

  constructor(client: DialtreeClient) {
    let connected = (): void => undefined;
    this.ready = new Promise((resolve) => { connected = resolve; });
    this.ended = client.events(this.#stop.signal, (event) => {
      this.seen.push(event);
      for (const check of this.#checks) check();
    }, connected);
  }

  /** Settles as soon as `condition` holds; asks now and after every event. */
  async until(condition: () => Promise<boolean>): Promise<void> {
    await this.ready;
    let wake = (): void => undefined;
    let pending = false;
    const check = (): void => { pending = true; wake(); };
    this.#checks.add(check);
    try {
      while (!await condition()) {
        if (!pending) await new Promise<void>((resolve) => { wake = resolve; });
        pending = false;
      }
    } finally {
      this.#checks.delete(check);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.ended;
  }
}
