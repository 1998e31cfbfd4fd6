import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { Listeners } from '../../base/listeners.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Line } from '../../contract/lines.ts';
import type {
  CallerAccount,
  RegisterOptions,
  Registration,
  RegistrationState,
  SipAgent,
} from '../../telephony/call.ts';
import { registerOptionsOf } from './lineAccount.ts';
import { describeUnregistered } from './lineWords.ts';

/** A registrar that responds does so much sooner, even with a challenge and a shorter interval (423) in between. */
const registerMs = 10_000;
/** A registrar blocks a user whose login fails too often, so a wrong login isn't repeated for each call. */
const repeatFailedMs = 60_000;

interface RegisteringAgent {
  register(...line: Parameters<SipAgent['register']>): Promise<Registration>;
}

interface LineRegistrationsParts {
  /** Keeps the agent that places the calls open until `work` ends. */
  readonly onAgent: (work: (agent: RegisteringAgent) => Promise<void>) => Promise<void>;
  readonly clock: Clock;
  /** Called if the agent couldn't be opened. */
  readonly onFault: (line: string, error: unknown) => void;
}

interface Entry {
  state: RegistrationState;
  changedAt: number;
  readonly changed: Listeners<[]>;
  readonly release: () => void;
  /** Resolves when the binding is removed. */
  readonly over: Promise<void>;
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
    const { clock } = this.#parts;
    const entry = this.#entryOf(name, registerOptionsOf(line, account));
    if (entry.state.state === 'registering') {
      const settled = new AbortController();
      const stop = entry.changed.add(() => {
        if (entry.state.state !== 'registering') settled.abort();
      });
      await sleep(clock, registerMs, AbortSignal.any([signal, settled.signal])).catch(() => undefined);
      stop();
      signal.throwIfAborted();
    }
    const { state, until = 0 } = entry.state;
    // A failed refresh leaves the binding in place until it expires.
    if (state === 'registered' || (state === 'failed' && until > clock.now())) return;
    throw new HumanError(`The line ${name} isn't registered. ${describeUnregistered(entry.state, line)}`, {
      status: 503,
      code: 'line_unregistered',
      details: { line: name },
    });
  }

  /** Unregisters all lines. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { release } of this.#entries.values()) release();
    await Promise.all([...this.#entries.values()].map(({ over }) => over));
  }

  #entryOf(name: string, options: RegisterOptions): Entry {
    const known = this.#entries.get(name);
    if (known) {
      const { state, retryAt } = known.state;
      const isFinal = state === 'failed' && retryAt === undefined;
      const mayRepeat = known.changedAt + repeatFailedMs <= this.#parts.clock.now();
      if (state !== 'closed' && !(isFinal && mayRepeat)) return known;
      known.release();
    }
    const entry = this.#open(name, options, known?.over);
    this.#entries.set(name, entry);
    return entry;
  }

  #open(name: string, options: RegisterOptions, before: Promise<void> | undefined): Entry {
    const { onAgent, clock, onFault } = this.#parts;
    const { promise: released, resolve } = Promise.withResolvers<unknown>();
    const changeTo = (state: RegistrationState): void => {
      Object.assign(entry, { state, changedAt: clock.now() });
      entry.changed.tellAll();
    };
    const keep = async (): Promise<void> => {
      await before;
      await onAgent(async (agent) => {
        if (this.#isClosed) return;
        const registration = await agent.register(name, options, changeTo);
        changeTo(registration.state);
        await released;
        await registration.close();
      });
    };
    const entry: Entry = {
      state: { state: 'registering' },
      changedAt: clock.now(),
      changed: new Listeners(),
      release: () => resolve(undefined),
      over: keep().then(
        () => changeTo({ state: 'closed' }),
        (error: unknown) => {
          onFault(name, error);
          changeTo({ state: 'failed', reason: 'Internal error. See the log of the service.' });
        },
      ),
    };
    return entry;
  }
}
