import { randomInt } from 'node:crypto';
import type { SrtpPolicy } from './call.ts';
import type { MediaAgreement, RtpSession } from './rtp/session.ts';
import type { SrtpKey } from './rtp/srtp.ts';
import { newSrtpKey, SRTP_SUITES, SrtpContext } from './rtp/srtp.ts';
import type { CryptoLine } from './sip/sdes.ts';
import type { LocalMedia, RemoteMedia } from './sip/sdp.ts';
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
  /** One for each key of the last offer; none in a plain one. They stay, because no packet may reuse an index. */
  #offered: readonly SrtpContext[] = [];
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
    this.#offered = offersKeys ? SRTP_SUITES.map((suite) => new SrtpContext(newSrtpKey(suite))) : [];
  }

  /** The called side refused the offered keys. Returns whether the call may be offered again without them. */
  offerPlain(): boolean {
    if (this.#srtp !== 'prefer' || this.#offered.length === 0) return false;
    this.#offered = [];
    this.#agreement = undefined;
    return true;
  }

  /** What a provisional response agreed doesn't apply to the next offer. The keys stay. */
  forget(): void {
    this.#agreement = undefined;
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
    if (this.#agreement) this.#offered = this.#agreement.srtp ? [this.#agreement.srtp.send] : [];
    const cryptos = this.#offered.map(({ key }, index) => ({ tag: index + 1, key }));
    return this.#write(cryptos, (local) => writeOffer(local, isHeld ? 'sendonly' : 'sendrecv'));
  }

  /** Returns the answer to an offer, which applies immediately; undefined if nothing in it is usable. */
  answer(sdp: string): string | undefined {
    const read = readSdp(sdp, this.#srtp);
    if (!read) return undefined;
    const offer = this.#isHeld ? withoutSending(read) : read;
    const [theirs] = offer.cryptos;
    const before = this.#agreement?.srtp;
    const receive = theirs && this.#receiverFor(theirs.key);
    // A peer that changes its key starts again with both.
    const send =
      receive && (receive === before?.receive ? before.send : new SrtpContext(newSrtpKey(receive.key.suite)));
    this.#offered = send ? [send] : [];
    this.#agree(offer, offer.eventType === undefined ? [] : [offer.eventType], send, receive);
    const cryptos = theirs && send ? [{ tag: theirs.tag, key: send.key }] : [];
    return this.#write(cryptos, (local) => writeAnswer(local, offer));
  }

  /** Applies the answer to the local offer; returns false if it isn't usable. */
  accept(sdp: string): boolean {
    const answer = readSdp(sdp, this.#offered.length === 0 ? 'off' : this.#srtp);
    if (!answer) return false;
    const sendFor = ({ key }: CryptoLine): SrtpContext | undefined =>
      this.#offered.find((context) => context.key.suite === key.suite);
    // A suite is offered once, so a wrong tag does no harm.
    const theirs = answer.cryptos.find(sendFor);
    if (!theirs && answer.cryptos.length > 0) return false;
    this.#isHeld = this.#offersHold;
    const eventTypes = [OFFERED_EVENT_TYPE, ...(answer.eventType === undefined ? [] : [answer.eventType])];
    const remote = this.#isHeld ? withoutSending(answer) : answer;
    this.#agree(remote, eventTypes, theirs && sendFor(theirs), theirs && this.#receiverFor(theirs.key));
    return true;
  }

  /** A key that stays keeps its rollover counter. */
  #receiverFor(key: SrtpKey): SrtpContext {
    const before = this.#agreement?.srtp?.receive;
    const isSame = before?.key.suite === key.suite && Buffer.compare(before.key.material, key.material) === 0;
    return isSame ? before : new SrtpContext(key);
  }

  /** RFC 3264 section 8: the version grows exactly when the text changes. */
  #write(cryptos: readonly CryptoLine[], write: (local: LocalMedia) => string): string {
    const { port, publicPlace } = this.#media;
    const local = { host: this.#host, port, ...publicPlace, sessionId: this.#sessionId, cryptos };
    const same = write({ ...local, version: this.#version });
    if (same === this.#written) return same;
    this.#written = this.#written === '' ? same : write({ ...local, version: ++this.#version });
    return this.#written;
  }

  #agree(
    remote: RemoteMedia,
    receiveEventTypes: readonly number[],
    send: SrtpContext | undefined,
    receive: SrtpContext | undefined,
  ): void {
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
      ...(send && receive && { srtp: { send, receive } }),
    };
    this.#agreement = agreement;
    this.#media.agree(agreement);
  }
}

/** Returns a description whose sender only receives. */
function withoutSending(remote: RemoteMedia): RemoteMedia {
  const receives = remote.direction === 'sendrecv' || remote.direction === 'recvonly';
  return { ...remote, direction: receives ? 'recvonly' : 'inactive' };
}
