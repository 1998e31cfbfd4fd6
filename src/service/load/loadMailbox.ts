import { randomUUID } from 'node:crypto';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import type { Letter, LoadMail } from './loadMail.ts';

/** Messages are sent at once, but at most this often; what is posted meanwhile goes into one letter. */
const sendEveryMs = 100;
const beatEveryMs = 500;

interface MailboxOptions<Received> {
  readonly mail: LoadMail;
  readonly clock: Clock;
  readonly loadTestId: string;
  readonly onMessage: (message: Received, sender: string) => void;
  /** Letters of this sender are lost for ever. Called before the messages that follow. */
  readonly onGap: (sender: string) => void;
  /** Called twice a second. */
  readonly onBeat: () => void;
  /** Letters couldn't be sent or read; the mailbox tries again. */
  readonly onFailure: (error: unknown) => void;
}

/** One party's messages about a load test. Messages to a receiver arrive once and in order, or not at all. */
export class Mailbox<Sent extends object, Received> {
  readonly id = randomUUID();
  readonly #options: MailboxOptions<Received>;
  readonly #stopWatching: () => void;
  #posted: { readonly receiver: string; readonly message: Sent }[] = [];
  /** Letters that haven't been stored yet. */
  #unsent: Letter[] = [];
  /** The last number for each receiver. */
  readonly #numbers = new Map<string, number>();
  #sendTimer: TimerHandle | undefined;
  #sentAt = -Infinity;
  #sending: Promise<void> = Promise.resolve();
  #reading: Promise<void> | undefined;
  #readAgain = false;
  /** The last letter of each sender that was read. */
  readonly #last = new Map<string, number>();
  #beatTimer: TimerHandle | undefined;
  #isClosed = false;

  constructor(options: MailboxOptions<Received>) {
    this.#options = options;
    this.#stopWatching = options.mail.watch(this.id, () => {
      this.#read();
    });
    this.#beatLater();
  }

  post(receiver: string, message: Sent): void {
    if (this.#isClosed) return;
    this.#posted.push({ receiver, message });
    this.#sendIn(this.#sentAt + sendEveryMs - this.#options.clock.now());
  }

  /** Sends what has been posted, and reads nothing more. */
  async close(): Promise<void> {
    const { clock } = this.#options;
    this.#isClosed = true;
    this.#stopWatching();
    for (const timer of [this.#beatTimer, this.#sendTimer]) if (timer !== undefined) clock.clearTimeout(timer);
    await this.#reading;
    this.#send();
    await this.#sending;
  }

  #sendIn(ms: number): void {
    if (this.#sendTimer !== undefined) return;
    this.#sendTimer = this.#options.clock.setTimeout(
      () => {
        this.#sendTimer = undefined;
        this.#send();
      },
      Math.max(0, ms),
    );
  }

  /** One letter for each receiver, after those that are being sent. */
  #send(): void {
    const { mail, clock, loadTestId, onFailure } = this.#options;
    this.#sentAt = clock.now();
    this.#sending = this.#sending.then(async () => {
      for (const [receiver, posted] of Map.groupBy(this.#posted.splice(0), (one) => one.receiver))
        this.#unsent.push({
          loadTestId,
          sender: this.id,
          receiver,
          number: this.#nextFor(receiver),
          messages: posted.map(({ message }) => message),
        });
      if (this.#unsent.length === 0) return;
      const letters = this.#unsent;
      try {
        await mail.send(letters);
        this.#unsent = [];
      } catch (error) {
        onFailure(error);
        // It can have been stored all the same, so it is sent again as it is.
        if (!this.#isClosed) this.#sendIn(beatEveryMs);
      }
    });
  }

  #nextFor(receiver: string): number {
    const number = (this.#numbers.get(receiver) ?? 0) + 1;
    this.#numbers.set(receiver, number);
    return number;
  }

  #read(): void {
    if (this.#isClosed) return;
    if (this.#reading) {
      this.#readAgain = true;
      return;
    }
    this.#reading = this.#collect().finally(() => {
      this.#reading = undefined;
      if (!this.#readAgain) return;
      this.#readAgain = false;
      this.#read();
    });
  }

  async #collect(): Promise<void> {
    const { mail, onMessage, onGap, onFailure } = this.#options;
    try {
      for (const { sender, number, messages } of await mail.collect(this.id)) {
        const last = this.#last.get(sender) ?? 0;
        if (number <= last) continue;
        this.#last.set(sender, number);
        if (number > last + 1) onGap(sender);
        for (const message of messages) onMessage(message as Received, sender);
      }
    } catch (error) {
      onFailure(error);
    }
  }

  #beatLater(): void {
    const { clock, onBeat } = this.#options;
    this.#beatTimer = clock.setTimeout(() => {
      this.#beatLater();
      this.#read();
      onBeat();
    }, beatEveryMs);
  }
}
