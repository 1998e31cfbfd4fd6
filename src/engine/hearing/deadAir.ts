import { sentence, type Sentences } from '../../base/sentences.ts';
import type { ActiveCall } from '../call/activeCall.ts';

/** Returns why nothing can be heard on a call without playable audio, or undefined if there was some. */
export function whyNoAudio(call: ActiveCall): Sentences | undefined {
  const { packets, otherCodecs, elsewhere, refusedPackets } = call.received();
  if (packets > 0) return undefined;
  if (otherCodecs.length > 0)
    return sentence`The called side sends audio as ${otherCodecs.join(', ')}, although both sides agreed on G.711 (PCMU, PCMA). Set it to send G.711.`;
  if (refusedPackets !== undefined)
    return sentence`No audio could be decrypted: ${refusedPackets} RTP packets arrived that don't fit the keys in the SDP of the called side. Check its SRTP settings, or set the line's srtp to off.`;
  if (elsewhere !== undefined)
    return sentence`No audio arrived from the called side, but RTP packets came from ${elsewhere}, an address that it didn't name in SIP. Dialtree hears audio from there only if it's one steady stream of G.711. Set the called side to send audio from the address in its SDP.`;
  return sentence`No audio arrived: Dialtree received no RTP packets. Check the NAT and firewall settings (RTP uses random UDP ports on this machine), and check that the called side sends audio.`;
}

/** Returns why a call ends on which nothing was heard for this long. */
export const deadAirReason = (call: ActiveCall, seconds: number): Sentences =>
  whyNoAudio(call) ?? sentence`Dead air: nothing was heard for ${seconds} s.`;
