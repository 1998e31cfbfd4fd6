import { inTime, unlessAborted } from '../../base/clock.ts';
import type { DigestClient } from './digest.ts';
import { SERVER_WAIT_MS } from './failover.ts';
import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { Leaving } from './preloadedRoute.ts';
import { routeOutside } from './preloadedRoute.ts';
import type { Routed } from './routeSet.ts';
import type { Hop } from './targetLookups.ts';
import { T1, Timers } from './timers.ts';
import type { ClientTransaction } from './transaction.ts';
import { Unreachable } from './transport.ts';
import type { UserAgent } from './userAgent.ts';

interface StandaloneRequest extends Leaving {
  readonly method: string;
  readonly target: string;
  readonly digest: DigestClient | undefined;
  /** All fields but Max-Forwards and Route. Called for each attempt. */
  readonly fields: (hop: Hop) => readonly (readonly [string, string])[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface Answered {
  readonly request: SipRequest;
  readonly response: SipResponse;
  readonly hop: Hop;
  /** From the last request to its response. */
  readonly roundTripMs: number;
  /** It requested credentials and received them. */
  readonly authenticated: boolean;
}

const noResponse = (): Unreachable => new Unreachable('timeout', 'no response');

/**
 * Sends a request that neither belongs to a dialog nor begins one, with digest (RFC 3261 section 22). Returns the final
 * response, and rejects with `Unreachable`, the resolver's error or the reason of `signal`.
 */
export async function sendStandalone(userAgent: UserAgent, parts: StandaloneRequest): Promise<Answered> {
  const over = new AbortController();
  const signal = parts.signal ? AbortSignal.any([parts.signal, over.signal]) : over.signal;
  try {
    return await inTime(userAgent.clock, parts.timeoutMs, exchange(userAgent, parts, signal), noResponse());
  } finally {
    over.abort();
  }
}

/** Tries each server in turn (RFC 3263 section 4.3). */
async function exchange(userAgent: UserAgent, parts: StandaloneRequest, signal: AbortSignal): Promise<Answered> {
  const { servers, ...routed } = await unlessAborted(routeOutside(userAgent, parts.target, parts), signal);
  for (;;) {
    const hop = await unlessAborted(servers.next(), signal);
    const timers = new Timers(userAgent.clock);
    const attempt = new AbortController();
    const answered = exchangeWith(userAgent, { ...parts, ...routed }, hop, timers, attempt.signal);
    if (servers.hasNext) timers.start('silence', SERVER_WAIT_MS, () => attempt.abort(noResponse()));
    try {
      const result = await unlessAborted(answered, AbortSignal.any([signal, attempt.signal]));
      if (result.response.status !== 503 || !servers.failed(hop)) return result;
    } catch (error) {
      if (signal.aborted || !servers.failed(hop)) throw error;
    } finally {
      timers.stopAll();
      attempt.abort();
    }
  }
}

/** Returns the final response of one server. `over` ends the attempt, so that nothing is repeated any more. */
function exchangeWith(
  userAgent: UserAgent,
  { method, uri, routes, digest, fields }: StandaloneRequest & Pick<Routed, 'uri' | 'routes'>,
  firstHop: Hop,
  timers: Timers,
  over: AbortSignal,
): Promise<Answered> {
  digest?.renew(firstHop.peer);
  return new Promise((resolve, reject) => {
    let hop = firstHop,
      authenticated = false,
      reconnected = false,
      transaction: ClientTransaction | undefined;
    const send = (): void => {
      if (over.aborted) return;
      const headers = new SipHeaders([['Max-Forwards', '70']]);
      for (const route of routes) headers.add('Route', route);
      for (const [name, value] of fields(hop)) headers.add(name, value);
      const request: SipRequest = { kind: 'request', method, uri, body: '', headers };
      digest?.apply(request, hop.peer);
      const sentAt = userAgent.clock.now();
      transaction = userAgent.request(request, hop, {
        onResponse: (response) => {
          timers.stopAll();
          reconnected = false;
          if (response.status < 200) return;
          if (digest?.learn(response, request, hop.peer)) {
            authenticated = true;
            send();
          } else {
            resolve({ request, response, hop, roundTripMs: userAgent.clock.now() - sentAt, authenticated });
          }
        },
        onFailure: () => {
          const {
            peer,
            local: { protocol, contact },
            way,
          } = hop;
          if (protocol === 'UDP' || reconnected) {
            const reason = protocol === 'UDP' ? 'the network refused to send' : 'the connection broke';
            reject(new Unreachable('network', reason));
            return;
          }
          // A peer can close a connection after each response.
          reconnected = true;
          userAgent.hopTo({ peer, protocol }, way).then((again) => {
            hop = { ...again, local: { ...again.local, contact } };
            send();
          }, reject);
        },
      });
    };
    over.addEventListener('abort', () => transaction?.terminate(), { once: true });
    timers.start('refused', T1, () => {
      void userAgent.refuses(hop).then((refused) => {
        if (refused) reject(new Unreachable('refused', 'nothing listens there (port unreachable)'));
      });
    });
    send();
  });
}
