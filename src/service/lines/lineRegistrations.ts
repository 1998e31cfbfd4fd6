import { sleep } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { Line } from '../../contract/lines.ts';
import type {
  CallerAccount,
  RegisterOptions,
  Registration,
  RegistrationState,
  SipAgent,
} from '../../telephony/call.ts';
import { registerOptionsOf } from './lineAccount.ts';
import { lineUnregistered } from './lineWords.ts';

/** A registrar that responds does so sooner, even with a challenge and a shorter interval (423) in between. */
const registerMs = 5000;
/** A registrar blocks a user whose login fails too often, so a wrong login isn't repeated for each call. */
const repeatFailedMs = 60_000;

interface Entry {
  readonly registration: Registration;
  /** Aborts when the registrar has responded, or hasn't in time. */
  readonly settled: AbortSignal;
  changedAt: number;
}

/** The registrations of this process: one for each line, on the agent that places the calls, which ends them. */
export class LineRegistrations {
  readonly #openAgent: () => Promise<Pick<SipAgent, 'register'>>;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  /** `openAgent` returns the agent that places the calls, and keeps it open. */
  constructor(openAgent: () => Promise<Pick<SipAgent, 'register'>>, clock: Clock) {
    this.#openAgent = openAgent;
    this.#clock = clock;
  }

  /** Undefined until the line is first needed. */
  stateOf(name: string): RegistrationState | undefined {
    return this.#entries.get(name)?.registration.state;
  }

  /** Registers a line unless it is registered. Rejects with HumanError `line_unregistered`, which says what to do. */
  async ready(name: string, line: Line, account: CallerAccount, signal: AbortSignal): Promise<void> {
    const state = await this.settle(name, line, account, signal);
    // A failed refresh leaves the binding in place until it expires.
    if (state.state === 'registered' || (state.state === 'failed' && (state.until ?? 0) > this.#clock.now())) return;
    throw lineUnregistered(name, state, line);
  }

  /** As `ready`, but returns the state after 5 s at most. Rejects with the reason of `signal`. */
  async settle(name: string, line: Line, account: CallerAccount, signal: AbortSignal): Promise<RegistrationState> {
    const agent = await this.#openAgent();
    const { registration, settled } = this.#entryOn(agent, name, registerOptionsOf(line, account));
    await sleep(this.#clock, registerMs, AbortSignal.any([signal, settled])).catch(() => undefined);
    signal.throwIfAborted();
    return registration.state;
  }

  #entryOn(agent: Pick<SipAgent, 'register'>, name: string, options: RegisterOptions): Entry {
    const known = this.#entries.get(name);
    if (known && !this.#mayRepeat(known)) return known;
    const settled = new AbortController();
    const registration = agent.register(name, options, () => {
      entry.changedAt = this.#clock.now();
      settled.abort();
    });
    const entry: Entry = { registration, settled: settled.signal, changedAt: this.#clock.now() };
    this.#entries.set(name, entry);
    return entry;
  }

  /** The agent repeats a refresh until the registrar refuses for good. */
  #mayRepeat({ registration: { state }, changedAt }: Entry): boolean {
    const isFinal = state.state === 'failed' && state.retryAt === undefined;
    return isFinal && changedAt + repeatFailedMs <= this.#clock.now();
  }
}
