import { Listeners } from '../base/listeners.ts';
import { randomUUID } from 'node:crypto';
import type {
  CallEnd,
  CallEvent,
  CallLeg,
  KeyTransport,
  RtpStats,
  SendDigitsOptions,
  SipTraceEntry,
  SrtpPolicy,
} from './call.ts';
import type { Clock } from '../base/clock.ts';
import { InfoDigits } from './dtmf/infoDigits.ts';
import type { OnFault } from './fault.ts';
import type { OpenMediaSocket } from './rtp/mediaSocket.ts';
import type { Pacer } from './rtp/pacer.ts';
import type { PlayOutcome } from './rtp/playQueue.ts';
import { RtpSession } from './rtp/session.ts';
import type { DialogSession, DialogSessionUser } from './sip/dialogSession.ts';
import type { RegisteredLine } from './sip/preloadedRoute.ts';
import { parseReason } from './sip/reason.ts';
import { SessionTimer } from './sip/sessionTimer.ts';
import { LocalMediaDescription } from './localMedia.ts';
import { Timers } from './sip/timers.ts';
import { Trace } from './sip/trace.ts';
import type { UserAgent } from './sip/userAgent.ts';

/** The shared parts of an agent's legs. */
export interface LegContext {
  readonly clock: Clock;
  readonly userAgent: UserAgent;
  readonly openMedia: OpenMediaSocket;
  readonly pacer: Pacer;
  readonly noResponseTimeoutMs: number;
  /** For incoming calls. */
  readonly srtp: SrtpPolicy;
  readonly registrationOf: (line: string | undefined) => RegisteredLine | undefined;
  readonly onFault: OnFault;
  readonly onEnded: (leg: CallLeg) => void;
}

const HANGUP_LIMIT_MS = 2000;
/** The other side writes it. */
const MOST_REASON_CHARACTERS = 1000;
/** How long a BYE has to be sent when that time is over. */
const LAST_BYE_MS = 50;
const SILENT_MEDIA_MS = 20_000;
const PROBE_LIMIT_MS = 4000;
const INTERNAL: CallEnd = { by: 'local', kind: 'internal', reason: 'an internal error' };

/** The common part of caller and callee legs: events, media, the established dialog, the end. */
export abstract class Leg implements CallLeg {
  readonly id = randomUUID();
  abstract readonly direction: 'outgoing' | 'incoming';
  readonly remoteUri: string;
  readonly requestUri: string;
  protected readonly context: LegContext;
  readonly callId: string;
  protected readonly media: RtpSession;
  protected readonly local: LocalMediaDescription;
  protected readonly timers: Timers;
  protected readonly sessionTimer: SessionTimer;
  /** Set once answered. */
  protected session: DialogSession | undefined;
  readonly #trace: Trace;
  readonly #listeners = new Listeners<[CallEvent]>();
  readonly #onEnd = new Set<() => void>();
  #state: 'setup' | 'answered' | 'ended' = 'setup';
  #ended: CallEnd | undefined;
  #hangingUp = false;
  #fault: CallEnd | undefined;
  #transferTo: string | undefined;
  #aliveAt = 0;
  protected keysBy: KeyTransport = 'auto';
  /** The other side says that it accepts digits in INFO requests, or at least allows INFO. */
  protected infoDigits: 'accepted' | 'allowed' | undefined;
  #hasSentDigits = false;
  readonly #byInfo: InfoDigits;

  constructor(context: LegContext, parts: { remoteUri: string; requestUri: string; callId: string }) {
    this.context = context;
    this.remoteUri = parts.remoteUri;
    this.requestUri = parts.requestUri;
    this.callId = parts.callId;
    this.timers = new Timers(context.clock, (error) => this.fail(error));
    this.#trace = new Trace(context.clock);
    context.userAgent.addTrace(parts.callId, this.#trace);
    this.media = new RtpSession({
      open: context.openMedia,
      pacer: context.pacer,
      clock: context.clock,
      listener: (event) => this.emit(event),
      onHeard: () => {
        if (this.#state === 'setup') this.emit({ type: 'earlyMedia' });
      },
      onFault: (error) => this.fail(error),
    });
    this.local = new LocalMediaDescription(this.media);
    this.sessionTimer = new SessionTimer({
      clock: context.clock,
      timers: this.timers,
      refresh: async () => this.session?.refresh(),
      onExpired: (field) => this.giveUp("the session wasn't refreshed", 'protocol', field),
      onFault: (error) => this.fail(error),
    });
    this.#byInfo = new InfoDigits({
      send: (content) => this.#untilEnd(this.#ended ? undefined : this.session?.send('INFO', content)),
      pause: (ms) => this.#untilEnd(new Promise((resolve) => this.timers.start('key', ms, () => resolve(undefined)))),
      sendAsTones: (digits, options) => this.media.sendDigits(digits, options),
    });
  }

