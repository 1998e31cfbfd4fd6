import { randomInt } from 'node:crypto';
import type { SrtpPolicy } from './call.ts';
import type { MediaAgreement, RtpSession } from './rtp/session.ts';
import { isSameKey, SrtpContext } from './rtp/srtp.ts';
import type { SrtpKey } from './rtp/srtp.ts';
import type { CryptoLine } from './sip/sdes.ts';
import { newCrypto, newCryptos } from './sip/sdes.ts';
import type { RemoteMedia } from './sip/sdp.ts';
import { mirror, OFFERED_EVENT_TYPE, readSdp, refusesKeys, writeAnswer, writeOffer } from './sip/sdp.ts';

/** One leg's side of offer and answer (RFC 3264): writes and reads descriptions, and configures the RTP session. */
export class LocalMediaDescription {
  readonly #media: RtpSession;
  readonly #sessionId = randomInt(2 ** 31);
  #version = 0;
  #written = '';
  #host = '';
  #peerHost = '';
  #srtp: SrtpPolicy = 'off';
  /** The keys of the last offer; none in a plain one. */
  #offered: readonly CryptoLine[] = [];
  /** The own line of the last agreement. */
  #own: CryptoLine | undefined;
  #agreement: MediaAgreement | undefined;
  #isHeld = false;
  #offersHold = false;

  constructor(media: RtpSession) {
    this.#media = media;
  }

  /** `host` is the address in the local SDP; `peerHost` is where signalling comes from. */
  place(host: string, peerHost: string): void {
    this.#host = host;
    this.#peerHost = peerHost;
  }

  /** Later offers have the keys that were agreed. */
  secure(policy: SrtpPolicy, offersKeys: boolean): void {
    this.#srtp = policy;
    this.#offered = offersKeys ? newCryptos() : [];
  }

  /** The called side refused the offered keys. Returns whether the call may be offered again without them. */
  offerPlain(): boolean {
    if (this.#srtp !== 'prefer' || this.#offered.length === 0) return false;
    this.#offered = [];
    this.#agreement = undefined;
    return true;
  }

  /** Keys are required, but the answer refuses them. */
  lacksKeys(answer: string): boolean {
    return this.#offered.length > 0 && refusesKeys(answer);
  }
  get requiresKeys(): boolean {
    return this.#srtp === 'require';
  }

  /** This side holds the call: the peer must not send (RFC 3264 section 8.4). Begins and ends with an accepted offer. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  offer(isHeld = this.#isHeld): string {
    this.#offersHold = isHeld;
    if (this.#agreement) this.#offered = this.#own ? [this.#own] : [];
    return this.#write((version) => writeOffer({ ...this.#local(), version }, isHeld ? 'sendonly' : 'sendrecv'));
  }

  /** Returns the answer to an offer, which applies immediately; undefined if nothing in it is usable. */
  answer(sdp: string): string | undefined {
    const read = readSdp(sdp, this.#srtp);
    if (!read) return undefined;
    const offer = this.#isHeld ? withoutSending(read) : read;
    const [theirs] = offer.cryptos;
    // A peer that changes its key starts again with both.
    const before = this.#agreement?.srtp;
    const own =
      theirs &&
      (before && isSameKey(before.receive.key, theirs.key)
        ? { tag: theirs.tag, key: before.send.key }
        : newCrypto(theirs.tag, theirs.key.suite));
    this.#offered = own ? [own] : [];
    this.#agree(offer, offer.eventType === undefined ? [] : [offer.eventType], own, theirs);
    return this.#write((version) => writeAnswer({ ...this.#local(), version }, offer));
  }

  /** Applies the answer to the local offer; returns false if it isn't usable. */
  accept(sdp: string): boolean {
    const answer = readSdp(sdp, this.#offered.length === 0 ? 'off' : this.#srtp);
    if (!answer) return false;
    const ownFor = ({ key }: CryptoLine): CryptoLine | undefined =>
      this.#offered.find((line) => line.key.suite === key.suite);
    // A suite is offered once, so a wrong tag does no harm.
    const theirs = answer.cryptos.find(ownFor);
    if (!theirs && (answer.isSecure || this.#srtp === 'require')) return false;
    this.#isHeld = this.#offersHold;
    const eventTypes = [OFFERED_EVENT_TYPE, ...(answer.eventType === undefined ? [] : [answer.eventType])];
    this.#agree(this.#isHeld ? withoutSending(answer) : answer, eventTypes, theirs && ownFor(theirs), theirs);
    return true;
  }

  #local(): { host: string; port: number; sessionId: number; cryptos: readonly CryptoLine[] } {
    const { port, publicPlace } = this.#media;
    return { host: this.#host, port, ...publicPlace, sessionId: this.#sessionId, cryptos: this.#offered };
  }

  /** RFC 3264 section 8: the version grows exactly when the text changes. */
  #write(write: (version: number) => string): string {
    const same = write(this.#version);
    if (same === this.#written) return same;
    this.#written = this.#written === '' ? same : write(++this.#version);
    return this.#written;
  }

  #agree(
    remote: RemoteMedia,
    receiveEventTypes: readonly number[],
    own: CryptoLine | undefined,
    theirs: CryptoLine | undefined,
  ): void {
    const before = this.#agreement?.srtp;
    const direction = mirror(remote.direction);
    const agreement: MediaAgreement = {
      host: remote.host ?? this.#peerHost,
      port: remote.port,
      alsoFrom: this.#peerHost,
      rtcpPort: remote.rtcpPort,
      law: remote.laws[0] ?? 'PCMU',
      lawTypes: remote.lawTypes,
      sendEventType: remote.eventType,
      receiveEventTypes: receiveEventTypes.filter((type) => !remote.lawTypes.has(type)),
      maySend: direction === 'sendrecv' || direction === 'sendonly',
      mayReceive: direction === 'sendrecv' || direction === 'recvonly',
      ...(own &&
        theirs && { srtp: { send: contextOf(own, before?.send), receive: contextOf(theirs, before?.receive) } }),
    };
    this.#own = own;
    this.#agreement = agreement;
    this.#media.agree(agreement);
  }
}

/** A key that stays keeps its rollover counter. */
const contextOf = ({ key }: { readonly key: SrtpKey }, before: SrtpContext | undefined): SrtpContext =>
  before && isSameKey(before.key, key) ? before : new SrtpContext(key);

/** Returns a description whose sender only receives. */
function withoutSending(remote: RemoteMedia): RemoteMedia {
  const receives = remote.direction === 'sendrecv' || remote.direction === 'recvonly';
  return { ...remote, direction: receives ? 'recvonly' : 'inactive' };
}
