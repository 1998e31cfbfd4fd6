import { ivrFileSchema, type IvrFile } from '../../../src/contract/ivrFile.ts';
import { promptText } from '../../../src/contract/ivrPrompt.ts';
import { IvrSession, type CallerFacts, type SessionEvent } from '../../../src/practice/session.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';

export const ivrOf = (states: object, rest: object = {}): IvrFile =>
  ivrFileSchema.parse({ name: 'Test', start: 'main', states, ...rest });

/**
 * A call to a session without audio: every prompt lasts a second, the clock is moved by hand, and what the caller
 * notices is recorded.
 */
export class SessionCall {
  readonly clock = new ManualClock();
  /** "500 says Welcome.", "700 cut", "1200 hangs up": milliseconds and what was heard. */
  readonly heard: string[] = [];
  readonly events: SessionEvent[] = [];
  readonly run: Promise<void>;
  readonly #session: IvrSession;
  #finish: (() => void) | undefined;
  #over = false;

  constructor(ivr: IvrFile, promptMs = 1000, facts: CallerFacts = {}) {
    const note = (what: string): void => {
      this.heard.push(`${String(this.clock.now())} ${what}`);
    };
    this.#session = new IvrSession(
      ivr,
      {
        play: (prompt) =>
          new Promise((resolve) => {
            if (this.#over) {
              resolve();
              return;
            }
            note(`says ${promptText(prompt)}`);
            const timer = this.clock.setTimeout(() => this.#finish?.(), promptMs);
            this.#finish = () => {
              this.clock.clearTimeout(timer);
              this.#finish = undefined;
              resolve();
            };
          }),
        sound: (sound) => note(sound),
        stop: () => {
          if (this.#finish) note('cut');
          this.#finish?.();
        },
        hangUp: () => {
          note('hangs up');
          void settle().then(() => this.hangUp());
        },
      },
      this.clock,
      (event) => this.events.push(event),
    );
    this.run = this.#session.run(ivr.start, facts);
  }

  get states(): string[] {
    return this.events.filter(({ type }) => type === 'entered').map(({ state }) => state);
  }
  get over(): boolean {
    return this.#over;
  }

  /** Lets `ms` of the call pass. */
  async pass(ms: number): Promise<void> {
    await settle();
    await this.clock.run(() => false, ms);
  }

  async press(digits: string, gapMs = 0): Promise<void> {
    await settle();
    for (const digit of digits) {
      this.#session.key(digit);
      await this.pass(gapMs);
    }
  }

  /** Lets each number of milliseconds pass, and presses each text. */
  async do(...acts: readonly (number | string)[]): Promise<this> {
    for (const act of acts) await (typeof act === 'number' ? this.pass(act) : this.press(act));
    return this;
  }

  /** The caller speaks, and isn't recognised yet. */
  async speak(): Promise<void> {
    await settle();
    this.#session.speaking();
  }

  async say(text: string): Promise<void> {
    await settle();
    this.#session.phrase(text);
    await settle();
  }

  /** The caller has left, or has heard the IVR hang up. */
  hangUp(): void {
    this.#over = true;
    this.#finish?.();
    this.#session.ended();
  }
}
