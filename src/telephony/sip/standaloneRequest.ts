import { inTime, unlessAborted } from '../../base/clock.ts';
import type { DigestClient } from './digest.ts';
import { exchange } from './exchange.ts';
import { SERVER_WAIT_MS } from './failover.ts';
import { SipHeaders } from './headers.ts';
import type { RegisteredLine } from './preloadedRoute.ts';
import { routeOutside } from './preloadedRoute.ts';
import type { HeaderFields } from './response.ts';
import type { Hop, Way } from './targetLookups.ts';
import { T1, Timers } from './timers.ts';
import { isSamePlace, noResponse } from './transport.ts';
import type { UserAgent } from './userAgent.ts';

interface StandaloneRequest {
  readonly method: string;
  readonly target: string;
  readonly way: Way;
  readonly line?: RegisteredLine | undefined;
  readonly digest: DigestClient | undefined;
  /** All fields but Max-Forwards and Route. Called for each attempt. */
  readonly fields: (hop: Hop) => HeaderFields;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

type Answered = Awaited<ReturnType<typeof exchange>> & {
  /** From the last request to its response. */
  readonly roundTripMs: number;
};

/**
 * Sends a request that neither belongs to a dialog nor begins one. Returns the final response, and rejects with
 * `Unreachable`, the resolver's error or the reason of `signal`.
 */
export async function sendStandalone(userAgent: UserAgent, parts: StandaloneRequest): Promise<Answered> {
  const over = new AbortController();
  const signal = parts.signal ? AbortSignal.any([parts.signal, over.signal]) : over.signal;
  try {
    const answered = unlessAborted(tryServers(userAgent, parts, signal), signal);
    return await inTime(userAgent.clock, parts.timeoutMs, answered, noResponse());
  } finally {
    over.abort();
  }
}

/** Tries each server in turn (RFC 3263 section 4.3). */
async function tryServers(
  userAgent: UserAgent,
  { method, target, way, line, digest, fields }: StandaloneRequest,
  signal: AbortSignal,
): Promise<Answered> {
  const { servers, uri, routes } = await routeOutside(userAgent, target, way, line);
  for (;;) {
    const timers = new Timers(userAgent.clock);
    const attempt = new AbortController();
    const over = AbortSignal.any([signal, attempt.signal]);
    let hop: Hop | undefined,
      sentAt = 0,
      roundTripMs = 0;
    const connect = async (): Promise<Hop> => {
      const last = hop;
      if (last) servers.again(last);
      hop = await servers.next();
      over.throwIfAborted();
      if (!last || !isSamePlace(last.peer, hop.peer)) {
        digest?.renew(hop.peer);
        if (servers.hasNext) timers.start('silence', SERVER_WAIT_MS, () => attempt.abort(noResponse()));
        const opened = hop;
        timers.start('refused', T1, () => {
          userAgent.assertOpen(opened).catch((why: unknown) => attempt.abort(why));
        });
      }
      return hop;
    };
    const answered = exchange({
      digest,
      connect,
      write: (to) => ({
        kind: 'request',
        method,
        uri,
        body: '',
        headers: new SipHeaders([
          ['Max-Forwards', '70'],
          ...routes.map((route) => ['Route', route] as const),
          ...fields(to),
        ]),
      }),
      send: (request, to) => {
        sentAt = userAgent.clock.now();
        return userAgent.request(request, to, over, () => {
          timers.stopAll();
          roundTripMs = userAgent.clock.now() - sentAt;
        });
      },
    });
    try {
      const result = await unlessAborted(answered, over);
      if (result.response.status !== 503 || !servers.failed(result.hop)) return { ...result, roundTripMs };
    } catch (error) {
      if (signal.aborted || !hop || !servers.failed(hop)) throw error;
    } finally {
      timers.stopAll();
      attempt.abort();
    }
  }
}
