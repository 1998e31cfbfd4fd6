import { sleep, type Clock } from '../../base/clock.ts';
import { count } from '../../base/count.ts';
import { HumanError } from '../../contract/errors.ts';
import { serverLimits } from '../../contract/limits.ts';
import type { LiveSound } from '../../engine/call/callAudio.ts';
import type { Principal } from '../workspaces/principal.ts';

interface Listener extends Pick<Principal, 'workspaceId' | 'keyId'> {
  readonly runId: string;
}

/** A listener gets this much sound at a time, unless it reads more slowly. */
const partMs = 40;

/**
 * The sound of the calls that this process places, while they last. Each listener reads it from the call itself, at its
 * own speed: nothing is stored, and without a listener nothing is done. What a slow listener didn't read in time is
 * skipped.
 */
export class LiveSounds {
  readonly #clock: Clock;
  /** By run. Undefined until the answer. */
  readonly #sounds = new Map<string, LiveSound | undefined>();
  readonly #listeners = new Map<AbortController, Listener>();
  readonly #stopped = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** This process carries out a run from now on. Returns a function that ends that. */
  begin(runId: string): () => void {
    this.#sounds.set(runId, undefined);
    return () => {
      this.#sounds.delete(runId);
      this.#end((listener) => listener.runId === runId);
    };
  }

  /** A call of the run was answered. */
  answered(runId: string, sound: LiveSound): void {
    this.#sounds.set(runId, sound);
  }

  /**
   * Opens the sound of a run, in network byte order (RFC 3551, section 4.5.11), until its call ends or `signal` aborts.
   * While `unsentBytes` of earlier sound wait, no more is read, so that the listener loses the oldest.
   * @throws HumanError 409 `not_on_call` or 429 `too_many_streams`
   */
  open(listener: Listener, signal: AbortSignal, unsentBytes: () => number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { runId, workspaceId, keyId } = listener;
    if (!this.#sounds.has(runId))
      throw new HumanError(
        "This process isn't placing a call of this run. Either its call is over or hasn't begun, or another process of the server places it.",
        { status: 409, code: 'not_on_call' },
      );
    const { perRun, perWorkspace, behindMs } = serverLimits.sound;
    const open = [...this.#listeners.values()];
    this.#assertRoom('This run', open.filter((other) => other.runId === runId).length, perRun);
    this.#assertRoom('This workspace', open.filter((other) => other.workspaceId === workspaceId).length, perWorkspace);
    const left = new AbortController();
    const over = AbortSignal.any([left.signal, signal, this.#stopped.signal]);
    this.#listeners.set(left, { runId, workspaceId, keyId });
    let readMs: number | undefined;
    const next = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
      while (!over.aborted) {
        const sound = this.#sounds.get(runId);
        if (sound) {
          const now = sound.now();
          const fromMs = Math.max((readMs ??= now), now - behindMs);
          if (unsentBytes() === 0 && (now - fromMs >= partMs || (sound.isOver && now > fromMs))) {
            readMs = now;
            return Buffer.from(sound.read(fromMs, now).buffer).swap16();
          }
          if (sound.isOver && now <= fromMs) return undefined;
        }
        await sleep(this.#clock, partMs / 2, over).catch(() => undefined);
      }
      return undefined;
    };
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          const close = (): void => {
            this.#listeners.delete(left);
            try {
              controller.close();
            } catch {
              /* The listener left first. */
            }
          };
          if (over.aborted) close();
          else over.addEventListener('abort', close, { once: true });
        },
        pull: async (controller) => {
          const part = await next();
          if (!part) left.abort();
          else if (!over.aborted) controller.enqueue(part);
        },
        cancel: () => left.abort(),
      },
      // Sound that waits in the stream would be late.
      { highWaterMark: 0 },
    );
  }

  endOf(keyId: string): void {
    this.#end((listener) => listener.keyId === keyId);
  }

  closeAll(): void {
    this.#stopped.abort();
  }

  #assertRoom(owner: string, listeners: number, most: number): void {
    if (listeners >= most)
      throw new HumanError(
        `${owner} already has ${count(most, 'listener')} to live sound, which is the maximum. Close one.`,
        { status: 429, code: 'too_many_streams', retryAfterSeconds: 15 },
      );
  }

  #end(concerns: (listener: Listener) => boolean): void {
    for (const [left, listener] of this.#listeners) if (concerns(listener)) left.abort();
  }
}
