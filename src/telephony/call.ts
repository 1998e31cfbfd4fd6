import type { OnFault } from './fault.ts';

/**
 * The interface of this module: what a caller or a callee can do with one call leg. Audio is linear PCM, 16 bit, 8 kHz,
 * mono, in frames of 160 samples (20 ms).
 */

export interface AudioFrame {
  readonly pcm: Int16Array;
  /** True if the packet was lost or late and the frame was concealed. */
  readonly concealed: boolean;
}

export type DigitTransport = 'rfc4733' | 'inband';

/**
 * How a call sends keys. `auto`: as RFC 4733 events if they were agreed, otherwise by INFO if the called side says that it
 * accepts `application/dtmf-relay`, otherwise in-band. `rfc4733`: as events, even if none were agreed.
 */
export type KeyTransport = 'auto' | DigitTransport | 'info';

/**
 * Who ended a leg and why. `status` is the SIP status of a refused INVITE; `q850` is the cause of a Reason header (RFC
 * 3326). `noCommonCodec`: answered without supported audio, and hung up by this side; `reason` names the codecs.
 * `noSrtp`: the called side refused encrypted audio, which the line requires. `internal`: an error of Dialtree, or of a listener, ended it.
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
    | 'noSrtp'
    | 'mediaTimeout'
    | 'protocol'
    | 'internal';
  readonly status?: number;
  readonly q850?: number;
  readonly reason: string;
  /** The network blocked the call as unwanted: 603+ (ATIS-1000099). */
  readonly isBlocked?: boolean;
  /** What the header fields of a refusal say, as parts of a sentence. */
  readonly advice?: string;
  /** The called side kept repeating its answer, because the ACK that was sent to this host and port didn't arrive. */
  readonly lostAckTo?: string;
  /** The session timer ran out, at the other side or here (RFC 4028 section 10): the header field that shows it. */
  readonly sessionTimer?: string;
  /** The URI to which the other side transferred the call (REFER), as in `CallEvent`. */
  readonly transferTo?: string;
}

export type CallEvent =
  | { readonly type: 'ringing'; readonly status: number }
  /** RTP is received before the answer (RFC 3960 early media). */
  | { readonly type: 'earlyMedia' }
  | { readonly type: 'answered' }
  /** One frame for each 20 ms of the remote clock, in order, with gaps concealed; begins with the first RTP packet. */
  | { readonly type: 'audio'; readonly frame: AudioFrame }
  | { readonly type: 'digit'; readonly digit: string; readonly via: DigitTransport; readonly durationMs: number }
  /** A declined transfer to this URI (REFER, RFC 3515). Passwords are masked; the URI is never called. */
  | { readonly type: 'transfer'; readonly target: string }
  | { readonly type: 'ended'; readonly end: CallEnd };

export interface RtpStats {
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly late: number;
  readonly concealed: number;
  /** Interarrival jitter, RFC 3550 section 6.4.1, in milliseconds. */
  readonly jitterMs: number;
  /** Worst lateness of this leg's sending tick, in milliseconds. */
  readonly tickLatenessMs: number;
  /** The suite that encrypted the audio (RFC 4568 section 6.2); absent for plain RTP. */
  readonly srtp?: string;
  /** Packets dropped because they weren't authentic, or came again (RFC 3711 section 3.3); absent if there were none. */
  readonly refusedPackets?: number;
  /** By the last RTCP report of the other side, about this side's audio (RFC 3550 section 6.4); absent without one. */
  readonly roundTripMs?: number;
  readonly remoteLost?: number;
  /** RTP from neither the agreed nor the signalling address, and the last such place. A steady stream is heard. */
  readonly elsewhere?: { readonly host: string; readonly port: number };
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
  /** Default: as the call's `keysBy` says. */
  readonly via?: DigitTransport;
}

