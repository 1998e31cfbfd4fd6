import { unlessAborted } from '../../base/clock.ts';
import type { PingAnswer } from '../call.ts';
import type { DigestClient } from './digest.ts';
import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { Leaving } from './preloadedRoute.ts';
import { routeOutside } from './preloadedRoute.ts';
import type { Routed } from './routeSet.ts';
import type { Hop } from './targetLookups.ts';
import { T1, Timers } from './timers.ts';
import type { ClientTransaction } from './transaction.ts';
import { ConnectError } from './transport.ts';
import type { UserAgent } from './userAgent.ts';

interface StandaloneRequest extends Leaving {
  readonly method: string;
  readonly target: string;
  readonly digest: DigestClient | undefined;
  /** All fields but Max-Forwards, Route and CSeq. Called for each attempt. */
  readonly fields: (hop: Hop) => readonly (readonly [string, string])[];
  readonly nextSequence: () => number;
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

/** No response came. `message` is part of a sentence. */
export class Unanswered extends Error {
  readonly failure: NonNullable<PingAnswer['failure']>;

  constructor(failure: Unanswered['failure'], message: string) {
    super(message);
    this.failure = failure;
  }

  /** Returns why there was no response. */
  static by(error: unknown): Unanswered {
    if (error instanceof Unanswered) return error;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ConnectError) return new Unanswered(error.failure, reason);
    const { code = '' } = error as NodeJS.ErrnoException;
    if (LOOKUP_ERRORS.includes(code)) return new Unanswered('unknownHost', reason);
    return new Unanswered(/^E[A-Z]+$/.test(code) ? 'network' : 'unusable', reason);
  }
}

/** For a name without an address, or whose name server doesn't respond. */
const LOOKUP_ERRORS = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED'];

/**
 * Sends a request that neither belongs to a dialog nor begins one, with digest (RFC 3261 section 22). Returns the final
 * response, and rejects with `Unanswered` or the reason of `signal`.
 */
export async function sendStandalone(userAgent: UserAgent, parts: StandaloneRequest): Promise<Answered> {
  const timers = new Timers(userAgent.clock);
  const over = new AbortController();
  const tooLate = new Promise<never>((_, reject) =>
    timers.start('limit', parts.timeoutMs, () => reject(new Unanswered('timeout', 'no response'))),
  );
  const signal = parts.signal ?? over.signal;
  try {
    return await unlessAborted(Promise.race([tooLate, exchange(userAgent, parts, timers, over.signal)]), signal);
  } catch (error) {
    throw signal.aborted ? error : Unanswered.by(error);
  } finally {
    timers.stopAll();
    over.abort();
  }
}

/** Tries each server in turn (RFC 3263 section 4.3). */
async function exchange(
  userAgent: UserAgent,
  parts: StandaloneRequest,
  timers: Timers,
  over: AbortSignal,
): Promise<Answered> {
  const { servers, ...routed } = await routeOutside(userAgent, parts.target, parts);
  const result = await servers.tryEach(
    (hop, limitMs) =>
      exchangeWith(userAgent, { ...parts, ...routed, limitMs }, { timers, over, firstHop: hop }).catch(
        (error: unknown) => Unanswered.by(error),
      ),
    (attempt) => attempt instanceof Unanswered || attempt.response.status === 503,
  );
  if (result instanceof Unanswered) throw result;
  return result;
}

function exchangeWith(
  userAgent: UserAgent,
  {
    method,
    uri,
    routes,
    digest,
    fields,
    nextSequence,
    timeoutMs,
    limitMs,
  }: StandaloneRequest & Pick<Routed, 'uri' | 'routes'> & { readonly limitMs: number | undefined },
  { timers, over, firstHop }: { readonly timers: Timers; readonly over: AbortSignal; readonly firstHop: Hop },
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
      headers.add('CSeq', `${String(nextSequence())} ${method}`);
      const request: SipRequest = { kind: 'request', method, uri, body: '', headers };
      digest?.apply(request, hop.peer);
      const sentAt = userAgent.clock.now();
      transaction = userAgent.request(request, hop, {
        onResponse: (response) => {
          timers.stop('refused');
          timers.stop('silence');
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
            reject(new Unanswered('network', reason));
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
    timers.start('refused', Math.min(T1, timeoutMs), () => {
      void userAgent.refuses(hop).then((refused) => {
        if (refused) reject(new Unanswered('refused', 'nothing listens there (port unreachable)'));
      });
    });
    if (limitMs !== undefined)
      timers.start('silence', Math.min(limitMs, timeoutMs / 2), () => reject(new Unanswered('timeout', 'no response')));
    send();
  });
}
