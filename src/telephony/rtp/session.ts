import { randomInt } from 'node:crypto';
import type { AudioFrame, CallEvent, DigitTransport, MediaOptions, RtpStats, SendDigitsOptions } from '../call.ts';
import type { Clock } from '../../base/clock.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { OnFault } from '../fault.ts';
import { OFFERED_EVENT_TYPE, STATIC_TYPES } from '../sip/sdp.ts';
import { isPort } from '../sip/uri.ts';
import { DigitMerger } from '../dtmf/digitMerger.ts';
import { DigitQueue } from '../dtmf/digitQueue.ts';
import { InbandDetector } from '../dtmf/inbandDetector.ts';
import { parseTelephoneEvent, serialiseTelephoneEvent, TelephoneEventReceiver } from '../dtmf/telephoneEvent.ts';
import type { G711Law } from '../../base/g711.ts';
import { encodeInto, SILENCE_BYTE } from '../../base/g711.ts';
import { FRAME_SAMPLES, JitterBuffer } from './jitterBuffer.ts';
import type { MediaSocket, MediaWay, OpenMediaSocket } from './mediaSocket.ts';
import type { Pacer, PacerMember } from './pacer.ts';
import type { RtpPacket } from './packet.ts';
import { parseRtp, RTP_HEADER_BYTES, writeRtpHeader } from './packet.ts';
import type { PlayOutcome } from './playQueue.ts';
import { PlayQueue } from './playQueue.ts';
import { isRtcp, Rtcp } from './rtcp.ts';
import type { SrtpContext } from './srtp.ts';
import { SymmetricRtp } from './symmetricRtp.ts';

/** The result of offer and answer (RFC 3264). */
export interface MediaAgreement {
  readonly host: string;
  readonly port: number;
  /** A second address the peer can send from: the signalling peer's, for a peer behind NAT. */
  readonly alsoFrom: string;
  /** The peer's port for RTCP; by default that of RTP (rtcp-mux, RFC 5761). */
  readonly rtcpPort?: number | undefined;
  readonly law: G711Law;
  /** The peer's payload types for G.711; by default the static ones, which are always received. */
  readonly lawTypes?: ReadonlyMap<number, G711Law>;
  readonly sendEventType: number | undefined;
  readonly receiveEventTypes: readonly number[];
  readonly maySend: boolean;
  readonly mayReceive: boolean;
  /** If set, packets in both directions are encrypted. */
  readonly srtp?: { readonly send: SrtpContext; readonly receive: SrtpContext };
}

type RtpImpairment = NonNullable<MediaOptions['impairRtp']>;

interface RtpSessionOptions {
  readonly open: OpenMediaSocket;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly listener: (event: Extract<CallEvent, { type: 'audio' | 'digit' }>) => void;
  /** The first valid packet arrived. */
  readonly onHeard: () => void;
  /** A tick or a packet of this session threw an error. */
  readonly onFault: OnFault;
}

/** Peers send with their own numbers or with the offered ones. */
const lawOfType = ({ lawTypes }: MediaAgreement, type: number): G711Law | undefined =>
  lawTypes?.get(type) ?? (type === STATIC_TYPES.PCMU ? 'PCMU' : type === STATIC_TYPES.PCMA ? 'PCMA' : undefined);
/** Audio is sent with the receiver's number (RFC 3264 section 5.1). */
const typeOfLaw = ({ law, lawTypes }: MediaAgreement): number =>
  [...(lawTypes ?? [])].find(([, one]) => one === law)?.[0] ?? STATIC_TYPES[law];
/** RFC 3389. It isn't offered, but many peers send it anyway. */
const COMFORT_NOISE_TYPE = 13;
/** Packets that look like RTCP (RFC 5761 section 4) don't count. */
const isOtherAudio = (type: number): boolean => type < 64 || type > 95;
/** RFC 4733 section 2.5.1.4: the end is sent three times. */
const END_REPEATS = 2;

