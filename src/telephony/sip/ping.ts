import { SipHeaders } from './headers.ts';
import { SDP_TYPE } from './sdp.ts';
import { Timers } from './timers.ts';
import type { Hop, UserAgent } from './userAgent.ts';
import { newTag } from './userAgent.ts';

const DEFAULT_TIMEOUT_MS = 5000;

/** OPTIONS outside a dialog (RFC 3261 section 11.1). Never rejects; see `SipAgent.options`. */
export async function ping(userAgent: UserAgent, uri: string, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<{ readonly status: number; readonly reason: string }> {
  let hop: Hop;
  try {
    hop = await userAgent.hop(uri);
  } catch (error) {
    return { status: 503, reason: error instanceof Error ? error.message : String(error) };
  }
  const timers = new Timers(userAgent.clock);
  return new Promise((resolve) => {
    timers.start('limit', timeoutMs, () => { resolve({ status: 408, reason: 'no response' }); });
    userAgent.request({
      kind: 'request', method: 'OPTIONS', uri, body: '',
      headers: new SipHeaders([
        ['Max-Forwards', '70'], ['From', `<sip:anonymous@${userAgent.hostPort(hop.localHost)}>;tag=${newTag()}`], ['To', `<${uri}>`],
        ['Call-ID', newTag() + newTag()], ['CSeq', '1 OPTIONS'], ['Contact', userAgent.contact(hop.localHost)], ['Accept', SDP_TYPE],
      ]),
    }, hop, {
      onResponse: ({ status, reason }) => {
        if (status < 200) return;
        timers.stopAll();
        resolve({ status, reason });
      },
      onFailure: () => {
        timers.stopAll();
        resolve({ status: 503, reason: 'the network refused to send' });
      },
    });
  });
}
