import { PracticeRegistry } from '../../src/practice/registry.ts';
import type { PracticePlaces } from '../../src/practice/registry.ts';
import type { SipAgent } from '../../src/telephony/call.ts';

/** Returns practice IVRs at these places, such as `127.0.0.1:5070`, beside those that really run. */
export function practiceAt(...places: readonly string[]): PracticePlaces {
  const played = new PracticeRegistry();
  return {
    answererAt: (host, port) => (places.includes(`${host}:${String(port)}`) ? 'listed' : played.answererAt(host, port)),
    running: () => played.running(),
    movedFrom: (uri) => played.movedFrom(uri),
  };
}

/**
 * Registers this test agent as a practice IVR, for services in other processes too. Returns a function that unregisters
 * it.
 */
export const playedBy = ({ address }: Pick<SipAgent, 'address'>): (() => void) =>
  new PracticeRegistry().announce(address);