/** One leg's media: symmetric RTP over one socket, paced by the shared tick. */
export class RtpSession implements PacerMember {
  readonly #options: RtpSessionOptions;
  #socket: MediaSocket | undefined;
  readonly #queue = new PlayQueue();
  readonly #digits = new DigitQueue();
  readonly #jitterBuffer = new JitterBuffer();
  readonly #detector = new InbandDetector();
  readonly #merger = new DigitMerger();
  readonly #events: TelephoneEventReceiver;
  readonly #ssrc = randomInt(2 ** 32);
  readonly #rtcp = new Rtcp(this.#ssrc);
  readonly #peer = new SymmetricRtp();
  /** RFC 3711 section 3.3.1: far from a rollover, which the first packets that arrive don't show. */
  #sequence = randomInt(2 ** 15);
  #timestamp = randomInt(2 ** 32);
  #agreement: MediaAgreement | undefined;
  #leavePacer: (() => void) | undefined;
  #marker = true;
  #eventTimestamp = 0;
  #pendingEnds: { payload: Uint8Array; timestamp: number; left: number } | undefined;
  #sent = 0;
  #sentOctets = 0;
  #worstLateness = 0;
  #heardAt: number | undefined;
  #heardPackets = 0;
  #refusedPackets = 0;
  readonly #otherPayloadTypes = new Set<number>();
  #closed = false;

  /** How digits are sent whose sender doesn't say it; by default, as events if they are agreed. */
  digitsAs: DigitTransport | undefined;
  /** If set, every packet is sent through this. */
  impair: RtpImpairment | undefined;
  /**
   * The signalling doesn't yet prove the peer's address: a forged source address must not make this side flood it.
   * Until then, one packet is sent for each received one, except to this machine.
   */
  isUnproven = false;

  constructor(options: RtpSessionOptions) {
    this.#options = options;
    this.#events = new TelephoneEventReceiver((digit, durationMs) => this.#reportDigit(digit, 'rfc4733', durationMs));
  }

