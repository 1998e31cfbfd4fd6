import { unlessAborted } from '../../base/clock.ts';
import type { PingAnswer } from '../call.ts';
import type { DigestClient } from './digest.ts';
import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import type { RegisteredLine } from './routeSet.ts';
import { routeOutside } from './routeSet.ts';
import type { Hop } from './targetLookups.ts';
import { T1, Timers } from './timers.ts';
import type { ClientTransaction } from './transaction.ts';
import { ConnectError } from './transport.ts';
import type { UserAgent } from './userAgent.ts';

interface StandaloneRequest {
  readonly method: string;
  readonly target: string;
  readonly outboundProxy?: string | undefined;
  readonly line?: RegisteredLine | undefined;
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
    const { code } = error as NodeJS.ErrnoException;
    return new Unanswered(LOOKUP_ERRORS.includes(code ?? '') ? 'unknownHost' : 'unusable', reason);
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

async function exchange(
  userAgent: UserAgent,
  { method, target, digest, fields, nextSequence, timeoutMs, ...way }: StandaloneRequest,
  timers: Timers,
  over: AbortSignal,
): Promise<Answered> {
  const { uri, routes, hop: firstHop } = await routeOutside(userAgent, target, way);
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
          } = hop;
          if (protocol === 'UDP' || reconnected) {
            const reason = protocol === 'UDP' ? 'the network refused to send' : 'the connection broke';
            reject(new Unanswered('network', reason));
            return;
          }
          // A peer can close a connection after each response.
          reconnected = true;
          userAgent.hopTo({ peer, protocol }).then((again) => {
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
    send();
  });
}
