import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Line as LineSettings, LineCheck, Lines, LineState } from '../../contract/lines.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import { callingAs, DialError } from '../../engine/call/activeCall.ts';
import type { CountedCall, Dialer, CallerOptions } from '../../engine/call/activeCall.ts';
import type { PracticePlaces } from '../../practice/registry.ts';
import { dialPlanOf, inOrder, passwordVariable, shownSettings, targetsOf } from '../../model/calls/linePlan.ts';
import { peakCalls, type LoadCourse } from '../../model/calls/loadCourse.ts';
import type { CallerAccount, RegistrationState } from '../../telephony/call.ts';
import type { Clock } from '../../base/clock.ts';
import { resolveRoute } from '../../telephony/dialPlan.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import { dialTarget, leavesMachine } from '../numbers/dialGate.ts';
import type { Dialling } from '../numbers/dialGate.ts';
import { parseTarget, portOf } from '../numbers/target.ts';
import type { CallTarget } from '../numbers/target.ts';
import { accountOf, identityOf } from './lineAccount.ts';
import { dialFirst } from './lineFailover.ts';
import type { LineRegistrations } from './lineRegistrations.ts';
import { LineTraffic } from './lineTraffic.ts';
import type { LoadShare } from './lineTraffic.ts';
import { shownRegistration } from './lineWords.ts';

interface LineBookOptions {
  readonly routes: Routes;
  readonly lines: Lines;
  /** By the name of the line. */
  readonly passwords: Readonly<Record<string, string>>;
  readonly practices: PracticePlaces;
  readonly clock: Clock;
  readonly registrations?: Pick<LineRegistrations, 'ready' | 'stateOf'>;
}

type LoadCalls = Pick<LoadCourse, 'concurrency' | 'callsPerSecond' | 'stages'>;

/** A route, over this line if it names one. */
interface OverLine {
  readonly line?: string | undefined;
  readonly others?: readonly Pick<Dialling, 'line' | 'uri'>[];
}

/** The route settings of a profile. */
type Way = Pick<CallerProfile, 'name' | 'line' | 'callerId' | 'dtmf'>;

interface Entry {
  readonly settings: LineSettings;
  readonly traffic: LineTraffic;
  lastCheck?: LineCheck;
  /** Files of a certificate are read once. */
  account?: CallerAccount;
}

