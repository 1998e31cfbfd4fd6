import { SpeechError } from './ear.ts';

/** A decoded recording: one 16 bit channel an entry, all of the same length. */
export interface Wav {
  readonly sampleRate: number;
  readonly channels: readonly Int16Array[];
}

const formatPcm = 1;
const formatALaw = 6;
const formatMuLaw = 7;
const formatExtensible = 0xfffe;

function expandMuLaw(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = ((((inverted & 0x0f) << 3) + 0x84) << ((inverted & 0x70) >> 4)) - 0x84;
  return (inverted & 0x80) !== 0 ? -magnitude : magnitude;
}

function expandALaw(byte: number): number {
  const toggled = byte ^ 0x55;
  const segment = (toggled & 0x70) >> 4;
  const mantissa = (toggled & 0x0f) << 4;
  const magnitude = segment === 0 ? mantissa + 8 : (mantissa + 0x108) << (segment - 1);
  return (toggled & 0x80) !== 0 ? magnitude : -magnitude;
}

function reader(format: number, bits: number): { width: number; sample: (view: DataView, at: number) => number } {
  if (format === formatPcm && bits === 16) return { width: 2, sample: (view, at) => view.getInt16(at, true) };
  if (format === formatMuLaw && bits === 8) return { width: 1, sample: (view, at) => expandMuLaw(view.getUint8(at)) };
  if (format === formatALaw && bits === 8) return { width: 1, sample: (view, at) => expandALaw(view.getUint8(at)) };
  throw new SpeechError(`This WAV file has format ${format} with ${bits} bits. Save it as 16 bit PCM, µ-law or A-law.`);
}

/**
 * RIFF WAVE: 16 bit PCM, G.711 µ-law or A-law; mono or stereo; 8 or 16 kHz (Microsoft "Multimedia Programming Interface", 1991).
 * A data chunk that claims more than the file holds (a recorder that died) is read as far as it goes.
 * @throws SpeechError when the bytes are no such file, naming what is wrong
 */
export function readWav(bytes: Uint8Array): Wav {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') {
    throw new SpeechError('This is not a WAV file (no RIFF/WAVE header). Convert the recording to WAV, 8 or 16 kHz.');
  }
  let format: { code: number; channels: number; sampleRate: number; bits: number } | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (tag(at) === 'fmt ' && length >= 16 && body + 16 <= bytes.length) {
      const code = view.getUint16(body, true);
      const extended = code === formatExtensible && length >= 26 && body + 26 <= bytes.length;
      format = {
        code: extended ? view.getUint16(body + 24, true) : code,
        channels: view.getUint16(body + 2, true),
        sampleRate: view.getUint32(body + 4, true),
        bits: view.getUint16(body + 14, true),
      };
    } else if (tag(at) === 'data') {
      if (!format) break;
      return decode(view, body, Math.min(length, bytes.length - body), format);
    }
    at = body + length + (length % 2);
  }
  throw new SpeechError(
    `This WAV file has no ${format ? 'audio data' : 'format'} chunk; it may have been cut off. Record or export it again.`,
  );
}

function decode(
  view: DataView,
  start: number,
  length: number,
  format: { code: number; channels: number; sampleRate: number; bits: number },
): Wav {
  const { channels, sampleRate } = format;
  if (channels !== 1 && channels !== 2)
    throw new SpeechError(`This WAV file has ${channels} channels. Save it as mono or stereo.`);
  if (sampleRate !== 8000 && sampleRate !== 16000)
    throw new SpeechError(`This WAV file has ${sampleRate} samples a second. Save it with 8000 or 16000.`);
  const { width, sample } = reader(format.code, format.bits);
  const frames = Math.floor(length / (width * channels));
  return {
    sampleRate,
    channels: Array.from({ length: channels }, (_, channel) =>
      Int16Array.from({ length: frames }, (_unused, frame) =>
        sample(view, start + (frame * channels + channel) * width),
      ),
    ),
  };
}

/** 16 bit PCM RIFF WAVE. Channels of unequal length are padded with silence. */
export function writeWav(wav: Wav): Uint8Array<ArrayBuffer> {
  const { channels, sampleRate } = wav;
  const frames = Math.max(0, ...channels.map((channel) => channel.length));
  const dataLength = frames * channels.length * 2;
  const bytes = new Uint8Array(44 + dataLength);
  const view = new DataView(bytes.buffer);
  const tag = (at: number, text: string): void => {
    for (let i = 0; i < 4; i += 1) bytes[at + i] = text.charCodeAt(i);
  };
  tag(0, 'RIFF');
  view.setUint32(4, 36 + dataLength, true);
  tag(8, 'WAVE');
  tag(12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, formatPcm, true);
  view.setUint16(22, channels.length, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * channels.length * 2, true);
  view.setUint16(32, channels.length * 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, dataLength, true);
  for (let frame = 0; frame < frames; frame += 1) {
    channels.forEach((channel, index) => {
      view.setInt16(44 + (frame * channels.length + index) * 2, channel[frame] ?? 0, true);
    });
  }
  return bytes;
}
