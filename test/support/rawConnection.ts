import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A connection that says exactly what it is told, however wrong. */
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
    // What was refused may be answered by a reset.
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

  /** Settles when so much was taken from here that the rest goes out at once; false once the connection is closed. */
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

  /** All that came, as soon as it fits, or at the end of the connection. */
  async until(expected: RegExp): Promise<string> {
    while (!expected.test(this.#text) && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#text;
  }

  /** All that came till the far side closed. */
  async ended(): Promise<string> {
    await this.#over;
    return this.#text;
  }

  close(): void {
    this.#socket.destroy();
  }
}