/** Decides where calls may go, over which line, with which caller ID, and how many: dial plan and traffic. */
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

  /**
   * Like `resolveTarget`, with the profile's line and caller ID.
   * @throws HumanError also `line_password`, `line_unknown`, `line_not_serving`, `caller_id_not_allowed`
   */
  resolve(text: string, way?: Way): Dialling {
    const target = parseTarget(text);
    return this.#usable(
      way?.line === undefined ? dialTarget(target, this.#options) : this.#resolveOver(way.line, target, way.name),
      way,
    );
  }

  /** Returns where an offered target or pattern leads, or undefined if it can't be called now. */
  leadsTo(target: string): Dialling | undefined {
    const prefix = /^\+\d*(?=\*$)/.exec(target)?.[0];
    const sample = target.replace(/^sip:\*@/, 'sip:extension@');
    const called =
      prefix === undefined ? parseTarget(sample) : ({ kind: 'number', text: target, number: prefix } as const);
    try {
      return this.#usable(dialTarget(called, this.#options));
    } catch (error) {
      if (error instanceof HumanError) return undefined;
      throw error;
    }
  }

  /** Returns whether the practice IVR that answers there now has ended since. A later one there is another. */
  practiceLeft({ uri: address, lab, others }: Dialling): (() => boolean) | undefined {
    const { practices } = this.#options;
    // With other lines, another one can answer.
    const uri = lab && !others ? parseUri(address) : undefined;
    if (!uri) return undefined;
    const answerer = practices.answererAt(uri.host, portOf(uri));
    return () => answerer === undefined || practices.answererAt(uri.host, portOf(uri)) !== answerer;
  }

  /** Returns the running practice IVRs, and what lines and routes serve, whether or not they can be called now. */
  offers() {
    const { routes, lines, practices } = this.#options;
    return [
      ...practices.running().map(({ name, uri }) => ({ kind: 'practice', name, target: uri }) as const),
      ...inOrder(lines).flatMap(([name, line]) =>
        targetsOf(line).map((target) => ({ kind: 'line', name, target }) as const),
      ),
      ...Object.keys(routes).map((target) => ({ kind: 'route', target }) as const),
    ];
  }

  /** Chooses the first line that can be used. */
  #usable({ others = [], ...first }: Dialling, way?: Way): Dialling {
    const ready = [first, ...others].filter((dialling) => this.#problemOf(dialling, way) === undefined);
    const [chosen, ...rest] = ready;
    if (!chosen) throw this.#problemOf(first, way) ?? new Error('a line without a problem');
    if (rest.length === 0) return chosen;
    // Any of them can carry the call, so budgets count with the dearest.
    const costs = ready.flatMap(({ costPerMinute }) => costPerMinute ?? []);
    return { ...chosen, ...(costs.length > 0 && { costPerMinute: Math.max(...costs) }), others: rest };
  }

  /**
   * Returns where a number or an extension is called over one line, whatever else serves it. Without a number, returns
   * the address of a line of kind `uri`.
   * @throws HumanError as `resolve`, `line_unknown`, `invalid_request`
   */
  resolveOn(name: string, number: string | undefined): Dialling {
    const { settings } = this.#entry(name);
    if (settings.kind === 'uri' ? number !== undefined : number === undefined) {
      throw new HumanError(
        settings.kind === 'uri'
          ? `The line ${name} is a single address, so it doesn't take a number. Leave the number out.`
          : `Give the number of an echo service that you can reach over the line ${name}.`,
        { status: 400, code: 'invalid_request' },
      );
    }
    const target = settings.kind === 'uri' ? parseTarget(settings.uri) : parseTarget(number ?? '', settings.host);
    const dialling = { ...dialTarget(target, { ...this.#options, over: name }), line: name };
    const problem = this.#problemOf(dialling, undefined);
    if (problem) throw problem;
    return dialling;
  }

  /** Rejects a profile if no line that it could use presents its caller ID: `line_unknown`, `caller_id_not_allowed`. */
  assertPresents({ name, line, callerId }: Way): void {
    if (line !== undefined) this.#entry(line);
    if (
      callerId === undefined ||
      (line === undefined ? [...this.#entries.keys()] : [line]).some((one) => this.#presents(one, callerId))
    )
      return;
    throw callerIdRefused(
      name,
      callerId,
      line === undefined ? 'no line of this service allows' : `the line ${line} doesn't allow`,
    );
  }

  /** @throws HumanError `line_unknown` */
  settingsOf(name: string): LineSettings {
    return this.#entry(name).settings;
  }

  /** @throws HumanError `line_unknown`, `line_certificate` */
  accountOf(name: string, way?: Way): CallerAccount {
    const entry = this.#entry(name);
    const { settings } = entry;
    entry.account ??= accountOf(settings, this.#passwordOf(name), name);
    const { callerId, dtmf } = way ?? {};
    return {
      ...entry.account,
      ...(callerId !== undefined && identityOf(settings, callerId)),
      ...(dtmf !== undefined && { keysBy: dtmf }),
    };
  }

  /** Registers a line that registers, unless it is registered. Rejects as `LineRegistrations.ready`. */
  async register(name: string, signal: AbortSignal): Promise<void> {
    const { settings } = this.#entry(name);
    if (settings.register === true)
      await this.#options.registrations?.ready(name, settings, this.accountOf(name), signal);
  }

  registrationOf(name: string): RegistrationState | undefined {
    return this.#options.registrations?.stateOf(name);
  }

  lacksPassword(name: string): boolean {
    return this.#entry(name).settings.user !== undefined && !this.#passwordOf(name);
  }

  /**
   * Wraps a dialer: calls use the profile's voice and keys, and the login, limits and ringing time of the first line
   * that can be used. `isTaken`: the caller of `take` or `share` has the capacity of this line already, so no other line
   * is tried.
   */
  over<Call extends CountedCall>(
    opened: Dialer<Call>,
    { line: first, others = [] }: OverLine,
    caller: CallerProfile,
    isTaken = false,
  ): Dialer<Call> {
    if (first === undefined) return callingAs(opened, mannerOf(caller));
    return {
      dial: (target, signal, options = {}) => {
        const rest = isTaken ? [] : others.map(({ line = first, uri }) => ({ line, uri }));
        return dialFirst([{ line: first, uri: target }, ...rest], options, async ({ line, uri }, isLast, watched) => {
          const { ringSeconds, ...settings } = this.settingsOf(line);
          const manner = {
            ...withoutUndefined({ ringSeconds }),
            ...options,
            ...mannerOf(caller, settings),
            ...watched,
          };
          if (!isLast && this.isFull(line))
            throw new DialError({ by: 'local', kind: 'unreachable', reason: 'no free capacity' });
          const release = isTaken ? () => undefined : await this.take(line, signal);
          try {
            await this.register(line, signal).catch((error: unknown) => {
              throw unregistered(error, signal);
            });
            const call = await opened.dial(uri, signal, { ...manner, ...this.accountOf(line, caller) });
            if (call.ended) release();
            else
              call.listen((event) => {
                if (event.type === 'ended') release();
              });
            return call;
          } catch (error) {
            release();
            throw error;
          }
        });
      },
    };
  }

  /** A call would have to wait for the end of others. */
  isFull(name: string): boolean {
    return this.#entry(name).traffic.isFull;
  }

  /** Waits until the line has capacity for a call. Returns a function to call at its end. */
  take(name: string, signal: AbortSignal): Promise<() => void> {
    return this.#entry(name).traffic.take(signal);
  }

  limitsOf({ line }: OverLine): { readonly callsPerSecond?: number; readonly concurrentCalls?: number } {
    const { callsPerSecond, concurrentCalls } = line === undefined ? {} : this.#entry(line).settings;
    return withoutUndefined({ callsPerSecond, concurrentCalls });
  }

  /**
   * Adapts a load test to the line's capacity. By default, it uses the line's call rate.
   * @throws HumanError `line_limit`, `profile_limit` if it exceeds the capacity
   */
  fitLoad<Load extends LoadCalls>(
    load: Load,
    { line }: OverLine,
    { name, concurrency = Infinity }: Pick<CallerProfile, 'name' | 'concurrency'>,
  ): Load {
    const peak = peakCalls(load);
    if (peak > concurrency) {
      throw new HumanError(
        `The profile “${name}” allows up to ${String(concurrency)} simultaneous calls, but this load test needs ${String(peak)}. Lower the test's concurrency, or raise the profile's.`,
        { status: 400, code: 'profile_limit', quotes: [name] },
      );
    }
    if (line === undefined) return load;
    const { callsPerSecond, concurrentCalls } = this.#entry(line).settings;
    if (concurrentCalls !== undefined && peak > concurrentCalls) {
      throw new HumanError(
        `The line ${line} allows up to ${String(concurrentCalls)} simultaneous calls, but this load test needs ${String(peak)}. Lower the test's concurrency, or raise the line's concurrentCalls if the owner of the line agrees.`,
        { status: 400, code: 'line_limit' },
      );
    }
    if (callsPerSecond === undefined || load.callsPerSecond <= callsPerSecond) return load;
    if (load.callsPerSecond < limits.loadTest.callsPerSecond.max) {
      throw new HumanError(
        `The line ${line} allows up to ${String(callsPerSecond)} calls per second, but this load test needs ${String(load.callsPerSecond)}. Lower the test's callsPerSecond, or raise the line's callsPerSecond if the owner of the line agrees.`,
        { status: 400, code: 'line_limit' },
      );
    }
    return { ...load, callsPerSecond };
  }

  /** Reserves capacity for the calls of a load test. Undefined if they don't use a line. */
  async share({ line }: OverLine, load: LoadCalls, signal: AbortSignal): Promise<LoadShare | undefined> {
    return line === undefined
      ? undefined
      : await this.#entry(line).traffic.share(peakCalls(load), load.callsPerSecond, signal);
  }

  noteCheck(name: string, check: LineCheck): void {
    this.#entry(name).lastCheck = check;
  }

  states(): LineState[] {
    return [...this.#entries].map(([name, { settings, traffic, lastCheck }]) => {
      const registration = this.registrationOf(name);
      return {
        name,
        ...shownSettings(settings),
        login: settings.user === undefined ? 'none' : this.lacksPassword(name) ? 'missing' : 'set',
        callsNow: traffic.calls,
        ...(registration && { registration: shownRegistration(registration, settings, this.#options.clock) }),
        ...(lastCheck && { lastCheck }),
      };
    });
  }

  #resolveOver(name: string, target: CallTarget, profile: string): Dialling {
    const { settings } = this.#entry(name);
    const { number } = target;
    const serves = number === undefined || resolveRoute(number, dialPlanOf({}, { [name]: settings })) !== undefined;
    const dialling = serves ? dialTarget(target, { ...this.#options, over: name }) : undefined;
    if (!dialling || (number === undefined && dialling.line !== name)) {
      throw new HumanError(
        `The line ${name} of the launch or the profile “${profile}” doesn't serve ${target.text}. Choose another line or profile, or add the number to the line.`,
        { status: 400, code: 'line_not_serving', details: { line: name }, quotes: [profile] },
      );
    }
    return { ...dialling, line: name };
  }

  /** Returns why a call can't be placed like this. Calls to practice IVRs without a line are anonymous. */
  #problemOf({ line, lab }: Dialling, way: Way | undefined): HumanError | undefined {
    const { name = '', callerId } = way ?? {};
    if (callerId !== undefined && !(line === undefined ? lab : this.#presents(line, callerId)))
      return callerIdRefused(
        name,
        callerId,
        line === undefined ? 'needs a line, but no line serves this number' : `the line ${line} doesn't allow`,
      );
    if (line === undefined) return undefined;
    if (this.lacksPassword(line)) return passwordMissing(line);
    try {
      this.accountOf(line);
    } catch (error) {
      if (error instanceof HumanError) return error;
      throw error;
    }
    return undefined;
  }

  #presents(name: string, wanted: string): boolean {
    const { callerId, callerIds = [] } = this.#entry(name).settings;
    return wanted === callerId || callerIds.includes(wanted);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry)
      throw new HumanError(
        `The line ${name} doesn't exist. ${this.#entries.size === 0 ? 'This service has no lines: add one first.' : `Choose one of ${[...this.#entries.keys()].join(', ')}.`}`,
        { status: 404, code: 'line_unknown' },
      );
    return entry;
  }

  #passwordOf(name: string): string | undefined {
    return Object.hasOwn(this.#options.passwords, name) ? this.#options.passwords[name] : undefined;
  }
}

const callerIdRefused = (profile: string, callerId: string, why: string): HumanError =>
  new HumanError(
    `The profile “${profile}” calls from ${callerId}, which ${why}. Choose another caller ID, or add this one to the line's callerIds if the owner of the line agrees.`,
    { status: 403, code: 'caller_id_not_allowed', details: { callerId }, quotes: [profile] },
  );

/** The caller's voice and key timing from a profile. A line can need longer tones and gaps. */
export const mannerOf = (
  { voice, keyToneMs, keyGapMs }: Pick<CallerProfile, 'voice' | 'keyToneMs' | 'keyGapMs'>,
  line: Pick<LineSettings, 'keyToneMs' | 'keyGapMs'> = {},
): Required<CallerOptions> => ({
  voice,
  keys: { toneMs: Math.max(keyToneMs, line.keyToneMs ?? 0), gapMs: Math.max(keyGapMs, line.keyGapMs ?? 0) },
});

const unregistered = (error: unknown, signal: AbortSignal): unknown => {
  if (signal.aborted)
    return new DialError({ by: 'local', kind: 'cancelled', reason: 'given up before the line was registered' });
  return error instanceof HumanError
    ? new DialError({ by: 'local', kind: 'unreachable', reason: "the line isn't registered" }, error.message)
    : error;
};

const passwordMissing = (name: string): HumanError =>
  new HumanError(`The line ${name} needs a password to log in. ${setPasswordOf(name)}`, {
    status: 409,
    code: 'line_password',
    details: { line: name },
  });

export const setPasswordOf = (name: string): string =>
  `Set it with the command Dialtree: Set Line Password…, or start the service with ${passwordVariable(name)} in its environment.`;
