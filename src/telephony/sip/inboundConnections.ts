import type { Socket } from 'node:net';

export const INBOUND_LIMITS = {
  most: 1000,
  /** Until an incomplete message is complete; the first begins with the connection. */
  messageMs: 10_000,
  /** The silence that closes a connection without a call. */
  quietMs: 60_000,
  /** The silence that closes a connection with a call. */
  callMs: 30 * 60_000,
  /** Incomplete messages on all connections together. */
  unreadBytes: 8 * 1024 * 1024,
  /** Data on one connection that the peer doesn't accept. */
  waitingBytes: 256 * 1024,
};
export type InboundLimits = typeof INBOUND_LIMITS;

/** The inbound connections: limits their number, duration and memory. */
export class InboundConnections {
  readonly limits: InboundLimits;
  readonly #all = new Set<InboundConnection>();
  /** Connections without a call, the quietest first. */
  readonly #strangers = new Set<InboundConnection>();
  #unread = 0;

  constructor(limits: Partial<InboundLimits> = {}) {
    this.limits = { ...INBOUND_LIMITS, ...limits };
  }

  /** Returns undefined if there is no capacity. The quietest connection without a call is closed first. */
  admit(socket: Socket): InboundConnection | undefined {
    if (this.#all.size >= this.limits.most) {
      const [quietest] = this.#strangers;
      if (!quietest) return undefined;
      this.#leave(quietest);
      quietest.socket.destroy();
    }
    const visitor = new InboundConnection(socket, this.limits, (one, more) => this.#heard(one, more));
    this.#all.add(visitor);
    this.#strangers.add(visitor);
    socket.once('close', () => this.#leave(visitor));
    return visitor;
  }

  /** A call over this connection is answered (1) or ends (-1). */
  hold(visitor: InboundConnection, change: 1 | -1): void {
    visitor.addCalls(change);
    if (!this.#all.has(visitor)) return;
    this.#strangers.delete(visitor);
    if (!visitor.hasCall) this.#strangers.add(visitor);
  }

  #heard(visitor: InboundConnection, more: number): void {
    if (!this.#all.has(visitor)) return;
    this.#unread += more;
    if (this.#strangers.delete(visitor) && !visitor.hasCall) this.#strangers.add(visitor);
    if (this.#unread > this.limits.unreadBytes) this.#largest()?.socket.destroy();
  }

  #largest(): InboundConnection | undefined {
    let largest: InboundConnection | undefined;
    for (const one of this.#all) if (one.unread > (largest?.unread ?? 0)) largest = one;
    return largest;
  }

  #leave(visitor: InboundConnection): void {
    if (!this.#all.delete(visitor)) return;
    this.#unread -= visitor.unread;
    this.#strangers.delete(visitor);
    visitor.stop();
  }
}

export class InboundConnection {
  readonly socket: Socket;
  readonly #limits: InboundLimits;
  readonly #onHeard: (visitor: InboundConnection, more: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #unread = 0;
  #calls = 0;

  constructor(socket: Socket, limits: InboundLimits, onHeard: (visitor: InboundConnection, more: number) => void) {
    this.socket = socket;
    this.#limits = limits;
    this.#onHeard = onHeard;
    socket.setTimeout(limits.quietMs, () => {
      socket.destroy();
    });
    this.#awaitMessage();
  }

  /** Bytes of an incomplete message. */
  get unread(): number {
    return this.#unread;
  }
  get hasCall(): boolean {
    return this.#calls > 0;
  }

  /** Data arrived; `whole` means a complete message or a sign of life. */
  heard(whole: boolean, unread: number): void {
    const more = unread - this.#unread;
    this.#unread = unread;
    if (whole) this.stop();
    if (unread > 0) this.#awaitMessage();
    this.#onHeard(this, more);
  }

  addCalls(change: 1 | -1): void {
    this.#calls += change;
    this.socket.setTimeout(this.hasCall ? this.#limits.callMs : this.#limits.quietMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #awaitMessage(): void {
    this.#timer ??= setTimeout(() => {
      this.socket.destroy();
    }, this.#limits.messageMs);
  }
}