export interface CallLeg {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  /** The remote party: the request URI of an outgoing leg, the From URI of an incoming one. */
  readonly remoteUri: string;
  /** The called URI (an incoming leg's Request-URI). */
  readonly requestUri: string;
  readonly state: 'setup' | 'answered' | 'ended';
  /** Set once it has ended. Listeners that are added afterwards receive no events. */
  readonly ended: CallEnd | undefined;
  /** A listener that throws ends this leg as `internal`. */
  listen(listener: (event: CallEvent) => void): () => void;
  /** Queues audio. Resolves when the last frame was sent, the queue was cleared, or the leg ended. Never rejects. */
  play(pcm: Int16Array): Promise<'played' | 'cleared' | 'ended'>;
  /** Drops all queued audio; the next tick sends silence. */
  clearAudio(): void;
  /**
   * Sends digits 0-9 * # A-D, and `,` as a pause of 500 ms. Resolves when the last one has been sent. Rejects with
   * TypeError for any other character.
   */
  sendDigits(digits: string, options?: SendDigitsOptions): Promise<void>;
  /**
   * Puts the called side on hold by re-INVITE (RFC 3264 section 8.4), or resumes. Resolves to false if that was refused,
   * which leaves the call as it was, and for a call that isn't answered. Never rejects.
   */
  hold(isHeld: boolean): Promise<boolean>;
  /** Sends BYE, CANCEL or a 603, depending on the state. Resolves when the leg has ended, within 2 s. */
  hangup(): Promise<void>;
  /** Reports an error of the leg's user (not a listener's) to `onFault`, and ends this leg as `internal`. */
  fail(error: unknown): void;
  stats(): RtpStats;
  /** Why keys that this call sent may not have been understood, as sentences; undefined if nothing is known. */
  readonly keyTrouble: string | undefined;
  /** Received RTP payload types that can't be played, in the order of their first packet. */
  readonly otherPayloadTypes: readonly number[];
  trace(): readonly SipTraceEntry[];
}

export interface MediaOptions {
  /** Every RTP packet of this leg is sent through this: practice faults drop, delay or alter packets here. */
  readonly impairRtp?: (packet: Uint8Array, send: (packet: Uint8Array) => void) => void;
}

export interface IncomingCallLeg extends CallLeg {
  readonly direction: 'incoming';
  /** The line whose registered Contact was called. */
  readonly line: string | undefined;
  /** The IP address from which the INVITE came. Over UDP, it can be forged. */
  readonly peerHost: string;
  /** 180 by default; 183 opens early media. */
  ring(status?: 180 | 183): void;
  answer(media?: MediaOptions): void;
  reject(status: number, reason?: string): void;
}

/** Whether audio is encrypted (RFC 3711). `prefer` falls back to plain RTP if the called side refuses SRTP. */
export type SrtpPolicy = 'off' | 'prefer' | 'require';

/** How peers reach this side behind NAT. A public host takes precedence over what a STUN server reports. */
export interface NatSettings {
  readonly publicHost?: string;
  /** host or host:port. */
  readonly stunServer?: string;
}

/** The identity with which a call is placed, and its way to the called side. Plain data. */
export interface CallerAccount {
  /** The name of its line. A call of an agent with a registration of this name uses the registration. */
  readonly line?: string;
  /** Display name in From. */
  readonly displayName?: string;
  /** Asks the network to withhold the identity (Privacy: id, RFC 3323 and 3325): From is anonymous. */
  readonly privacy?: boolean;
  /** Further header fields of the INVITE. One with a control character fails the call. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The SIP URI to which requests outside a dialog are sent, as their first Route (RFC 3261 section 8.1.2). It is a loose
   * router, with or without `lr`.
   */
  readonly outboundProxy?: string;
  /** Default `off`. */
  readonly srtp?: SrtpPolicy;
  readonly nat?: NatSettings;
  /** Shown to a TLS server that asks for one; PEM. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
  /** SIP URI of the caller; default anonymous at the local address. */
  readonly from?: string;
  /** SIP URI that a trusted proxy should assert for the caller (P-Preferred-Identity, RFC 3325 section 9.2). */
  readonly preferredIdentity?: string;
  /** Default `auto`. */
  readonly keysBy?: KeyTransport;
  /** Answers digest challenges (RFC 3261 section 22). */
  readonly credentials?: { readonly user: string; readonly password: string };
}

export interface OutgoingCallOptions extends CallerAccount {
  /** Aborting hangs up. */
  readonly signal?: AbortSignal;
  /** An unanswered call is cancelled after this and ends as `noAnswer`; default 30 000 ms. */
  readonly answerTimeoutMs?: number;
}

