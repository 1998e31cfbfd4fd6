import { randomUUID } from 'node:crypto';
import pg from 'pg';
import * as z from 'zod';
import { workspaceEventSchema } from '../../contract/events.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { Logger } from '../basics/log.ts';
import type { StoreNotice, StoreNotices } from './notices.ts';

const channel = 'dialtree';
const reconnectMs = 1000;

const sentSchema = z.object({
  from: z.string(),
  notice: z.discriminatedUnion('type', [
    z.object({ type: z.literal('event'), workspaceId: z.string(), event: workspaceEventSchema }),
    z.object({ type: z.literal('work') }),
    z.object({ type: z.literal('cancel'), runId: z.string() }),
    z.object({ type: z.literal('revoked'), keyId: z.string() }),
  ]),
});

type Listener = Parameters<StoreNotices['listen']>[0];

/** Notices over LISTEN and NOTIFY, on a separate connection that is restored when it breaks. */
export class PostgresNotices implements StoreNotices {
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #self = randomUUID();
  readonly #listeners = new Set<Listener>();
  #client: pg.Client | undefined;
  #timer: TimerHandle | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(config: pg.ClientConfig, pool: pg.Pool, clock: Clock, log: Logger) {
    this.#config = config;
    this.#pool = pool;
    this.#clock = clock;
    this.#log = log;
  }

  static async open(config: pg.ClientConfig, pool: pg.Pool, clock: Clock, log: Logger): Promise<PostgresNotices> {
    const notices = new PostgresNotices(config, pool, clock, log);
    await notices.#connect();
    return notices;
  }

  send(notice: StoreNotice): void {
    const text = JSON.stringify({ from: this.#self, notice });
    this.#sending = this.#sending
      .then(() => this.#pool.query('SELECT pg_notify($1, $2)', [channel, text]))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a notice to the other processes was lost'));
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    await this.#sending;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#config);
    this.#client = client;
    client.on('notification', ({ payload }) => this.#take(payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, undefined));
    await client.connect();
    await client.query(`LISTEN ${channel}`);
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#log.warn({ err: error }, 'the connection for notices broke');
    client.end().catch(() => undefined);
    this.#reconnect();
  }

  #reconnect(): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#connect().then(
        () => {
          for (const { onGap } of this.#listeners) onGap?.();
        },
        (error: unknown) => {
          this.#log.warn({ err: error }, 'the connection for notices cannot be made');
          this.#client = undefined;
          if (!this.#closed) this.#reconnect();
        },
      );
    }, reconnectMs);
  }

  #take(payload: string): void {
    const sent = sentSchema.safeParse(readJson(payload));
    // A notice of a newer version is unknown here and not needed, because what must happen is in the store.
    if (!sent.success || sent.data.from === this.#self) return;
    for (const { onNotice } of this.#listeners) onNotice(sent.data.notice);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
