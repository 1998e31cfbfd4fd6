import type { PingAnswer, PingOptions } from '../call.ts';
import { DigestClient } from './digest.ts';
import { SipHeaders } from './headers.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { SDP_TYPE } from './sdp.ts';
import { T1, Timers } from './timers.ts';
import { ConnectError } from './transport.ts';
import type { Hop, UserAgent } from './userAgent.ts';
import { newTag } from './userAgent.ts';

const DEFAULT_TIMEOUT_MS = 5000;
/** Of a name that has no address, or whose name server does not answer. */
const LOOKUP_ERRORS = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'EREFUSED'];

/** OPTIONS outside a dialog (RFC 3261 section 11.1), with digest where it is asked for (section 22). Never rejects; see `SipAgent.options`. */
export async function ping(userAgent: UserAgent, uri: string, { timeoutMs = DEFAULT_TIMEOUT_MS, from, credentials }: PingOptions = {}): Promise<PingAnswer> {
  let hop: Hop;
  try {
    hop = await userAgent.hop(uri);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ConnectError) return { status: error.failure === 'timeout' ? 408 : 503, reason, failure: error.failure };
    const { code } = error as NodeJS.ErrnoException;
    return { status: 503, reason, failure: LOOKUP_ERRORS.includes(code ?? '') ? 'unknownHost' : 'unusable' };
  }
  const digest = credentials && new DigestClient(credentials);
  const caller = from ?? `sip:anonymous@${userAgent.hostPort(hop.local)}`;
  const fixed = [['Max-Forwards', '70'], ['From', `<${caller}>;tag=${newTag()}`], ['To', `<${uri}>`], ['Call-ID', newTag() + newTag()]] as const;
  const timers = new Timers(userAgent.clock);
  return new Promise((resolve) => {
    let sequence = 0, authenticated = false;
    const settle = (answer: PingAnswer): void => {
      timers.stopAll();
      resolve(answer);
    };
    const send = (): void => {
      const request: SipRequest = {
        kind: 'request', method: 'OPTIONS', uri, body: '',
        headers: new SipHeaders([...fixed, ['CSeq', `${String(++sequence)} OPTIONS`], ['Contact', userAgent.contact(hop.local)], ['Accept', SDP_TYPE]]),
      };
      digest?.apply(request);
      const sentAt = userAgent.clock.now();
      userAgent.request(request, hop, {
        onResponse: (response) => {
          timers.stop('refused');
          if (response.status < 200) return;
          if (digest?.learn(response, request)) {
            authenticated = true;
            send();
          } else settle({ status: response.status, reason: response.reason, ...nameOf(response), roundTripMs: userAgent.clock.now() - sentAt, ...(authenticated && { authenticated }) });
        },
        onFailure: () => { settle({ status: 503, reason: 'the network refused to send', failure: 'network' }); },
      });
    };
    timers.start('limit', timeoutMs, () => { settle({ status: 408, reason: 'no response', failure: 'timeout' }); });
    timers.start('refused', Math.min(T1, timeoutMs), () => {
      void userAgent.refuses(hop).then((refused) => { if (refused) settle({ status: 503, reason: 'nothing listens there (port unreachable)', failure: 'refused' }); });
    });
    send();
  });
}

function nameOf({ headers }: SipResponse): { readonly server?: string } {
  const name = headers.get('Server') ?? headers.get('User-Agent');
  return name === undefined || name === '' ? {} : { server: name };
}
