import type { Talk } from './talk.ts';

/** Why nothing can be heard on a call where no audio comes that we could play; undefined where some did. */
export function whyNoAudio(talk: Talk): string | undefined {
  const { packets, otherCodecs } = talk.received();
  if (packets > 0) return undefined;
  if (otherCodecs.length > 0)
    return `The far side sends audio as ${otherCodecs.join(', ')}; G.711 (PCMU, PCMA) is what this caller speaks, and what was agreed. Let it send that.`;
  return 'No audio comes at all: not one RTP packet arrived. Check NAT and firewall (RTP comes to random UDP ports of this machine), and that the far side sends.';
}

/** Why a call is given up on which nothing was heard for so long. */
export const deadAirReason = (talk: Talk, seconds: number): string =>
  whyNoAudio(talk) ?? `Dead air: nothing was heard for ${String(seconds)} s.`;
