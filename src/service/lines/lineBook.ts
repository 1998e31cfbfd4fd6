import type { Routes } from '../../contract/dialPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Line as LineSettings, LineCheck, Lines, LineState } from '../../contract/lines.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import type { Line } from '../../engine/talk.ts';
import { addressOf, passwordVariable, templateOf } from '../../model/linePlan.ts';
import type { CallerAccount } from '../../telephony/call.ts';
import type { Clock } from '../../telephony/clock.ts';
import { hostReference, parseUri } from '../../telephony/sip/uri.ts';
import { leavesMachine, resolveTarget } from '../runs/dialGate.ts';
import type { Dialling } from '../runs/dialGate.ts';
import { LineTraffic } from './lineTraffic.ts';
import type { LoadShare } from './lineTraffic.ts';

export interface LineBookOptions {
  readonly routes: Routes;
  readonly lines: Lines;
  /** By the name of the line. */
  readonly passwords: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** A way to call, over this line where it names one. */
interface OverLine {
  readonly line?: string | undefined;
}

interface Entry {
  readonly settings: LineSettings;
  readonly traffic: LineTraffic;
  lastCheck?: LineCheck;
}

/** Where calls may go, by which line, as whom, and how many at once: the dial plan of this process with what goes on by it. */
export class LineBook {
  readonly #options: LineBookOptions;
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(options: LineBookOptions) {
    this.#options = options;
    this.#entries = new Map(
      Object.entries(options.lines).map(([name, settings]) => [
        name,
        { settings, traffic: new LineTraffic(settings, options.clock) },
      ]),
    );
  }

