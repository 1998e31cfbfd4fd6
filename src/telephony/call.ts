import type { OnFault } from './fault.ts';

/**
 * The port of this room: what a caller or a callee can do with one call leg.
 * Audio is linear PCM, 16 bit, 8 kHz, mono, in frames of 160 samples (20 ms).
 */

export interface AudioFrame {
  readonly pcm: Int16Array;
  /** True where the packet was lost or late and the frame was concealed. */
  readonly concealed: boolean;
}

export type DigitTransport = 'rfc4733' | 'inband';

/**
 * Who ended a leg and why. `status` is the SIP status of a refused INVITE; `q850` the cause of a Reason header (RFC
 * 3326); `noCommonCodec`: answered without audio that we take, and hung up by us, `reason` says what it holds;
 * `internal`: an error of our own, or of a listener, ended it.
 */
export interface CallEnd {
  readonly by: 'local' | 'remote' | 'network';
  readonly kind:
    | 'hangup'
    | 'cancelled'
    | 'busy'
    | 'rejected'
    | 'unauthorized'
    | 'notFound'
    | 'noAnswer'
    | 'unreachable'
    | 'noCommonCodec'
    | 'mediaTimeout'
    | 'protocol'
    | 'internal';
  readonly status?: number;
  readonly q850?: number;
  readonly reason: string;
}

export type CallEvent =
  | { readonly type: 'ringing'; readonly status: number }
  /** RTP is heard before the answer (RFC 3960 early media). */
  | { readonly type: 'earlyMedia' }
  | { readonly type: 'answered' }
  /** One frame for each 20 ms of the far side's clock, in order, gaps concealed; begins with the first RTP packet. */
  | { readonly type: 'audio'; readonly frame: AudioFrame }
  | { readonly type: 'digit'; readonly digit: string; readonly via: DigitTransport; readonly durationMs: number }
  | { readonly type: 'ended'; readonly end: CallEnd };

export interface RtpStats {
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly late: number;
  readonly concealed: number;
  /** Interarrival jitter, RFC 3550 section 6.4.1, in milliseconds. */
  readonly jitterMs: number;
  /** Worst lateness of this leg's sending tick against its deadline, in milliseconds. */
  readonly tickLatenessMs: number;
}

export interface SipTraceEntry {
  readonly at: number;
  readonly direction: 'sent' | 'received';
  readonly peer: string;
  /** The message as on the wire; credentials and digits are masked. */
  readonly text: string;
}

export interface SendDigitsOptions {
  /** Tone length; default 100 ms. */
  readonly toneMs?: number;
  /** Silence between two digits; default 100 ms. */
  readonly gapMs?: number;
  /** Default: RFC 4733 where negotiated, else in-band tones. */
  readonly via?: DigitTransport;
}

export interface CallLeg {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  /** The far side: the request URI of an outgoing leg, the From URI of an incoming one. */
  readonly remoteUri: string;
  /** The URI that was called (an incoming leg's Request-URI). */
  readonly requestUri: string;
  readonly state: 'setup' | 'answered' | 'ended';
  /** Set once it has ended: whoever begins to listen then is told nothing any more. */
  readonly ended: CallEnd | undefined;
  /** A listener that throws ends this leg as `internal`. */
  listen(listener: (event: CallEvent) => void): () => void;
  /**
   * Queues audio behind what still plays; settles when the last frame was sent, the queue was cleared, or the leg
   * ended. Never rejects.
   */
  play(pcm: Int16Array): Promise<'played' | 'cleared' | 'ended'>;
  /** Drops all queued audio; the next tick sends silence. */
  clearAudio(): void;
  /**
   * Sends digits 0-9 * # A-D, and `,` as a pause of 500 ms. Settles when the last one has been sent. Rejects with
   * TypeError on any other character.
   */
  sendDigits(digits: string, options?: SendDigitsOptions): Promise<void>;
  /** BYE, CANCEL or a 603, as the state demands. Settles when the leg has ended, at the latest after 2 s. */
  hangup(): Promise<void>;
  /**
   * An error of whoever uses the leg, outside its listeners: reported by `onFault` of the agent, and ends this leg as
   * `internal`.
   */
  fail(error: unknown): void;
  stats(): RtpStats;
  /** RTP payload types that came and that we cannot play, in the order they came first. */
  readonly otherPayloadTypes: readonly number[];
  trace(): readonly SipTraceEntry[];
}

