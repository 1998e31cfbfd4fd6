import { randomInt } from 'node:crypto';
import type { MediaAgreement, RtpSession } from './rtp/session.ts';
import type { RemoteMedia } from './sip/sdp.ts';
import { mirror, OFFERED_EVENT_TYPE, readSdp, writeAnswer, writeOffer } from './sip/sdp.ts';

/** One leg's side of offer and answer (RFC 3264): writes and reads descriptions, and configures the RTP session. */
export class LocalMediaDescription {
  readonly #media: RtpSession;
  readonly #sessionId = randomInt(2 ** 31);
  #version = 0;
  #written = '';
  #host = '';
  #peerHost = '';

  constructor(media: RtpSession) {
    this.#media = media;
  }

  /** `host` is the address in the local SDP; `peerHost` is where signalling comes from. */
  place(host: string, peerHost: string): void {
    this.#host = host;
    this.#peerHost = peerHost;
  }

  offer(): string {
    return this.#write((version) => writeOffer({ ...this.#local(), version }));
  }

  /** Returns the answer to an offer, which applies immediately; undefined if nothing in it is usable. */
  answer(sdp: string): string | undefined {
    const offer = readSdp(sdp);
    if (!offer) return undefined;
    this.#agree(offer, offer.eventType === undefined ? [] : [offer.eventType]);
    return this.#write((version) => writeAnswer({ ...this.#local(), version }, offer));
  }

  /** Applies the answer to the local offer; returns false if it isn't usable. */
  accept(sdp: string): boolean {
    const answer = readSdp(sdp);
    if (!answer) return false;
    this.#agree(answer, [OFFERED_EVENT_TYPE, ...(answer.eventType === undefined ? [] : [answer.eventType])]);
    return true;
  }

  #local(): { host: string; port: number; sessionId: number } {
    const { port, publicPlace } = this.#media;
    return { host: this.#host, port, ...publicPlace, sessionId: this.#sessionId };
  }

  /** RFC 3264 section 8: the version grows exactly when the text changes. */
  #write(write: (version: number) => string): string {
    const same = write(this.#version);
    if (same === this.#written) return same;
    this.#written = this.#written === '' ? same : write(++this.#version);
    return this.#written;
  }

  #agree(remote: RemoteMedia, receiveEventTypes: readonly number[]): void {
    const direction = mirror(remote.direction);
    const agreement: MediaAgreement = {
      host: remote.host ?? this.#peerHost,
      port: remote.port,
      alsoFrom: this.#peerHost,
      law: remote.laws[0] ?? 'PCMU',
      lawTypes: remote.lawTypes,
      sendEventType: remote.eventType,
      receiveEventTypes: receiveEventTypes.filter((type) => !remote.lawTypes.has(type)),
      maySend: direction === 'sendrecv' || direction === 'sendonly',
      mayReceive: direction === 'sendrecv' || direction === 'recvonly',
    };
    this.#media.agree(agreement);
  }
}
