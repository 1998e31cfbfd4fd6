import type { SendDigitsOptions } from '../call.ts';
import type { SipResponse } from '../sip/message.ts';
import { DEFAULT_GAP_MS, DEFAULT_TONE_MS, digitsIn, PAUSE, PAUSE_MS } from './digitQueue.ts';

const INFO_DIGITS_TYPE = 'application/dtmf-relay';

/** Returns true if a response says that INFO requests may contain digits (RFC 3261 section 20.1, RFC 6086 section 6.3). */
export const acceptsInfoDigits = ({ headers }: SipResponse): boolean =>
  headers.tokens('Accept').some((type) => type.split(';', 1)[0]?.trim() === INFO_DIGITS_TYPE) ||
  headers.tokens('Recv-Info').includes('dtmf');

/** The next digit waits this long for the response to an INFO. */
const RESPONSE_MS = 4000;

interface InfoDigitsParts {
  /** Sends an INFO. Resolves with its final response, or undefined if there is none. */
  readonly send: (content: { readonly type: string; readonly body: string }) => Promise<SipResponse | undefined>;
  readonly pause: (ms: number) => Promise<undefined>;
  /** Sends digits that an INFO was refused for as audio. */
  readonly sendAsTones: (digits: string, options: SendDigitsOptions) => Promise<void>;
}

/** Sends digits as INFO requests, one after the other. If one is refused, this digit and all later ones go as tones. */
export class InfoDigits {
  readonly #parts: InfoDigitsParts;
  #last: Promise<void> = Promise.resolve();
  /** The status of the refusal; `silent` if an INFO had no response. */
  #failure: number | 'silent' | undefined;

  constructor(parts: InfoDigitsParts) {
    this.#parts = parts;
  }

  get failure(): number | 'silent' | undefined {
    return this.#failure;
  }

  /** As `CallLeg.sendDigits`, after everything that is still being sent. */
  async push(digits: string, options: SendDigitsOptions = {}): Promise<void> {
    const all = digitsIn(digits);
    const sent = this.#last.then(() => this.#send(all, options));
    this.#last = sent.catch(() => undefined);
    await sent;
  }

  async #send(digits: readonly string[], options: SendDigitsOptions): Promise<void> {
    const { toneMs = DEFAULT_TONE_MS, gapMs = DEFAULT_GAP_MS } = options;
    for (const [index, digit] of digits.entries()) {
      if (typeof this.#failure === 'number') {
        await this.#parts.sendAsTones(digits.slice(index).join(''), { ...options, via: 'inband' });
        return;
      }
      if (digit === PAUSE) await this.#parts.pause(PAUSE_MS);
      else if (await this.#sendOne(digit, toneMs)) await this.#parts.pause(toneMs + gapMs);
      else await this.#parts.sendAsTones(digit, { ...options, via: 'inband' });
    }
  }

  /** Returns false if the INFO was refused. One without a response may have arrived, so its digit isn't sent again. */
  async #sendOne(digit: string, toneMs: number): Promise<boolean> {
    const body = `Signal=${digit}\r\nDuration=${String(Math.round(toneMs))}\r\n`;
    const response = await Promise.race([
      this.#parts.send({ type: INFO_DIGITS_TYPE, body }),
      this.#parts.pause(RESPONSE_MS),
    ]);
    if (!response) this.#failure ??= 'silent';
    if (!response || response.status < 300) return true;
    this.#failure = response.status;
    return false;
  }
}