export interface MediaOptions {
  /** Every RTP packet of this leg is sent through this: practice faults drop, delay or alter packets here. */
  readonly impairRtp?: (packet: Uint8Array, send: (packet: Uint8Array) => void) => void;
}

export interface IncomingCallLeg extends CallLeg {
  readonly direction: 'incoming';
  /** 180 by default; 183 opens early media. */
  ring(status?: 180 | 183): void;
  answer(media?: MediaOptions): void;
  reject(status: number, reason?: string): void;
}

/** As whom a call is placed. Plain data. */
export interface CallerAccount {
  /** SIP URI of the caller; default anonymous at the local address. */
  readonly from?: string;
  /** SIP URI that a trusted proxy shall assert for the caller (P-Preferred-Identity, RFC 3325 section 9.2). */
  readonly preferredIdentity?: string;
  /** Answers digest challenges (RFC 3261 section 22). */
  readonly credentials?: { readonly user: string; readonly password: string };
}

export interface OutgoingCallOptions extends CallerAccount {
  /** Aborting hangs up. */
  readonly signal?: AbortSignal;
  /** An unanswered call is cancelled after this; default 30 000 ms, ends as `noAnswer`. */
  readonly answerTimeoutMs?: number;
}

export interface SipAgentOptions {
  readonly host: string;
  /** 0 picks a free port. A port in use rejects `start` with the system's EADDRINUSE. */
  readonly port?: number;
  /** Also takes calls over TCP, at the same port. */
  readonly listenTcp?: boolean;
  /**
   * The address peers are told (Via, Contact, SDP) where the network translates ours; default what the route to the
   * peer says.
   */
  readonly publicHost?: string;
  /**
   * An INVITE that gets no response at all ends as `unreachable` after this; default 10 000 ms. Timer B of RFC 3261
   * alone would take 32 s.
   */
  readonly noResponseTimeoutMs?: number;
  /** Hears of errors of our own; each ended one leg at most. Default a warning of the process. */
  readonly onFault?: OnFault;
  /**
   * Challenge every incoming INVITE, and OPTIONS outside a call, with digest (RFC 8760), for a callee that demands it.
   */
  readonly challenge?: {
    readonly realm: string;
    readonly passwordOf: (user: string) => string | undefined;
    /** Default all, strongest first; old phones answer only the first and know only MD5. */
    readonly algorithms?: readonly ('SHA-512-256' | 'SHA-256' | 'MD5')[];
  };
}

export interface PingOptions extends Pick<CallerAccount, 'from' | 'credentials'> {
  /** Default 5 s. */
  readonly timeoutMs?: number;
}

export interface PingAnswer {
  readonly status: number;
  readonly reason: string;
  /**
   * Why no response came: the URI is none that this agent can call, its host has no address, nothing listens there,
   * nothing came back, or nothing could be sent.
   */
  readonly failure?: 'unusable' | 'unknownHost' | 'refused' | 'timeout' | 'network';
  /** What the far side calls itself (RFC 3261 sections 20.35 and 20.41). */
  readonly server?: string;
  /** From the last request to its final response, in milliseconds. */
  readonly roundTripMs?: number;
  /** It asked for credentials, and was given ours. */
  readonly authenticated?: boolean;
}

export interface SipAgent {
  /** Where the agent listens once started. */
  readonly address: { readonly host: string; readonly port: number };
  /** Never throws on a bad URI or an unreachable peer: the leg ends with its reason. */
  call(uri: string, options?: OutgoingCallOptions): CallLeg;
  /** One handler; without one, INVITEs are answered 480. */
  onCall(handler: (leg: IncomingCallLeg) => void): void;
  /**
   * OPTIONS ping (RFC 3261 section 11). Never rejects: no response is status 408, an unreachable or unusable URI 503,
   * both with their `failure`.
   */
  options(uri: string, options?: PingOptions): Promise<PingAnswer>;
  /** Hangs up every leg, then closes all sockets. */
  close(): Promise<void>;
}
