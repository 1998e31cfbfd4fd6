import { linearTable } from '../base/g711.ts';
import { waveFormats, waveLayout } from '../base/riff.ts';
import type { WaveFormat } from '../base/riff.ts';
import { SpeechError } from './ear.ts';

/** A decoded recording: one 16 bit channel per entry, all of the same length. */
export interface Wav {
  readonly sampleRate: number;
  readonly channels: readonly Int16Array[];
}

type SampleReader = (view: DataView, at: number) => number;

function reader(code: number, bits: number): { width: number; sample: SampleReader } {
  if (code === waveFormats.pcm && bits === 16) return { width: 2, sample: (view, at) => view.getInt16(at, true) };
  const law = code === waveFormats.muLaw ? 'PCMU' : code === waveFormats.aLaw ? 'PCMA' : undefined;
  if (law === undefined || bits !== 8)
    throw new SpeechError(`This WAV file has format ${code} with ${bits} bits. Save it as 16 bit PCM, µ-law or A-law.`);
  const levels = linearTable(law);
  return { width: 1, sample: (view, at) => levels[view.getUint8(at)] ?? 0 };
}

/**
 * Reads RIFF WAVE: 16 bit PCM, G.711 µ-law or A-law; mono or stereo; 8 or 16 kHz (Microsoft "Multimedia Programming
 * Interface", 1991). If a data chunk claims more than the file contains, as after a recorder crash, the available part
 * is read.
 * @throws SpeechError if the bytes aren't such a file, with the reason
 */
export function readWav(bytes: Uint8Array): Wav {
  const layout = waveLayout(bytes);
  if (!layout)
    throw new SpeechError(
      "This isn't a WAV file (no RIFF/WAVE header). Convert the recording to WAV with 8 or 16 kHz.",
    );
  const { format, data } = layout;
  if (!format || !data)
    throw new SpeechError(
      `This WAV file has no ${format ? 'audio data' : 'format'} chunk, so it may be cut off. Record or export it again.`,
    );
  return decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), data, format);
}

function decode(
  view: DataView,
  { at: start, length }: { readonly at: number; readonly length: number },
  format: WaveFormat,
): Wav {
  const { channels, sampleRate } = format;
  if (channels !== 1 && channels !== 2)
    throw new SpeechError(`This WAV file has ${channels} channels. Save it as mono or stereo.`);
  if (sampleRate !== 8000 && sampleRate !== 16000)
    throw new SpeechError(`This WAV file has ${sampleRate} samples per second. Save it with 8000 or 16000.`);
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

/** Returns 16 bit PCM RIFF WAVE. Channels of unequal length are padded with silence. */
export function writeWav({ channels, sampleRate }: Wav): Uint8Array<ArrayBuffer> {
  const data = interleaved(channels);
  const bytes = new Uint8Array(wavHeaderBytes + data.length);
  bytes.set(wavHeader({ sampleRate, channels: channels.length, dataLength: data.length }));
  bytes.set(data, wavHeaderBytes);
  return bytes;
}

export const wavHeaderBytes = 44;

/** Returns what precedes the samples of 16 bit PCM RIFF WAVE. `dataLength` is the number of bytes that follow. */
export function wavHeader({
  sampleRate,
  channels,
  dataLength,
}: {
  readonly sampleRate: number;
  readonly channels: number;
  readonly dataLength: number;
}): Uint8Array {
  const bytes = new Uint8Array(wavHeaderBytes);
  const view = new DataView(bytes.buffer);
  const tag = (at: number, text: string): void => {
    for (let i = 0; i < 4; i += 1) bytes[at + i] = text.charCodeAt(i);
  };
  tag(0, 'RIFF');
  view.setUint32(4, 36 + dataLength, true);
  tag(8, 'WAVE');
  tag(12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, waveFormats.pcm, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, dataLength, true);
  return bytes;
}

/** Returns samples of 16 bit PCM RIFF WAVE. Channels of unequal length are padded with silence. */
export function interleaved(channels: readonly Int16Array[]): Uint8Array {
  const frames = Math.max(0, ...channels.map((channel) => channel.length));
  const bytes = new Uint8Array(frames * channels.length * 2);
  const view = new DataView(bytes.buffer);
  for (let frame = 0; frame < frames; frame += 1) {
    channels.forEach((channel, index) =>
      view.setInt16((frame * channels.length + index) * 2, channel[frame] ?? 0, true),
    );
  }
  return bytes;
}
