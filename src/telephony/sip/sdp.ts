import { isIP, isIPv6 } from 'node:net';
import type { MediaDescription, SessionDescription } from 'sdp-transform';
import sdpTransform from 'sdp-transform';
import type { G711Law } from '../../base/g711.ts';
import type { SrtpPolicy } from '../call.ts';
import { payloadName } from '../rtp/payloadName.ts';
import type { CryptoLine } from './sdes.ts';
import { readCryptos, writeCrypto } from './sdes.ts';
import { isPort } from './uri.ts';

export type MediaDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The one audio stream in a peer's description that is used. */
export interface RemoteMedia {
  /** IP address; undefined for one that can't be sent to. */
  readonly host: string | undefined;
  readonly port: number;
  /** Where the peer receives RTCP (RFC 3605, or the next port); undefined if with RTP (rtcp-mux, RFC 5761). */
  readonly rtcpPort: number | undefined;
  /** In the peer's order of preference; at least one. */
  readonly laws: readonly G711Law[];
  /** The payload types that the peer gives them, in the same order. They can be dynamic (RFC 3264 section 6.1). */
  readonly lawTypes: ReadonlyMap<number, G711Law>;
  readonly eventType: number | undefined;
  /** From the peer's side. */
  readonly direction: MediaDirection;
  /** In the peer's order of preference; none unless the policy allows them. RTP/AVP can have them too. */
  readonly cryptos: readonly CryptoLine[];
  readonly parsed: SessionDescription;
  /** Index of the stream among the m= lines. */
  readonly index: number;
}

export interface LocalMedia {
  readonly host: string;
  readonly port: number;
  /** Random and constant for the session; `version` grows with each change (RFC 8866 section 5.2). */
  readonly sessionId: number;
  readonly version: number;
  /** With keys, audio is offered as RTP/SAVP. */
  readonly cryptos?: readonly CryptoLine[];
}

export const SDP_TYPE = 'application/sdp';
export const OFFERED_EVENT_TYPE = 101;
const LAWS: readonly G711Law[] = ['PCMU', 'PCMA'];
export const STATIC_TYPES: Readonly<Record<G711Law, number>> = { PCMU: 0, PCMA: 8 };
const OFFERED_TYPES = new Map(LAWS.map((law) => [STATIC_TYPES[law], law]));
export const MAX_SDP_CHARACTERS = 16_384;

/** Reads a description; undefined if it has no usable G.711 stream that the policy allows. */
export function readSdp(text: string, srtp: SrtpPolicy = 'off'): RemoteMedia | undefined {
  if (text.length > MAX_SDP_CHARACTERS) return undefined;
  let parsed: SessionDescription;
  try {
    parsed = sdpTransform.parse(text);
  } catch {
    return undefined;
  }
  for (const [index, media] of parsed.media.entries()) {
    if (!isOpenAudio(media)) continue;
    const cryptos = srtp === 'off' ? [] : readCryptos(media.crypto);
    if (cryptos.length === 0 && (srtp === 'require' || media.protocol.startsWith('RTP/SAVP'))) continue;
    const types = payloadTypes(media);
    const lawTypes = new Map<number, G711Law>();
    for (const type of types) {
      const law = lawOf(media, type);
      if (law !== undefined) lawTypes.set(type, law);
    }
    if (lawTypes.size === 0) continue;
    const address = textOf(media.connection?.ip ?? parsed.connection?.ip);
    if (address === '') return undefined;
    const isHeld = address === '0.0.0.0' || address === '::';
    return {
      host: isHeld || !isReachable(address) ? undefined : address,
      port: media.port,
      rtcpPort: media.rtcpMux === undefined ? (media.rtcp?.port ?? media.port + 1) : undefined,
      laws: [...new Set(lawTypes.values())],
      lawTypes,
      eventType: media.rtp.find((rtp) => isTelephoneEvent(rtp) && types.includes(rtp.payload))?.payload,
      cryptos,
      parsed,
      index,
      // RFC 2543 used the unspecified address for hold (RFC 3264 section 8.4).
      direction: isHeld ? 'inactive' : (media.direction ?? parsed.direction ?? 'sendrecv'),
    };
  }
  return undefined;
}

/** A zone (fe80::1%eth0) has a meaning only on the machine that wrote it. */
const isReachable = (address: string): boolean => isIP(address) > 0 && !address.includes('%');

const isOpenAudio = ({ type, port, protocol }: MediaDescription): boolean =>
  type === 'audio' && isPort(port) && /^RTP\/S?AVPF?$/.test(protocol);

const isTelephoneEvent = ({ codec, rate }: MediaDescription['rtp'][number]): boolean =>
  textOf(codec).toLowerCase() === 'telephone-event' && rate === 8000;

