import { PracticeRegistry } from '../../src/practice/registry.ts';
import type { PracticePlaces } from '../../src/practice/registry.ts';
import type { SipAgent } from '../../src/telephony/call.ts';

/** Practice IVRs at these places, such as `127.0.0.1:5070`, beside those that really are played. */
export function practiceAt(...places: readonly string[]): PracticePlaces {
  const played = new PracticeRegistry();
  return { answersAt: (host, port) => places.includes(`${host}:${String(port)}`) || played.answersAt(host, port) };
}

/**
 * Notes that this agent of a test is a practice IVR, also for services in other processes. Returns what takes the note
 * back.
 */
export const playedBy = ({ address }: Pick<SipAgent, 'address'>): (() => void) =>
  new PracticeRegistry().announce(address);