  get leavesMachine(): boolean {
    return leavesMachine(this.#options.routes, this.#options.lines);
  }

  /** As `resolveTarget`; rejects also where the password of the line is missing. */
  resolve(target: string): Dialling {
    return this.#ready(resolveTarget(target, this.#options.routes, this.#options.lines));
  }

  /**
   * Where a number or an extension is called over one line, whatever else serves it; without one, the address of a line of kind `uri`.
   * @throws HumanError as `resolve`, `line_unknown`, `invalid_request`
   */
  resolveOn(name: string, number: string | undefined): Dialling {
    const { settings } = this.#entry(name);
    if (settings.kind === 'uri' ? number !== undefined : number === undefined) {
      throw new HumanError(
        settings.kind === 'uri'
          ? `The line ${name} is one address and takes no number. Leave it out.`
          : `Give the number of an echo service that the line ${name} reaches.`,
        { status: 400, code: 'invalid_request' },
      );
    }
    const isNumber = number === undefined || /^\+\d/.test(number);
    const target =
      settings.kind === 'uri'
        ? settings.uri
        : isNumber
          ? (number ?? '')
          : `sip:${encodeURIComponent(number)}@${settings.host}`;
    const dialling = resolveTarget(target, isNumber && number !== undefined ? { [number]: templateOf(settings) } : {}, {
      [name]: settings,
      ...this.#options.lines,
    });
    return this.#ready({ ...dialling, line: name });
  }

  /** @throws HumanError `line_unknown` */
  settingsOf(name: string): LineSettings {
    return this.#entry(name).settings;
  }

  accountOf(name: string): CallerAccount {
    return accountOf(this.#entry(name).settings, this.#passwordOf(name));
  }
  lacksPassword(name: string): boolean {
    return this.#entry(name).settings.user !== undefined && !this.#passwordOf(name);
  }

  /** The same calls as this line places, with the login and within the limits of the one that they go over. */
  over(line: Line, { line: name }: OverLine): Line {
    if (name === undefined) return line;
    return {
      dial: async (target, signal, options) => {
        const release = await this.take(name, signal);
        try {
          const talk = await line.dial(target, signal, { ...options, ...this.accountOf(name) });
          if (talk.ended) release();
          else
            talk.listen((event) => {
              if (event.type === 'ended') release();
            });
          return talk;
        } catch (error) {
          release();
          throw error;
        }
      },
    };
  }

  /** Waits until the line has room for a call; returns what to call at its end. */
  take(name: string, signal: AbortSignal): Promise<() => void> {
    return this.#entry(name).traffic.take(signal);
  }

  /** The bounds of runs that call over this line. */
  limitsOf({ line }: OverLine): { readonly callsPerSecond?: number; readonly concurrentCalls?: number } {
    const { callsPerSecond, concurrentCalls } = line === undefined ? {} : this.#entry(line).settings;
    return {
      ...(callsPerSecond !== undefined && { callsPerSecond }),
      ...(concurrentCalls !== undefined && { concurrentCalls }),
    };
  }

  /**
   * A load test as the line can carry it: at the line's pace where it asks for none.
   * @throws HumanError `line_limit` where it asks for more than there is
   */
  fitLoad<Load extends Pick<RunLoadTest, 'concurrency' | 'callsPerSecond'>>(load: Load, { line }: OverLine): Load {
    if (line === undefined) return load;
    const { callsPerSecond, concurrentCalls } = this.#entry(line).settings;
    if (concurrentCalls !== undefined && load.concurrency > concurrentCalls) {
      throw new HumanError(
        `The line ${line} takes ${String(concurrentCalls)} calls at once, and this load test wants ${String(load.concurrency)}. Lower its concurrency, or raise concurrentCalls of the line where its owner agrees.`,
        { status: 400, code: 'line_limit' },
      );
    }
    if (callsPerSecond === undefined || load.callsPerSecond <= callsPerSecond) return load;
    if (load.callsPerSecond < limits.loadTest.callsPerSecond.max) {
      throw new HumanError(
        `The line ${line} takes ${String(callsPerSecond)} calls a second, and this load test wants ${String(load.callsPerSecond)}. Lower its callsPerSecond, or raise that of the line where its owner agrees.`,
        { status: 400, code: 'line_limit' },
      );
    }
    return { ...load, callsPerSecond };
  }

  /** Keeps room for the calls of a load test; undefined where they go over no line. */
  async share(
    { line }: OverLine,
    load: Pick<RunLoadTest, 'concurrency' | 'callsPerSecond'>,
    signal: AbortSignal,
  ): Promise<LoadShare | undefined> {
    return line === undefined
      ? undefined
      : await this.#entry(line).traffic.share(load.concurrency, load.callsPerSecond, signal);
  }

  noteCheck(name: string, check: LineCheck): void {
    this.#entry(name).lastCheck = check;
  }

  states(): LineState[] {
    return [...this.#entries].map(([name, { settings, traffic, lastCheck }]) => {
      const { kind, numbers, callerId, callsPerSecond, concurrentCalls, costPerMinute, user } = settings;
      return {
        name,
        kind,
        address: addressOf(settings),
        ...(settings.transport && { transport: settings.transport }),
        numbers,
        login: user === undefined ? 'none' : this.lacksPassword(name) ? 'missing' : 'set',
        callsNow: traffic.calls,
        ...(callerId !== undefined && { callerId }),
        ...(callsPerSecond !== undefined && { callsPerSecond }),
        ...(concurrentCalls !== undefined && { concurrentCalls }),
        ...(costPerMinute !== undefined && { costPerMinute }),
        ...(lastCheck && { lastCheck }),
      };
    });
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry)
      throw new HumanError(
        `This service has no line ${name}. ${this.#entries.size === 0 ? 'It has none at all: add one first.' : `There are ${[...this.#entries.keys()].join(', ')}.`}`,
        { status: 404, code: 'line_unknown' },
      );
    return entry;
  }

  #passwordOf(name: string): string | undefined {
    return Object.hasOwn(this.#options.passwords, name) ? this.#options.passwords[name] : undefined;
  }

  #ready(dialling: Dialling): Dialling {
    const { line } = dialling;
    if (line !== undefined && this.lacksPassword(line)) throw passwordMissing(line);
    return dialling;
  }
}

const passwordMissing = (name: string): HumanError =>
  new HumanError(`The line ${name} logs in, and its password is missing. ${setPasswordOf(name)}`, {
    status: 409,
    code: 'line_password',
    details: { line: name },
  });

export const setPasswordOf = (name: string): string =>
  `Set it with the command Dialtree: Set Line Password…, or start the service with ${passwordVariable(name)} in its environment.`;

/** As whom a line calls. */
export function accountOf(line: LineSettings, password: string | undefined): CallerAccount {
  const { user, callerId } = line;
  const uri = parseUri(line.kind === 'uri' ? line.uri : `sip:${line.host}`);
  const name = callerId ?? user;
  const identity = name === undefined || !uri ? undefined : `sip:${name}@${hostReference(uri.host)}`;
  return {
    ...(identity !== undefined && { from: identity }),
    ...(identity !== undefined && callerId !== undefined && { preferredIdentity: identity }),
    ...(user !== undefined && password && { credentials: { user, password } }),
  };
}