/** Returns the names of the audio codecs that a description offers, for people. */
export function codecsIn(text: string): string[] {
  const names = audioIn(text).flatMap((media) =>
    payloadTypes(media).map((type) =>
      textOf(media.rtp.find(({ payload }) => payload === type)?.codec ?? payloadName(type)),
    ),
  );
  return [...new Set(names)]
    .filter((name) => name.toLowerCase() !== 'telephone-event' && name !== 'CN')
    .map((name) => name.slice(0, 40));
}

/** Returns whether an answer to an offer with keys refuses all audio, or has no usable key for it. */
export const refusesKeys = (text: string): boolean =>
  text !== '' && !audioIn(text).some((media) => isOpenAudio(media) && readCryptos(media.crypto).length > 0);

function audioIn(text: string): MediaDescription[] {
  if (text === '' || text.length > MAX_SDP_CHARACTERS) return [];
  try {
    return sdpTransform.parse(text).media.filter(({ type }) => type === 'audio');
  } catch {
    return [];
  }
}

/** Writes the local offer: both laws and events 0-15. */
export function writeOffer(local: LocalMedia, direction: MediaDirection = 'sendrecv'): string {
  const audio = audioLine(local, OFFERED_TYPES, OFFERED_EVENT_TYPE, direction);
  // There is one socket for both, even if the answerer refuses rtcp-mux.
  return write(local, [{ ...audio, rtcp: { port: local.port }, rtcpMux: 'rtcp-mux' }]);
}

/** Writes the local answer (RFC 3264 section 6): the offerer's first law, its event type, its other streams refused. */
export function writeAnswer(local: LocalMedia, offer: RemoteMedia): string {
  const media = offer.parsed.media.map((line, index): MediaDescription =>
    index === offer.index
      ? {
          ...audioLine(local, new Map([...offer.lawTypes].slice(0, 1)), offer.eventType, mirror(offer.direction)),
          protocol: line.protocol,
          ...(offer.rtcpPort === undefined ? { rtcpMux: 'rtcp-mux' } : { rtcp: { port: local.port } }),
        }
      : { type: line.type, port: 0, protocol: line.protocol, payloads: payloadsOf(line) || '0', rtp: [], fmtp: [] },
  );
  return write(local, media);
}

/** Returns the direction that answers an offered one (RFC 3264 section 6.1). */
export function mirror(direction: MediaDirection): MediaDirection {
  return direction === 'sendonly' ? 'recvonly' : direction === 'recvonly' ? 'sendonly' : direction;
}

/** The parser returns a value of digits as a number, despite its types. */
function textOf(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

const payloadsOf = ({ payloads }: { readonly payloads?: unknown }): string => textOf(payloads);

/** RTP has seven bits for it (RFC 3550 section 5.1). */
const isPayloadType = (type: number): boolean => Number.isInteger(type) && type >= 0 && type < 128;

function payloadTypes(media: MediaDescription): number[] {
  return payloadsOf(media)
    .split(' ')
    .filter((type) => type !== '')
    .map(Number)
    .filter(isPayloadType);
}

/** Without a map, a number is static (RFC 3551 table 4). */
function lawOf(media: MediaDescription, type: number): G711Law | undefined {
  const mapped = media.rtp.find((rtp) => rtp.payload === type);
  if (!mapped) return LAWS.find((law) => STATIC_TYPES[law] === type);
  const { codec, rate = 8000, encoding = 1 } = mapped;
  const name = textOf(codec).toUpperCase();
  return rate === 8000 && encoding === 1 ? LAWS.find((law) => law === name) : undefined;
}

function audioLine(
  { port, cryptos = [] }: LocalMedia,
  laws: ReadonlyMap<number, G711Law>,
  eventType: number | undefined,
  direction: MediaDirection,
): MediaDescription {
  const rtp: { payload: number; codec: string; rate: number }[] = [...laws].map(([payload, law]) => ({
    payload,
    codec: law,
    rate: 8000,
  }));
  if (eventType !== undefined) rtp.push({ payload: eventType, codec: 'telephone-event', rate: 8000 });
  return {
    type: 'audio',
    port,
    protocol: cryptos.length > 0 ? 'RTP/SAVP' : 'RTP/AVP',
    payloads: rtp.map(({ payload }) => payload).join(' '),
    rtp,
    fmtp: eventType === undefined ? [] : [{ payload: eventType, config: '0-15' }],
    ptime: 20,
    crypto: cryptos.map(writeCrypto),
    direction,
  };
}

function write(local: LocalMedia, media: MediaDescription[]): string {
  const version = isIPv6(local.host) ? 6 : 4;
  const [address = local.host] = local.host.split('%', 1);
  return sdpTransform.write({
    version: 0,
    name: '-',
    timing: { start: 0, stop: 0 },
    media,
    origin: {
      username: '-',
      sessionId: local.sessionId,
      sessionVersion: local.version,
      netType: 'IN',
      ipVer: version,
      address,
    },
    connection: { version, ip: address },
  });
}