export interface SipAgentOptions {
  readonly host: string;
  /** 0 picks a free port. If the port is in use, `start` rejects with the system's EADDRINUSE. */
  readonly port?: number;
  /** An address of the other family, IPv4 or IPv6. It is used too, unless this machine lacks it. */
  readonly otherHost?: string;
  /** Also accepts calls over TCP, on the same port. */
  readonly listenTcp?: boolean;
  /** For calls that the agent receives. Default `prefer`: encrypted if keys are offered. */
  readonly srtp?: SrtpPolicy;
  /** An INVITE without a response ends as `unreachable` after this; default 10 000 ms. Timer B would take 32 s. */
  readonly noResponseTimeoutMs?: number;
  /** Receives internal errors; each ended one leg at most. Default: a warning of the process. */
  readonly onFault?: OnFault | undefined;
  /** Challenges each incoming INVITE, and OPTIONS outside a call, with digest (RFC 8760), if the callee requires it. */
  readonly challenge?: {
    readonly realm: string;
    readonly passwordOf: (user: string) => string | undefined;
    /** Default all, strongest first; old phones answer only the first and support only MD5. */
    readonly algorithms?: readonly ('SHA-512-256' | 'SHA-256' | 'MD5')[];
  };
}

/** Why a registrar has no binding for this side. `loop`: SIP 482 or 483; `unavailable`: SIP 5xx or 6xx. */
export type RegistrationFailure =
  NonNullable<PingAnswer['failure']> | 'wrongLogin' | 'forbidden' | 'notFound' | 'loop' | 'unavailable' | 'protocol';

/** All times are in milliseconds of the agent's clock. */
export interface RegistrationState {
  /** A failed refresh is `failed`, even if the last binding hasn't expired, as `until` says. */
  readonly state: 'registering' | 'registered' | 'failed' | 'closed';
  /** Since when calls have been able to arrive without a break. */
  readonly since?: number;
  /** When the binding expires without a refresh. */
  readonly until?: number;
  /** The SIP status of the last response. */
  readonly status?: number;
  readonly failure?: RegistrationFailure;
  /** What happened, as part of a sentence; without secrets. */
  readonly reason?: string;
  /** When the next attempt begins. A failure without one stays until `register` is called again. */
  readonly retryAt?: number;
}

export interface RegisterOptions extends Omit<CallerAccount, 'line'> {
  /** SIP URI of the registrar, without a user, such as `sip:pbx.example.com;transport=tcp`. */
  readonly registrar: string;
  /** The user part of the address of record and of the Contact, not escaped. */
  readonly user: string;
}

/** The registration of a line (RFC 3261 section 10). It is refreshed and recovered until it is closed. */
export interface Registration {
  readonly state: RegistrationState;
  /** Removes the binding. Resolves within 2 s, even if the registrar doesn't respond. Never rejects. */
  close(): Promise<void>;
}

export interface PingOptions extends Pick<
  CallerAccount,
  'from' | 'credentials' | 'line' | 'outboundProxy' | 'nat' | 'clientCertificate'
> {
  /** Default 5 s. */
  readonly timeoutMs?: number;
}

export interface PingAnswer {
  readonly status: number;
  readonly reason: string;
  /**
   * Why there was no response: the agent can't call this URI, its host has no address, nothing listens there, nothing
   * came back, or nothing could be sent.
   */
  readonly failure?: 'unusable' | 'unknownHost' | 'refused' | 'timeout' | 'network';
  /** The name that the remote party gives itself (RFC 3261 sections 20.35 and 20.41). */
  readonly server?: string;
  /** From the last request to its final response, in milliseconds. */
  readonly roundTripMs?: number;
  /** It requested credentials and received them. */
  readonly authenticated?: boolean;
  /** The address that the peer sees, as host:port, if it isn't the one in Via (RFC 3581). */
  readonly seenAs?: string;
  /** Why the public address of this side isn't known, as a part of a sentence; the local one is published. */
  readonly natTrouble?: string;
}

export interface SipAgent {
  /** Where the agent listens once started. */
  readonly address: { readonly host: string; readonly port: number };
  /** Never throws for a bad URI or an unreachable peer: the leg ends with its reason. */
  call(uri: string, options?: OutgoingCallOptions): CallLeg;
  /**
   * Registers a line, so that its calls arrive at `onCall`, and `call` and `options` can name it. Replaces an earlier
   * registration of the line. Never throws: a bad registrar is a `failed` state. `onChange` runs after each change.
   */
  register(line: string, options: RegisterOptions, onChange?: (state: RegistrationState) => void): Registration;
  /** One handler; without one, INVITEs are answered with 480. */
  onCall(handler: (leg: IncomingCallLeg) => void): void;
  /** OPTIONS (RFC 3261 section 11). Never rejects: no answer is 408, an unreachable or bad URI 503, with `failure`. */
  options(uri: string, options?: PingOptions): Promise<PingAnswer>;
  /** Hangs up every leg, closes every registration, then all sockets. */
  close(): Promise<void>;
}
