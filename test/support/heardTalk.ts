import type { ActiveCall, ActiveCallEvent } from '../../src/engine/call/activeCall.ts';

/** A call whose time and events a test controls. `listeners` are the current listeners. */
export class ScriptedCallAudio {
  readonly listeners = new Set<(event: ActiveCallEvent) => void>();
  heardMs = 0;
  packets = 0;
  otherCodecs: readonly string[] = [];
  elsewhere: string | undefined;
  refusedPackets: number | undefined;

  /** Returns the parts of the call that hearing needs. */
  get talk(): ActiveCall {
    const heard: Pick<ActiveCall, 'now' | 'heardMs' | 'listen' | 'received'> = {
      now: () => this.heardMs,
      heardMs: () => this.heardMs,
      received: () => ({
        packets: this.packets,
        otherCodecs: this.otherCodecs,
        ...(this.elsewhere !== undefined && { elsewhere: this.elsewhere }),
        ...(this.refusedPackets !== undefined && { refusedPackets: this.refusedPackets }),
      }),
      listen: (listener) => {
        this.listeners.add(listener);
        return () => {
          this.listeners.delete(listener);
        };
      },
    };
    return heard as ActiveCall;
  }

  tell(...events: readonly ActiveCallEvent[]): void {
    for (const event of events) for (const listener of this.listeners) listener(event);
  }
}

export const began = (atMs: number): ActiveCallEvent => ({ type: 'speechStart', atMs });
export const paused = (atMs: number): ActiveCallEvent => ({ type: 'speechPause', atMs });
export const partly = (text: string, startMs: number, endMs: number): ActiveCallEvent => ({
  type: 'partial',
  text,
  startMs,
  endMs,
});
export const sounded = (
  sound: Extract<ActiveCallEvent, { type: 'sound' }>['sound'],
  sinceMs: number,
): Extract<ActiveCallEvent, { type: 'sound' }> => ({ type: 'sound', sound, sinceMs, atMs: sinceMs + 500 });

/** Text of an utterance; `wordStarts` holds the start of each word, or nothing if alignment failed. */
export function understood(
  text: string,
  startMs: number,
  endMs: number,
  wordStarts: readonly number[] = [],
): Extract<ActiveCallEvent, { type: 'utterance' }> {
  const spoken = text.toLowerCase().match(/\w+/g) ?? [];
  const words = wordStarts.map((wordStart, index) => ({
    text: spoken[index] ?? '',
    startMs: wordStart,
    endMs: wordStarts[index + 1] ?? endMs,
  }));
  return { type: 'utterance', utterance: { startMs, endMs, text, rawText: text, words } };
}

export const hungUp = (
  atMs: number,
  by: 'local' | 'remote' | 'network' = 'remote',
): Extract<ActiveCallEvent, { type: 'ended' }> => ({ type: 'ended', atMs, end: { by, kind: 'hangup', reason: 'bye' } });
