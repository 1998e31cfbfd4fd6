import { MAX_MESSAGE_BYTES } from './message.ts';

const CRLF = '\r\n';
const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*$/im;

export interface Framed {
  readonly messages: readonly Uint8Array[];
  /** Keepalives that want an answer (RFC 5626 section 4.4.1). */
  readonly pings: number;
}

/** Cuts a stream into SIP messages by their Content-Length (RFC 3261 section 18.3). */
export class MessageFramer {
  #pending: Buffer = Buffer.alloc(0);

  /** @throws Error where what came can never become a message: the stream is of no more use. */
  push(chunk: Uint8Array): Framed {
    this.#pending = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    const messages: Uint8Array[] = [];
    let pings = 0;
    for (;;) {
      if (this.#pending.indexOf(HEAD_END) === 0) {
        pings += 1;
        this.#pending = this.#pending.subarray(HEAD_END.length);
        continue;
      }
      // One alone answers a keepalive of ours, or stands before a message (RFC 3261 section 7.5).
      if (this.#pending.indexOf(CRLF) === 0 && this.#pending.length > CRLF.length && this.#pending[CRLF.length] !== 0x0d) {
        this.#pending = this.#pending.subarray(CRLF.length);
        continue;
      }
      const message = this.#take();
      if (!message) return { messages, pings };
      messages.push(message);
    }
  }

  #take(): Uint8Array | undefined {
    const headEnd = this.#pending.indexOf(HEAD_END);
    if (headEnd < 0) {
      if (this.#pending.length > MAX_MESSAGE_BYTES) throw new Error('a message without an end');
      return undefined;
    }
    const length = CONTENT_LENGTH.exec(this.#pending.toString('latin1', 0, headEnd))?.[1];
    if (length === undefined) throw new Error('a message without Content-Length');
    const end = headEnd + HEAD_END.length + Number(length);
    if (end > MAX_MESSAGE_BYTES) throw new Error('a message that is too long');
    if (this.#pending.length < end) return undefined;
    const message = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(end);
    return message;
  }
}
