/** One RTP packet (RFC 3550 section 5.1). `payload` is a view into the datagram. */
export interface RtpPacket {
  readonly payloadType: number;
  readonly marker: boolean;
  /** 16 bit, wraps. */
  readonly sequence: number;
  /** 32 bit, wraps; units of 1/8000 s for all payloads in this module. */
  readonly timestamp: number;
  readonly ssrc: number;
  readonly payload: Uint8Array;
}

const HEADER_BYTES = 12;

/** Undefined if it isn't RTP version 2 or has inconsistent lengths. It may be RTCP. */
export function parseRtp(datagram: Uint8Array): RtpPacket | undefined {
  const start = rtpPayloadStart(datagram);
  if (start === undefined) return undefined;
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  const first = view.getUint8(0);
  let end = datagram.length;
  if ((first & 0x20) !== 0) {
    const padding = view.getUint8(end - 1);
    if (padding === 0) return undefined;
    end -= padding;
  }
  if (start > end) return undefined;
  const second = view.getUint8(1);
  return {
    payloadType: second & 0x7f,
    marker: (second & 0x80) !== 0,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    ssrc: view.getUint32(8),
    payload: datagram.subarray(start, end),
  };
}

/** Returns the length of the header with its extension, which can be more than that of the datagram. */
export function rtpPayloadStart(datagram: Uint8Array): number | undefined {
  const first = datagram[0] ?? 0;
  if (datagram.length < HEADER_BYTES || first >> 6 !== 2) return undefined;
  const start = HEADER_BYTES + (first & 0x0f) * 4;
  if ((first & 0x10) === 0) return start;
  if (start + 4 > datagram.length) return undefined;
  return start + 4 + (((datagram[start + 2] ?? 0) << 8) | (datagram[start + 3] ?? 0)) * 4;
}

export function serialiseRtp(packet: RtpPacket): Uint8Array {
  const datagram = new Uint8Array(HEADER_BYTES + packet.payload.length);
  writeRtpHeader(datagram, packet);
  datagram.set(packet.payload, HEADER_BYTES);
  return datagram;
}

/** Writes the 12 header bytes; the caller fills the rest of `datagram` with the payload. */
export function writeRtpHeader(datagram: Uint8Array, header: Omit<RtpPacket, 'payload'>): void {
  const { sequence, timestamp, ssrc } = header;
  datagram[0] = 0x80;
  datagram[1] = (header.marker ? 0x80 : 0) | header.payloadType;
  datagram[2] = sequence >> 8;
  datagram[3] = sequence;
  datagram[4] = timestamp >>> 24;
  datagram[5] = timestamp >>> 16;
  datagram[6] = timestamp >>> 8;
  datagram[7] = timestamp;
  datagram[8] = ssrc >>> 24;
  datagram[9] = ssrc >>> 16;
  datagram[10] = ssrc >>> 8;
  datagram[11] = ssrc;
}

export const RTP_HEADER_BYTES = HEADER_BYTES;
