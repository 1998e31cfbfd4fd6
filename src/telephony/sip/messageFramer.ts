import { MAX_MESSAGE_BYTES } from './message.ts';

const CRLF = '\r\n';
const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /^(?:content-length|l)[ \t]*:(.*)$/i;

interface Framed {
  readonly messages: readonly Uint8Array[];
  /** It requests a sign of life (RFC 5626 section 4.4.1). */
  readonly asksForLife: boolean;
  /** What follows these messages can't be a message: the stream isn't usable any more. */
  readonly broken?: string;
}

/** Divides a stream into SIP messages by their Content-Length (RFC 3261 section 18.3). */
export class MessageFramer {
  #pending: Buffer = Buffer.alloc(0);

  /** Bytes of an incomplete message. */
  get unread(): number {
    return this.#pending.length;
  }

  push(chunk: Uint8Array): Framed {
    this.#pending = this.#pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#pending, chunk]);
    const messages: Uint8Array[] = [];
    let asksForLife = false;
    for (;;) {
      if (this.#pending.indexOf(HEAD_END) === 0) {
        asksForLife = true;
        this.#pending = this.#pending.subarray(HEAD_END.length);
        continue;
      }
      // A single one responds to a keepalive, or precedes a message (RFC 3261 section 7.5).
      if (
        this.#pending.indexOf(CRLF) === 0 &&
        this.#pending.length > CRLF.length &&
        this.#pending[CRLF.length] !== 0x0d
      ) {
        this.#pending = this.#pending.subarray(CRLF.length);
        continue;
      }
      const message = this.#take();
      if (typeof message === 'string') return { messages, asksForLife, broken: message };
      if (!message) return { messages, asksForLife };
      messages.push(message);
    }
  }

  /** Returns a message, undefined while it is incomplete, or why there is none. */
  #take(): Uint8Array | string | undefined {
    const headEnd = this.#pending.indexOf(HEAD_END);
    if (headEnd < 0) return this.#pending.length > MAX_MESSAGE_BYTES ? 'a message without an end' : undefined;
    const length = contentLength(this.#pending.toString('latin1', 0, headEnd));
    if (length === undefined) return 'a message without its length';
    const end = headEnd + HEAD_END.length + length;
    if (end > MAX_MESSAGE_BYTES) return 'a message that is too long';
    if (this.#pending.length < end) return undefined;
    const message = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(end);
    return message;
  }
}

/** Returns undefined if it is missing or ambiguous: a body to one reader is a message to another. */
function contentLength(head: string): number | undefined {
  const told = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split(CRLF)
    .flatMap((line) => CONTENT_LENGTH.exec(line)?.[1]?.trim() ?? []);
  const lengths = new Set(told.map((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN)));
  const [length = Number.NaN] = lengths;
  return lengths.size === 1 && !Number.isNaN(length) ? length : undefined;
}
