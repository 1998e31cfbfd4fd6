import type { SmsSender } from '../../src/service/people/sms.ts';
import { noteSecret } from './secretRegistry.ts';

/** Text messages as they arrive on the phones of a test. */
export class SmsInbox implements SmsSender {
  readonly #messages: { readonly to: string; readonly text: string }[] = [];
  /** If set, the provider rejects with this error. */
  failure: Error | undefined;

  send(to: string, text: string): Promise<void> {
    noteSecret(to);
    noteSecret(/\b\d{6}\b/.exec(text)?.[0]);
    if (this.failure) return Promise.reject(this.failure);
    this.#messages.push({ to, text });
    return Promise.resolve();
  }

  get count(): number {
    return this.#messages.length;
  }

  /** Returns the last code sent to this number. */
  codeFor(number: string): string {
    const code = /\b\d{6}\b/.exec(this.#messages.findLast(({ to }) => to === number)?.text ?? '')?.[0];
    if (code === undefined) throw new Error(`no code was sent to ${number}`);
    return code;
  }
}