  /**
   * Opens the socket, or another one if the way changes before the agreement; audio and digits can be queued before.
   * Rejects with the system's error.
   */
  async open(way?: MediaWay): Promise<void> {
    const socket = await this.#options.open((datagram, host, port) => {
      try {
        this.receive(datagram, host, port);
      } catch (error) {
        this.failed(error);
      }
    }, way);
    if (this.#closed) socket.close();
    else {
      this.#socket?.close();
      this.#socket = socket;
    }
  }

  /** How peers reach the socket through a NAT, if that is known. */
  get publicPlace(): MediaSocket['publicPlace'] {
    return this.#socket?.publicPlace;
  }
  /** 0 until opened. */
  get port(): number {
    return this.#socket?.port ?? 0;
  }
  /** When the last valid packet arrived, on the injected clock. */
  get heardAt(): number | undefined {
    return this.#heardAt;
  }
  /** Received payload types other than G.711 and events. */
  get otherPayloadTypes(): readonly number[] {
    return [...this.#otherPayloadTypes];
  }
  /** Both sides agreed on telephone events. */
  get hasEvents(): boolean {
    return this.#agreement?.sendEventType !== undefined;
  }
  get mayReceive(): boolean {
    return this.#agreement?.mayReceive ?? false;
  }

  /** Begins, or changes after a re-INVITE. */
  agree(agreement: MediaAgreement): void {
    if (this.#closed) return;
    this.#agreement = agreement;
    this.#peer.agree(agreement);
    this.#leavePacer ??= this.#options.pacer.add(this);
  }

  play(pcm: Int16Array): Promise<PlayOutcome> {
    return this.#closed ? Promise.resolve('ended') : this.#queue.push(pcm);
  }

  clearAudio(): void {
    this.#queue.clear('cleared');
  }

  sendDigits(digits: string, options?: SendDigitsOptions): Promise<void> {
    return this.#closed ? Promise.resolve() : this.#digits.push(digits, options);
  }

  stats(): RtpStats {
    const { received, lost, late, concealed, jitterMs } = this.#jitterBuffer.counters();
    const srtp = this.#agreement?.srtp?.receive.key.suite;
    const { elsewhere } = this.#peer;
    return {
      ...{ sent: this.#sent, received, lost, late, concealed, jitterMs, tickLatenessMs: this.#worstLateness },
      ...(srtp !== undefined && { srtp }),
      ...(this.#refusedPackets > 0 && { refusedPackets: this.#refusedPackets }),
      ...this.#rtcp.remote,
      ...(elsewhere && { elsewhere }),
    };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#leavePacer?.();
    this.#queue.clear('ended');
    this.#digits.clear();
    this.#socket?.close();
  }

  sendTick(latenessMs: number): void {
    const agreement = this.#agreement;
    if (this.#closed || !agreement) return;
    if (latenessMs > this.#worstLateness) this.#worstLateness = latenessMs;
    const timestamp = this.#timestamp;
    this.#timestamp = (timestamp + FRAME_SAMPLES) >>> 0;
    // Queued audio waits.
    if (this.#mustWait(agreement) && this.#sent >= this.#heardPackets) return;
    const digit = this.#digits.take(this.digitsAs ?? (this.hasEvents ? 'rfc4733' : 'inband'));
    const eventType = agreement.sendEventType ?? OFFERED_EVENT_TYPE;
    if (!agreement.maySend) return;
    this.#repeatEnd(eventType);
    if (digit?.kind === 'event') {
      if (digit.first) this.#eventTimestamp = timestamp;
      const payload = serialiseTelephoneEvent({ event: digit.event, end: digit.end, duration: digit.durationSamples });
      this.#emit(payload, eventType, this.#eventTimestamp, digit.first);
      if (digit.end) this.#pendingEnds = { payload, timestamp: this.#eventTimestamp, left: END_REPEATS };
      this.#marker = true;
      return;
    }
    const pcm = digit === undefined ? this.#queue.take() : digit.kind === 'tone' ? digit.pcm : undefined;
    const packet = new Uint8Array(RTP_HEADER_BYTES + FRAME_SAMPLES);
    if (pcm) encodeInto(agreement.law, pcm, packet, RTP_HEADER_BYTES);
    else packet.fill(SILENCE_BYTE[agreement.law], RTP_HEADER_BYTES);
    this.#transmit(packet, typeOfLaw(agreement), timestamp, this.#marker);
    this.#marker = false;
  }

  playTick(): void {
    if (this.#closed) return;
    const now = this.#options.clock.now();
    this.#events.tick(now);
    if (this.#agreement && this.#rtcp.isDue(now)) this.#report(this.#agreement, now);
    for (const frame of this.#jitterBuffer.take()) {
      this.#deliver(frame);
      for (const { digit, durationMs } of this.#detector.push(frame.pcm))
        this.#reportDigit(digit, 'inband', durationMs);
    }
  }

  failed(error: unknown): void {
    this.#options.onFault(error);
  }

  /** A datagram from port 0 has no sender that could be answered. */
  receive(datagram: Uint8Array, host: string, port: number): void {
    const agreement = this.#agreement;
    if (this.#closed || !isPort(port) || !agreement) return;
    const now = this.#options.clock.now();
    const receiver = agreement.srtp?.receive;
    if (isRtcp(datagram)) {
      const report = receiver ? receiver.unprotectRtcp(datagram) : datagram;
      if (report && this.#peer.isKnown(host)) this.#rtcp.receive(report, now);
      return;
    }
    if (!agreement.mayReceive) return;
    const plain = receiver ? receiver.unprotect(datagram) : datagram;
    if (!plain) this.#refusedPackets++;
    const packet = plain && parseRtp(plain);
    if (!packet) return;
    if (this.#peer.accepts(host, port)) this.#take(agreement, packet, host, port, now);
    else if (lawOfType(agreement, packet.payloadType) !== undefined)
      for (const { packet: one, at } of this.#peer.prove(packet, host, port, now))
        this.#take(agreement, one, host, port, at);
  }

  #take(agreement: MediaAgreement, packet: RtpPacket, host: string, port: number, now: number): void {
    const law = lawOfType(agreement, packet.payloadType);
    if (agreement.receiveEventTypes.includes(packet.payloadType)) {
      const event = parseTelephoneEvent(packet.payload);
      if (!event) return;
      this.#heard(host, port, now);
      this.#jitterBuffer.putSilence(packet, event.duration, now);
      this.#events.push(packet.timestamp, event, now);
    } else if (law !== undefined) {
      if (packet.payload.length === 0) return;
      this.#heard(host, port, now);
      this.#jitterBuffer.putAudio(packet, law, now);
    } else if (packet.payloadType === COMFORT_NOISE_TYPE) {
      this.#heard(host, port, now);
      this.#jitterBuffer.putNoise(packet, now);
    } else if (isOtherAudio(packet.payloadType)) this.#otherPayloadTypes.add(packet.payloadType);
  }

  #report(agreement: MediaAgreement, now: number): void {
    const { to } = this.#peer;
    if (!to || this.#mustWait(agreement)) return;
    const sent = { packets: this.#sent, octets: this.#sentOctets, timestamp: this.#timestamp };
    const packet = this.#rtcp.write(now, sent, this.#jitterBuffer.reception());
    this.#socket?.send(agreement.srtp?.send.protectRtcp(packet) ?? packet, to.host, agreement.rtcpPort ?? to.port);
  }

  /** Only as much may be sent as is received. */
  #mustWait({ host }: MediaAgreement): boolean {
    return this.isUnproven && !isLoopback(host);
  }

  #deliver(frame: AudioFrame): void {
    this.#options.listener({ type: 'audio', frame });
  }

  #reportDigit(digit: string, via: DigitTransport, durationMs: number): void {
    if (!this.#merger.accept(digit, via, this.#options.clock.now())) return;
    this.#options.listener({ type: 'digit', digit, via, durationMs: Math.round(durationMs) });
  }

  #heard(host: string, port: number, now: number): void {
    this.#peer.heard(host, port);
    const first = this.#heardAt === undefined;
    this.#heardAt = now;
    this.#heardPackets++;
    if (first) this.#options.onHeard();
  }

  #repeatEnd(payloadType: number): void {
    const pending = this.#pendingEnds;
    if (!pending) return;
    this.#emit(pending.payload, payloadType, pending.timestamp, false);
    if (--pending.left === 0) this.#pendingEnds = undefined;
  }

  #emit(payload: Uint8Array, payloadType: number, timestamp: number, marker: boolean): void {
    const packet = new Uint8Array(RTP_HEADER_BYTES + payload.length);
    packet.set(payload, RTP_HEADER_BYTES);
    this.#transmit(packet, payloadType, timestamp, marker);
  }

  #transmit(packet: Uint8Array, payloadType: number, timestamp: number, marker: boolean): void {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) & 0xffff;
    writeRtpHeader(packet, { payloadType, marker, sequence, timestamp, ssrc: this.#ssrc });
    this.#sent++;
    this.#sentOctets += packet.length - RTP_HEADER_BYTES;
    // In sequence, before an impairment changes the order.
    const datagram = this.#agreement?.srtp?.send.protect(packet) ?? packet;
    if (this.impair) this.impair(datagram, (impaired) => this.#put(impaired));
    else this.#put(datagram);
  }

  #put(datagram: Uint8Array): void {
    const { to } = this.#peer;
    if (!this.#closed && to) this.#socket?.send(datagram, to.host, to.port);
  }
}