  get state(): 'setup' | 'answered' | 'ended' {
    return this.#state;
  }
  get ended(): CallEnd | undefined {
    return this.#ended;
  }

  listen(listener: (event: CallEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  play(pcm: Int16Array): Promise<PlayOutcome> {
    return this.media.play(pcm);
  }
  clearAudio(): void {
    this.media.clearAudio();
  }
  async sendDigits(digits: string, options?: SendDigitsOptions): Promise<void> {
    if (options?.via === undefined) this.#hasSentDigits = true;
    if (options?.via === undefined && this.session && this.#sendsByInfo) {
      await this.#byInfo.push(digits, options);
      return;
    }
    this.media.digitsAs = this.keysBy === 'auto' || this.keysBy === 'info' ? undefined : this.keysBy;
    await this.media.sendDigits(digits, options);
  }

  get #sendsByInfo(): boolean {
    return (
      this.keysBy === 'info' || (this.keysBy === 'auto' && !this.media.hasEvents && this.infoDigits === 'accepted')
    );
  }

  get keyTrouble(): string | undefined {
    if (!this.#hasSentDigits) return undefined;
    const { failure } = this.#byInfo;
    if (failure === 'silent') return "The called side didn't respond to an INFO with a key.";
    if (failure !== undefined)
      return `The called side refused keys by INFO (SIP ${String(failure)}), so they were sent as tones.`;
    if (this.#sendsByInfo || (this.media.hasEvents && this.keysBy !== 'inband')) return undefined;
    const agreed = this.media.hasEvents ? '' : 'No telephone-event was agreed with the called side. ';
    if (this.keysBy !== 'auto')
      return `${agreed}Keys were sent as ${this.keysBy === 'inband' ? 'tones (in-band)' : 'telephone events'}, because the line says so.`;
    const advice =
      this.infoDigits === undefined ? '' : " It allows INFO: if it expects keys there, set the line's dtmf to info.";
    return `No telephone-event was agreed with the called side, so keys were sent as tones (in-band).${advice}`;
  }

  #untilEnd<Result>(work: Promise<Result | undefined> | undefined): Promise<Result | undefined> {
    if (!work || this.#state === 'ended') return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const over = (): void => {
        resolve(undefined);
      };
      this.#onEnd.add(over);
      work.then(resolve, reject).finally(() => {
        this.#onEnd.delete(over);
      });
    });
  }

