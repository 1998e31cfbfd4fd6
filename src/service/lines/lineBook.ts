import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { Routes } from '../../contract/dialPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Line as LineSettings, LineCheck, Lines, LineState } from '../../contract/lines.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import { callingAs } from '../../engine/call/activeCall.ts';
import type { CountedCall, Dialer, CallerOptions } from '../../engine/call/activeCall.ts';
import type { PracticePlaces } from '../../practice/registry.ts';
import { dialPlanOf, passwordVariable, shownSettings, templateOf } from '../../model/calls/linePlan.ts';
import { peakCalls, type LoadCourse } from '../../model/calls/loadCourse.ts';
import type { CallerAccount } from '../../telephony/call.ts';
import type { Clock } from '../../base/clock.ts';
import { hostReference, parseUri } from '../../telephony/sip/uri.ts';
import { resolveRoute } from '../../telephony/dialPlan.ts';
import { dialTarget, leavesMachine } from '../numbers/dialGate.ts';
import type { Dialling } from '../numbers/dialGate.ts';
import { parseTarget } from '../numbers/target.ts';
import type { CallTarget } from '../numbers/target.ts';
import { LineTraffic } from './lineTraffic.ts';
import type { LoadShare } from './lineTraffic.ts';

interface LineBookOptions {
  readonly routes: Routes;
  readonly lines: Lines;
  /** By the name of the line. */
  readonly passwords: Readonly<Record<string, string>>;
  readonly practices: PracticePlaces;
  readonly clock: Clock;
}

type LoadCalls = Pick<LoadCourse, 'concurrency' | 'callsPerSecond' | 'stages'>;

/** A route, over this line if it names one. */
interface OverLine {
  readonly line?: string | undefined;
}

/** The route settings of a profile. */
type Way = Pick<CallerProfile, 'name' | 'line' | 'callerId'>;

interface Entry {
  readonly settings: LineSettings;
  readonly traffic: LineTraffic;
  lastCheck?: LineCheck;
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
    const dialling =
      way?.line === undefined ? dialTarget(target, this.#options) : this.#resolveOver(way.line, target, way.name);
    if (way?.callerId !== undefined) this.#assertPresented(way.name, way.callerId, dialling);
    return this.#ready(dialling);
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
    const dialling = dialTarget(target, {
      routes: target.number === undefined ? {} : { [target.number]: templateOf(settings) },
      lines: this.#with(name),
      practices: this.#options.practices,
    });
    return this.#ready({ ...dialling, line: name });
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

  accountOf(name: string, way?: Way): CallerAccount {
    const { settings } = this.#entry(name);
    return accountOf(
      way?.callerId === undefined ? settings : { ...settings, callerId: way.callerId },
      this.#passwordOf(name),
    );
  }
  lacksPassword(name: string): boolean {
    return this.#entry(name).settings.user !== undefined && !this.#passwordOf(name);
  }

  /**
   * Wraps a dialer: calls use the profile's voice and keys, and the login, limits and ringing time of their line. `isTaken`: the
   * caller of `take` has its capacity already.
   */
  over<Call extends CountedCall>(
    opened: Dialer<Call>,
    { line: name }: OverLine,
    caller: CallerProfile,
    isTaken = false,
  ): Dialer<Call> {
    const dialer = callingAs(opened, mannerOf(caller));
    if (name === undefined) return dialer;
    const usual = withoutUndefined({ ringSeconds: this.settingsOf(name).ringSeconds });
    return {
      dial: async (target, signal, options) => {
        const release = isTaken ? () => undefined : await this.take(name, signal);
        try {
          const call = await dialer.dial(target, signal, { ...usual, ...options, ...this.accountOf(name, caller) });
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
      },
    };
  }

  /** Waits until the line has capacity for a call. Returns a function to call at its end. */
  take(name: string, signal: AbortSignal): Promise<() => void> {
    return this.#entry(name).traffic.take(signal);
  }

  limitsOf({ line }: OverLine): { readonly callsPerSecond?: number; readonly concurrentCalls?: number } {
    const { callsPerSecond, concurrentCalls } = line === undefined ? {} : this.#entry(line).settings;
    return {
      ...(callsPerSecond !== undefined && { callsPerSecond }),
      ...(concurrentCalls !== undefined && { concurrentCalls }),
    };
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
      return {
        name,
        ...shownSettings(settings),
        login: settings.user === undefined ? 'none' : this.lacksPassword(name) ? 'missing' : 'set',
        callsNow: traffic.calls,
        ...(lastCheck && { lastCheck }),
      };
    });
  }

