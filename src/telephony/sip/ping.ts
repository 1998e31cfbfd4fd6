import type { PingAnswer, PingOptions } from '../call.ts';
import { DigestClient } from './digest.ts';
import { topVia } from './message.ts';
import type { SipResponse } from './message.ts';
import type { RegisteredLine } from './preloadedRoute.ts';
import { SDP_TYPE } from './sdp.ts';
import { sendStandalone } from './standaloneRequest.ts';
import { Unreachable } from './transport.ts';
import { seenPlace } from './via.ts';
import type { UserAgent } from './userAgent.ts';
import { addressOfRecord, hostReference } from './uri.ts';
import { newTag } from './userAgent.ts';

const DEFAULT_TIMEOUT_MS = 5000;

/** OPTIONS outside a dialog (RFC 3261 section 11.1). Never rejects: see `SipAgent`. */
export async function ping(
  userAgent: UserAgent,
  uri: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, from, credentials, ...way }: PingOptions = {},
  line?: RegisteredLine,
): Promise<PingAnswer> {
  const [tag, callId] = [newTag(), newTag() + newTag()];
  let sequence = 0;
  try {
    const { response, roundTripMs, authenticated, hop } = await sendStandalone(userAgent, {
      method: 'OPTIONS',
      target: uri,
      way,
      line,
      digest: credentials && new DigestClient(credentials),
      timeoutMs,
      fields: ({ local }) => [
        ['From', `<${from ?? `sip:anonymous@${userAgent.hostPort(local)}`}>;tag=${tag}`],
        ['To', `<${addressOfRecord(uri)}>`],
        ['Call-ID', callId],
        ['CSeq', `${String(++sequence)} OPTIONS`],
        ['Contact', userAgent.contact(local)],
        ['Accept', SDP_TYPE],
      ],
    });
    const { status, reason } = response;
    const seenAs = addressSeen(response, hop.local.host);
    return {
      status,
      reason,
      ...nameOf(response),
      roundTripMs,
      ...(authenticated && { authenticated }),
      ...(seenAs !== undefined && { seenAs }),
      ...(hop.natTrouble !== undefined && { natTrouble: hop.natTrouble }),
    };
  } catch (error) {
    const { failure, message } = Unreachable.by(error);
    return { status: failure === 'timeout' ? 408 : 503, reason: message, failure };
  }
}

/** Returns where the request came from, if that isn't this host. */
function addressSeen(response: SipResponse, host: string): string | undefined {
  const seen = seenPlace(topVia(response));
  return seen && seen.host !== host ? `${hostReference(seen.host)}:${String(seen.port)}` : undefined;
}

function nameOf({ headers }: SipResponse): { readonly server?: string } {
  const name = headers.get('Server') ?? headers.get('User-Agent');
  return name === undefined || name === '' ? {} : { server: name };
}
