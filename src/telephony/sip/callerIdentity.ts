import type { CallerAccount } from '../call.ts';
import { parseUri, quote } from './uri.ts';

type Caller = Pick<CallerAccount, 'displayName' | 'privacy' | 'headers' | 'from' | 'preferredIdentity'>;

const CONTROL = /\p{Cc}/u;
/** Other fields belong to the call itself: a second Via, Route or Contact would lead it elsewhere. */
const OWN_FIELD = /^(?:X-[A-Za-z0-9-]{1,60}|User-to-User|Diversion)$/i;
const MAX_VALUE_CHARACTERS = 512;
const MAX_OWN_FIELDS = 16;

/** Returns why this caller can't be named in a request; undefined if it can. */
export function identityProblem(caller: Caller): string | undefined {
  for (const uri of [caller.from, caller.preferredIdentity])
    if (uri !== undefined && !parseUri(uri)) return `“${uri}” isn't a SIP URI`;
  const name = caller.displayName ?? '';
  if (CONTROL.test(name)) return 'the display name contains a control character';
  if (name.length > MAX_VALUE_CHARACTERS) return 'the display name is too long';
  const fields = Object.entries(caller.headers ?? {});
  if (fields.length > MAX_OWN_FIELDS) return `there are more than ${String(MAX_OWN_FIELDS)} own header fields`;
  for (const [field, value] of fields) {
    if (!OWN_FIELD.test(field)) return 'only header fields named X-…, User-to-User or Diversion can be added';
    if (CONTROL.test(value)) return `the header field ${field} contains a control character`;
    if (value.length > MAX_VALUE_CHARACTERS) return `the header field ${field} is too long`;
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