  async hold(isHeld: boolean): Promise<boolean> {
    if (this.#state !== 'answered' || this.#hangingUp) return false;
    const response = await this.#untilEnd(this.session?.reinvite(() => this.local.offer(isHeld)));
    return response !== undefined && response.status < 300 && this.local.isHeld === isHeld;
  }

  stats(): RtpStats {
    return this.media.stats();
  }
  get otherPayloadTypes(): readonly number[] {
    return this.media.otherPayloadTypes;
  }
  trace(): readonly SipTraceEntry[] {
    return this.#trace.entries();
  }

  hangup(): Promise<void> {
    if (this.#state === 'ended') return Promise.resolve();
    const ended = new Promise<void>((resolve) => {
      this.#onEnd.add(resolve);
    });
    if (!this.#hangingUp) {
      this.#hangingUp = true;
      try {
        if (this.#state === 'answered') this.inBackground(this.#sayGoodbye());
        else
          this.abandonSetup(
            this.#fault ?? { by: 'local', kind: 'cancelled', reason: 'hung up before the answer' },
            HANGUP_LIMIT_MS,
          );
      } catch (error) {
        this.fail(error);
        this.end(INTERNAL);
      }
    }
    return ended;
  }

  fail(error: unknown): void {
    this.context.onFault(error);
    if (this.#state === 'ended' || this.#fault) return;
    this.#fault = INTERNAL;
    void this.hangup();
  }

  protected inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.fail(error));
  }

  /** Cancels the call attempt. `end` is reported within `limitMs`. */
  protected abstract abandonSetup(end: CallEnd, limitMs: number): void;

  protected emit(event: CallEvent): void {
    if (this.#state === 'ended' && event.type !== 'ended') return;
    // After all listeners were called, so that none is notified of the end earlier.
    for (const { error } of this.#listeners.tellAll(event)) this.fail(error);
  }

  protected answered(session: DialogSession): void {
    this.session = session;
    session.hold();
    this.#state = 'answered';
    this.#aliveAt = this.context.clock.now();
    this.emit({ type: 'answered' });
    if (this.#state === 'answered') this.#superviseMedia();
  }

  protected end(end: CallEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    const reason = end.reason.slice(0, MOST_REASON_CHARACTERS);
    const ended = { ...end, reason, ...(this.#transferTo !== undefined && { transferTo: this.#transferTo }) };
    this.#ended = ended;
    this.timers.stopAll();
    this.sessionTimer.stop();
    this.media.close();
    this.session?.close();
    this.context.userAgent.removeTrace(this.callId, this.#trace);
    this.emit({ type: 'ended', end: ended });
    this.#listeners.clear();
    for (const resolve of this.#onEnd) resolve();
    this.#onEnd.clear();
    this.context.onEnded(this);
  }

  /** Returns how a dialog of this leg responds to its peer. */
  protected dialogUser(): DialogSessionUser {
    return {
      onBye: (request) => {
        const { q850, text } = parseReason(request);
        const sessionTimer = this.sessionTimer.ranOut(text);
        this.#finish({
          by: 'remote',
          kind: 'hangup',
          reason: text ?? 'the other side hung up',
          ...(q850 === undefined ? {} : { q850 }),
          ...(sessionTimer === undefined ? {} : { sessionTimer }),
        });
      },
      offerRefusal: () => undefined,
      onPrack: () => undefined,
      onOffer: (sdp) => this.local.answer(sdp),
      makeOffer: () => this.local.offer(),
      onAnswer: (sdp) => {
        if (!this.local.accept(sdp)) this.giveUp('the other side’s answer has no usable audio');
      },
      onTransfer: (target) => {
        this.#transferTo = target;
        this.emit({ type: 'transfer', target });
      },
      onUnacknowledged: () => this.giveUp('the other side never acknowledged the answer'),
      onFault: (error) => this.fail(error),
    };
  }

  /** Ends a call that can't continue. An established call gets a BYE, without waiting for its response. */
  protected giveUp(reason: string, kind: CallEnd['kind'] = 'protocol', sessionTimer?: string): void {
    const session = this.session;
    const by = kind === 'protocol' ? 'local' : 'network';
    this.#finish({ by, kind, reason, ...(sessionTimer !== undefined && { sessionTimer }) });
    if (session) this.inBackground(session.send('BYE'));
  }

  /** What ends an early dialog leaves the INVITE open (RFC 3261 section 15), so it is cancelled too. */
  #finish(end: CallEnd): void {
    if (this.#state === 'setup') this.abandonSetup(end, HANGUP_LIMIT_MS);
    else this.end(end);
  }

  async #sayGoodbye(): Promise<void> {
    const finish = (): void => {
      this.end(this.#fault ?? { by: 'local', kind: 'hangup', reason: 'hung up' });
    };
    const { session } = this;
    let sent = false;
    this.timers.start('hangup', HANGUP_LIMIT_MS, () => {
      if (sent || !session) {
        finish();
        return;
      }
      sent = true;
      this.inBackground(session.send('BYE'));
      // The BYE is sent first, because code that waits for this end may close the agent.
      this.timers.start('hangup', LAST_BYE_MS, finish);
    });
    this.media.close();
    this.sessionTimer.stop();
    await session?.whenAcknowledged();
    if (sent || this.#state === 'ended') return;
    sent = true;
    await session?.send('BYE');
    finish();
  }

  /**
   * Checks an answered call whose RTP has stopped with OPTIONS, and ends it without a response. A peer that never sends
   * RTP can be a load target that aborts calls with other requests than it expects.
   */
  #superviseMedia(): void {
    const quietSince = Math.max(this.#aliveAt, this.media.heardAt ?? 0);
    const wait = quietSince + SILENT_MEDIA_MS - this.context.clock.now();
    if (wait > 0) {
      this.timers.start('media', wait, () => this.#superviseMedia());
    } else if (!this.media.mayReceive || this.media.heardAt === undefined) {
      this.#aliveAt = this.context.clock.now();
      this.#superviseMedia();
    } else {
      this.inBackground(this.#probe());
    }
  }

  async #probe(): Promise<void> {
    const dead = (): void => {
      this.giveUp(`no audio and no answer from the other side for ${String(SILENT_MEDIA_MS / 1000)} s`, 'mediaTimeout');
    };
    this.timers.start('media', PROBE_LIMIT_MS, dead);
    const response = await this.session?.send('OPTIONS');
    if (this.#state !== 'answered') return;
    if (!response) {
      dead();
      return;
    }
    if (response.status === 481 || response.status === 408) {
      this.giveUp('the other side no longer knows the call', 'mediaTimeout');
      return;
    }
    this.#aliveAt = this.context.clock.now();
    this.#superviseMedia();
  }
}
