import type { PingAnswer, PingOptions } from '../call.ts';
import { DigestClient } from './digest.ts';
import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { topVia } from './message.ts';
import { SDP_TYPE } from './sdp.ts';
import { T1, Timers } from './timers.ts';
import type { Hop } from './targetLookups.ts';
import type { SipLocal } from './transport.ts';
import { ConnectError, isSamePlace } from './transport.ts';
import { seenPlace } from './via.ts';
import type { UserAgent } from './userAgent.ts';
import { addressOfRecord, hostReference } from './uri.ts';
import { newTag } from './userAgent.ts';

const DEFAULT_TIMEOUT_MS = 5000;
/** For a name without an address, or whose name server doesn't respond. */
const LOOKUP_ERRORS = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED'];

/** OPTIONS outside a dialog (RFC 3261 section 11.1), with digest (section 22). Never rejects: see `SipAgent`. */
export async function ping(
  userAgent: UserAgent,
  uri: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: PingOptions = {},
): Promise<PingAnswer> {
  const timers = new Timers(userAgent.clock);
  const tooLate = new Promise<PingAnswer>((resolve) =>
    timers.start('limit', timeoutMs, () => resolve({ status: 408, reason: 'no response', failure: 'timeout' })),
  );
  try {
    return await Promise.race([tooLate, ask(userAgent, uri, { timeoutMs, ...options }, timers)]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ConnectError)
      return { status: error.failure === 'timeout' ? 408 : 503, reason, failure: error.failure };
    const { code } = error as NodeJS.ErrnoException;
    return { status: 503, reason, failure: LOOKUP_ERRORS.includes(code ?? '') ? 'unknownHost' : 'unusable' };
  } finally {
    timers.stopAll();
  }
}

/** Rejects if the URI can't be reached. */
async function ask(
  userAgent: UserAgent,
  uri: string,
  options: PingOptions & { readonly timeoutMs: number },
  timers: Timers,
): Promise<PingAnswer> {
  const servers = await userAgent.servers(uri, options);
  return servers.tryEach(
    (hop, limitMs) => askServer(userAgent, uri, { ...options, limitMs }, timers, hop),
    ({ status, failure }) => failure !== undefined || status === 503,
  );
}

function askServer(
  userAgent: UserAgent,
  uri: string,
  { timeoutMs, limitMs, from, credentials }: PingOptions & { timeoutMs: number; limitMs: number | undefined },
  timers: Timers,
  first: Hop,
): Promise<PingAnswer> {
  let hop = first;
  const digest = credentials && new DigestClient(credentials);
  const caller = from ?? `sip:anonymous@${userAgent.hostPort(hop.local)}`;
  const fixed = [
    ['Max-Forwards', '70'],
    ['From', `<${caller}>;tag=${newTag()}`],
    ['To', `<${addressOfRecord(uri)}>`],
    ['Call-ID', newTag() + newTag()],
  ] as const;
  return new Promise((resolve, reject) => {
    let sequence = 0,
      authenticated = false,
      reconnected = false;
    const send = (): void => {
      const request: SipRequest = {
        kind: 'request',
        method: 'OPTIONS',
        uri,
        body: '',
        headers: new SipHeaders([
          ...fixed,
          ['CSeq', `${String(++sequence)} OPTIONS`],
          ['Contact', userAgent.contact(hop.local)],
          ['Accept', SDP_TYPE],
        ]),
      };
      digest?.apply(request, hop.peer);
      const sentAt = userAgent.clock.now();
      userAgent.request(request, hop, {
        onResponse: (response) => {
          timers.stop('refused');
          timers.stop('silence');
          reconnected = false;
          if (response.status < 200) return;
          if (digest?.learn(response, request, hop.peer)) {
            authenticated = true;
            send();
          } else
            resolve({
              status: response.status,
              reason: response.reason,
              ...nameOf(response),
              ...seenIn(response, hop.local),
              ...(hop.natTrouble !== undefined && { natTrouble: hop.natTrouble }),
              roundTripMs: userAgent.clock.now() - sentAt,
              ...(authenticated && { authenticated }),
            });
        },
        onFailure: () => {
          const {
            peer,
            local: { protocol },
          } = hop;
          if (protocol === 'UDP' || reconnected) {
            resolve({
              status: 503,
              reason: protocol === 'UDP' ? 'the network refused to send' : 'the connection broke',
              failure: 'network',
            });
            return;
          }
          // A peer can close a connection after each response.
          reconnected = true;
          userAgent.hopTo({ peer, protocol }, hop.way).then((again) => {
            hop = again;
            send();
          }, reject);
        },
      });
    };
    timers.start('refused', Math.min(T1, timeoutMs), () => {
      void userAgent.refuses(hop).then((refused) => {
        if (refused) resolve({ status: 503, reason: 'nothing listens there (port unreachable)', failure: 'refused' });
      });
    });
    if (limitMs !== undefined)
      timers.start('silence', Math.min(limitMs, timeoutMs / 2), () =>
        resolve({ status: 408, reason: 'no response', failure: 'timeout' }),
      );
    send();
  });
}

function nameOf({ headers }: SipResponse): { readonly server?: string } {
  const name = headers.get('Server') ?? headers.get('User-Agent');
  return name === undefined || name === '' ? {} : { server: name };
}

function seenIn(response: SipResponse, local: SipLocal): { readonly seenAs?: string } {
  const seen = seenPlace(topVia(response));
  return !seen || isSamePlace(seen, local) ? {} : { seenAs: `${hostReference(seen.host)}:${String(seen.port)}` };
}
