import type { DigestClient } from './digest.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { Hop } from './targetLookups.ts';
import { Unreachable } from './transport.ts';

interface Exchange {
  readonly digest: DigestClient | undefined;
  /** Returns where the next attempt goes; `last` is the hop of the one before. */
  readonly connect: (last?: Hop) => Promise<Hop>;
  readonly write: (hop: Hop) => SipRequest;
  /** Returns the final response; rejects with `Unreachable`. */
  readonly send: (request: SipRequest, hop: Hop) => Promise<SipResponse>;
}

interface Answered {
  readonly response: SipResponse;
  readonly hop: Hop;
  /** It requested credentials and received them. */
  readonly authenticated: boolean;
}

/**
 * Sends a request, and repeats it after each permitted digest challenge (RFC 3261 section 22), and once over another
 * connection: a peer can close one after each response. Rejects as `connect` and `send`.
 */
export async function exchange({ digest, connect, write, send }: Exchange): Promise<Answered> {
  let authenticated = false,
    reconnected = false,
    hop: Hop | undefined;
  for (;;) {
    hop = await connect(hop);
    const request = write(hop);
    digest?.apply(request, hop.peer);
    try {
      const response = await send(request, hop);
      reconnected = false;
      if (digest?.learn(response, request, hop.peer) !== true) return { response, hop, authenticated };
      authenticated = true;
    } catch (error) {
      if (reconnected || !(error instanceof Unreachable) || error.failure !== 'network') throw error;
      reconnected = true;
    }
  }
}
