import { unlessAborted } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { Listeners } from '../../base/listeners.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Line } from '../../contract/lines.ts';
import type { CallerAccount, RegisterOptions, RegistrationState } from '../../telephony/call.ts';
import type { Logger } from '../basics/log.ts';
import type { OpenDialer } from '../runs/sharedDialer.ts';
import { failureReason } from '../runs/stopReason.ts';
import { registerOptionsOf } from './lineAccount.ts';
import { describeUnregistered } from './lineWords.ts';

/** A registrar that responds does so much sooner, even with a challenge and a shorter interval (423) in between. */
const registerMs = 10_000;
/** A registrar blocks a user whose login fails too often, so a wrong login isn't repeated for each call. */
const repeatFailedMs = 60_000;

interface LineRegistrationsParts {
  readonly dialer: {
    use<Result>(work: (opened: Pick<OpenDialer, 'register'>) => Promise<Result>): Promise<Result>;
  };
  readonly clock: Clock;
  readonly log: Logger;
}

interface Entry {
  state: RegistrationState;
  changedAt: number;
  readonly changed: Listeners<[]>;
  /** Removes the binding. */
  readonly release: () => void;
  readonly released: Promise<void>;
}

/** The registrations of this process: one for each line, on the agent that places the calls, which it keeps open. */
export class LineRegistrations {
  readonly #parts: LineRegistrationsParts;
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(parts: LineRegistrationsParts) {
    this.#parts = parts;
  }

  /** Undefined until the line is first needed. */
  stateOf(name: string): RegistrationState | undefined {
    return this.#entries.get(name)?.state;
  }

  /**
   * Registers a line unless it is registered, and waits for the result, for 10 s at most. Rejects with the reason of
   * `signal`, or with HumanError `line_unregistered`, which says what to do.
   */
  async ready(name: string, line: Line, account: CallerAccount, signal: AbortSignal): Promise<void> {
    const entry = this.#entryOf(name, registerOptionsOf(line, account));
    await this.#settled(entry, signal);
    if (this.#isUsable(entry)) return;
    throw new HumanError(`The line ${name} isn't registered. ${describeUnregistered(entry.state, line)}`, {
      status: 503,
      code: 'line_unregistered',
      details: { line: name },
    });
  }

  /** Unregisters all lines. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#entries.values()].map(({ release, released }) => {
        release();
        return released;
      }),
    );
  }

  #entryOf(name: string, options: RegisterOptions): Entry {
    const known = this.#entries.get(name);
    const { clock } = this.#parts;
    const isOver =
      known?.state.state === 'closed' ||
      (known?.state.state === 'failed' &&
        known.state.retryAt === undefined &&
        known.changedAt + repeatFailedMs <= clock.now());
    if (known && !isOver) return known;
    known?.release();
    const entry = this.#register(name, options, known?.released);
    this.#entries.set(name, entry);
    return entry;
  }

  #register(name: string, options: RegisterOptions, before: Promise<void> | undefined): Entry {
    const { dialer, clock, log } = this.#parts;
    const wanted = Promise.withResolvers<void>();
    const changeTo = (state: RegistrationState): void => {
      entry.state = state;
      entry.changedAt = clock.now();
      if (state.state === 'failed') log.warn({ line: name, status: state.status }, 'a line could not be registered');
      entry.changed.tellAll();
    };
    const keep = async (): Promise<void> => {
      await before;
      await dialer.use(async ({ register }) => {
        if (this.#isClosed) return;
        const registration = await register(name, options, changeTo);
        changeTo(registration.state);
        await wanted.promise;
        await registration.close();
      });
    };
    const entry: Entry = {
      state: { state: 'registering' },
      changedAt: clock.now(),
      changed: new Listeners(),
      release: wanted.resolve,
      released: keep().then(
        () => changeTo({ state: 'closed' }),
        (error: unknown) => {
          log.error({ line: name, err: error }, 'no registration could be opened');
          changeTo({ state: 'failed', reason: String(failureReason(error)) });
        },
      ),
    };
    return entry;
  }

  /** A failed refresh leaves the binding in place until it expires. */
  #isUsable({ state: { state, until = 0 } }: Entry): boolean {
    return state === 'registered' || (state === 'failed' && until > this.#parts.clock.now());
  }

  async #settled(entry: Entry, signal: AbortSignal): Promise<void> {
    if (entry.state.state !== 'registering') return;
    const { clock } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = entry.changed.add(() => {
      if (entry.state.state !== 'registering') resolve();
    });
    const timer = clock.setTimeout(resolve, registerMs);
    try {
      await unlessAborted(promise, signal);
    } finally {
      clock.clearTimeout(timer);
      stop();
    }
  }
}