  /** All lines, this one first: if several lead to one address, calls use it. */
  #with(name: string): Lines {
    return { [name]: this.#entry(name).settings, ...this.#options.lines };
  }

  #resolveOver(name: string, target: CallTarget, profile: string): Dialling {
    const { settings } = this.#entry(name);
    const { number } = target;
    const serves = number === undefined || resolveRoute(number, dialPlanOf({}, { [name]: settings })) !== undefined;
    const routes = number === undefined ? this.#options.routes : { [number]: templateOf(settings) };
    const dialling = serves ? dialTarget(target, { ...this.#options, routes, lines: this.#with(name) }) : undefined;
    if (!dialling || (number === undefined && dialling.line !== name)) {
      throw new HumanError(
        `The profile “${profile}” calls over the line ${name}, which doesn't serve ${target.text}. Choose another profile, choose another line for this profile, or add the number to the line.`,
        { status: 400, code: 'line_not_serving', details: { line: name }, quotes: [profile] },
      );
    }
    return { ...dialling, line: name };
  }

  /** Calls to practice IVRs without a line are anonymous. */
  #assertPresented(profile: string, callerId: string, { line, lab }: Dialling): void {
    if (line === undefined ? lab : this.#presents(line, callerId)) return;
    throw callerIdRefused(
      profile,
      callerId,
      line === undefined ? 'needs a line, but no line serves this number' : `the line ${line} doesn't allow`,
    );
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

  #ready(dialling: Dialling): Dialling {
    const { line } = dialling;
    if (line !== undefined && this.lacksPassword(line)) throw passwordMissing(line);
    return dialling;
  }
}

const callerIdRefused = (profile: string, callerId: string, why: string): HumanError =>
  new HumanError(
    `The profile “${profile}” calls from ${callerId}, which ${why}. Choose another caller ID, or add this one to the line's callerIds if the owner of the line agrees.`,
    { status: 403, code: 'caller_id_not_allowed', details: { callerId }, quotes: [profile] },
  );

/** The caller's voice and key timing from a profile. */
export const mannerOf = ({
  voice,
  keyToneMs,
  keyGapMs,
}: Pick<CallerProfile, 'voice' | 'keyToneMs' | 'keyGapMs'>): Required<CallerOptions> => ({
  voice,
  keys: { toneMs: keyToneMs, gapMs: keyGapMs },
});

const passwordMissing = (name: string): HumanError =>
  new HumanError(`The line ${name} needs a password to log in. ${setPasswordOf(name)}`, {
    status: 409,
    code: 'line_password',
    details: { line: name },
  });

export const setPasswordOf = (name: string): string =>
  `Set it with the command Dialtree: Set Line Password…, or start the service with ${passwordVariable(name)} in its environment.`;

export function accountOf(line: LineSettings, password: string | undefined): CallerAccount {
  const { user, callerId, dtmf } = line;
  const uri = parseUri(line.kind === 'uri' ? line.uri : `sip:${line.host}`);
  const name = callerId ?? user;
  const identity = name === undefined || !uri ? undefined : `sip:${name}@${hostReference(uri.host)}`;
  return {
    ...(identity !== undefined && { from: identity }),
    ...(identity !== undefined && callerId !== undefined && { preferredIdentity: identity }),
    ...(dtmf !== undefined && { keysBy: dtmf }),
    ...(user !== undefined && password && { credentials: { user, password } }),
  };
}
