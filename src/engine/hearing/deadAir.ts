import type { Talk } from '../call/talk.ts';

/** Why nothing can be heard on a call where no audio comes that we could play; undefined where some did. */
export function whyNoAudio(talk: Talk): string | undefined {
  const { packets, otherCodecs } = talk.received();
  if (packets > 0) return undefined;
  if (otherCodecs.length > 0)
    return `The called side sends audio as ${otherCodecs.join(', ')}, although both sides agreed on G.711 (PCMU, PCMA). Set it to send G.711.`;
  return 'No audio arrived: Dialtree received no RTP packets. Check the NAT and firewall settings (RTP uses random UDP ports on this machine), and check that the called side sends audio.';
}

/** Why a call is given up on which nothing was heard for so long. */
export const deadAirReason = (talk: Talk, seconds: number): string =>
  whyNoAudio(talk) ?? `Dead air: nothing was heard for ${String(seconds)} s.`;
