import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A connection that sends exactly the given bytes, valid or not. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #over: Promise<void>;
  #text = '';
  #wake: () => void = () => undefined;
  #closed = false;

  constructor(port: number, localAddress?: string) {
    this.#socket = connect({ port, host: '127.0.0.1', ...(localAddress !== undefined && { localAddress }) });
    this.#socket.setEncoding('latin1').on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    // A rejected request can be answered with a reset.
    this.#socket.on('error', () => undefined);
    this.#over = new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.#closed = true;
        this.#wake();
        resolve();
      });
    });
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  /** Settles with true when the text has been passed on, or with false once the connection is closed. */
  async push(text: string): Promise<boolean> {
    if (this.#closed) return false;
    if (!this.#socket.write(text, 'latin1'))
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#socket.once('drain', resolve);
        }),
        this.#over,
      ]);
    return !this.#closed;
  }

  /** Returns everything received, as soon as it matches, or at the end of the connection. */
  async until(expected: RegExp): Promise<string> {
    while (!expected.test(this.#text) && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#text;
  }

  /** Returns everything received until the peer closed the connection. */
  async ended(): Promise<string> {
    await this.#over;
    return this.#text;
  }

  close(): void {
    this.#socket.destroy();
  }
}
