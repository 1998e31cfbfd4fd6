import type { CallerAccount } from '../call.ts';
import { parseUri, quote } from './uri.ts';

type Caller = Pick<CallerAccount, 'displayName' | 'privacy' | 'headers' | 'from' | 'preferredIdentity'>;

const CONTROL = /\p{Cc}/u;
/** Other fields belong to the call itself: a second Via, Route or Contact would lead it elsewhere. */
const OWN_FIELD = /^(?:X-[A-Za-z0-9-]{1,60}|User-to-User|Diversion)$/i;

/** Returns why this caller would break a request; undefined if it wouldn't. The contract limits lengths. */
export function identityProblem(caller: Caller): string | undefined {
  for (const uri of [caller.from, caller.preferredIdentity])
    if (uri !== undefined && !parseUri(uri)) return `“${uri}” isn't a SIP URI`;
  if (CONTROL.test(caller.displayName ?? '')) return 'the display name contains a control character';
  for (const [field, value] of Object.entries(caller.headers ?? {})) {
    if (!OWN_FIELD.test(field)) return 'only header fields named X-…, User-to-User or Diversion can be added';
    if (CONTROL.test(value)) return `the header field ${field} contains a control character`;
  }
  return undefined;
}

/**
 * The header fields that say who calls: From (RFC 3261 section 20.20), what a trusted proxy needs to
 * assert or to withhold the identity (RFC 3323 section 4.1, RFC 3325 section 9), and the caller's own fields.
 * `anonymous` is the SIP URI of a caller without one.
 */
export function identityFields(caller: Caller, tag: string, anonymous: string): (readonly [string, string])[] {
  const { displayName = '', privacy = false, headers = {}, from, preferredIdentity } = caller;
  const named = (uri: string): string => `${displayName === '' ? '' : `${quote(displayName)} `}<${uri}>`;
  // A proxy can't withhold or bill an identity that it isn't given.
  const identity = preferredIdentity ?? (privacy ? from : undefined);
  return [
    ['From', `${privacy ? '"Anonymous" <sip:anonymous@anonymous.invalid>' : named(from ?? anonymous)};tag=${tag}`],
    ...(identity === undefined ? [] : [['P-Preferred-Identity', named(identity)] as const]),
    ...(privacy ? [['Privacy', 'id'] as const] : []),
    ...Object.entries(headers),
  ];
}
