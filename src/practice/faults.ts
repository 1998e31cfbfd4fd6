import type { Faults } from '../contract/ivrFile.ts';
import type { Clock } from '../base/clock.ts';
import { decodeAlaw, decodeUlaw, encodeAlaw, encodeUlaw } from '../base/g711.ts';

type RtpImpairment = (packet: Uint8Array, send: (packet: Uint8Array) => void) => void;

const headerBytes = 12;

/** Returns the file's media faults as a function on outgoing packets, or undefined if there are none. */
export function impairmentOf(faults: Faults, random: () => number, clock: Clock): RtpImpairment | undefined {
  if (faults.loss === 0 && faults.jitterMs === 0 && faults.noiseDb === null) return undefined;
  const noiseLevel = faults.noiseDb === null ? 0 : 32_767 * 10 ** (faults.noiseDb / 20);
  return (packet, send) => {
    if (random() < faults.loss) return;
    const noisy = noiseLevel > 0 ? addNoise(packet, noiseLevel, random) : packet;
    if (faults.jitterMs === 0) {
      send(noisy);
      return;
    }
    const copy = Uint8Array.from(noisy);
    clock.setTimeout(() => send(copy), random() * faults.jitterMs);
  };
}

/** Adds white noise with the given RMS to a G.711 packet. Other payloads (telephone events) stay unchanged. */
function addNoise(packet: Uint8Array, level: number, random: () => number): Uint8Array {
  const payloadType = (packet[1] ?? 0) & 0x7f;
  if (payloadType !== 0 && payloadType !== 8) return packet;
  const payload = packet.subarray(headerBytes);
  const pcm = payloadType === 0 ? decodeUlaw(payload) : decodeAlaw(payload);
  for (let index = 0; index < pcm.length; index += 1) {
    // The sum of three uniform values is close enough to a Gaussian. sqrt(4) scales its deviation (1/2) to one.
    const noise = (random() + random() + random() - 1.5) * 2 * level;
    pcm[index] = Math.max(-32_768, Math.min(32_767, Math.round((pcm[index] ?? 0) + noise)));
  }
  const noisy = Uint8Array.from(packet);
  noisy.set(payloadType === 0 ? encodeUlaw(pcm) : encodeAlaw(pcm), headerBytes);
  return noisy;
}
