import { HumanError } from '../../contract/errors.ts';
import { tiers } from '../../contract/limits.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { EventBus } from '../store/events.ts';
import type { Principal } from '../workspaces/principal.ts';

const heartbeatMs = 15_000;
/** A listener that reads more slowly than this is disconnected; it reconnects and reads everything again. */
const maxWaitingChunks = 1000;

type Listener = Pick<Principal, 'workspaceId' | 'keyId' | 'tier'>;

/** The open streams of server-sent events (WHATWG HTML, section 9.2). */
export class EventStreams {
  readonly #events: EventBus;
  readonly #clock: Clock;
  readonly #onCount: () => void;
  /** Each stream's listener and key. */
  readonly #closers = new Map<() => void, Listener>();
  #closed = false;

  constructor(events: EventBus, clock: Clock, onCount: () => void) {
    this.#events = events;
    this.#clock = clock;
    this.#onCount = onCount;
  }

  get count(): number {
    return this.#closers.size;
  }

  /** @throws HumanError 429 `too_many_streams` */
  open(listener: Listener, signal: AbortSignal): Response {
    const { workspaceId, tier } = listener;
    const most = tiers[tier].streams;
    if ([...this.#closers.values()].filter((other) => other.workspaceId === workspaceId).length >= most) {
      throw new HumanError(
        `This workspace has ${String(most)} event streams open, which is the maximum for its tier. Close one, or poll instead.`,
        { status: 429, code: 'too_many_streams', retryAfterSeconds: heartbeatMs / 1000 },
      );
    }
    const encoder = new TextEncoder();
    let close = (): void => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        let id = 0;
        let heartbeat: TimerHandle | undefined;
        const write = (text: string): void => {
          if ((controller.desiredSize ?? 0) < -maxWaitingChunks) {
            close();
            return;
          }
          controller.enqueue(encoder.encode(text));
        };
        const beat = (): void => {
          heartbeat = this.#clock.setTimeout(() => {
            write(': alive\n\n');
            if (heartbeat !== undefined) beat();
          }, heartbeatMs);
        };
        const stopListening = this.#events.listen(workspaceId, (event) => {
          id += 1;
          write(`id: ${String(id)}\ndata: ${JSON.stringify(event)}\n\n`);
        });
        close = () => {
          if (!this.#closers.delete(close)) return;
          stopListening();
          if (heartbeat !== undefined) this.#clock.clearTimeout(heartbeat);
          heartbeat = undefined;
          try {
            controller.close();
          } catch {
            /* The listener left first. */
          }
          this.#onCount();
        };
        this.#closers.set(close, listener);
        this.#onCount();
        write('retry: 1000\n\n');
        beat();
        if (this.#closed || signal.aborted) close();
        else signal.addEventListener('abort', close, { once: true });
      },
      cancel: () => close(),
    });
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    });
  }

  /** Ends the open streams. Their listeners reconnect and read everything again. */
  interrupt(): void {
    for (const close of [...this.#closers.keys()]) close();
  }

  /** Ends the streams that were opened with this key. */
  endOf(keyId: string): void {
    for (const [close, opened] of [...this.#closers]) if (opened.keyId === keyId) close();
  }

  closeAll(): void {
    this.#closed = true;
    this.interrupt();
  }
}
