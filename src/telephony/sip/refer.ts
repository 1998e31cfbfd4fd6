import type { SipRequest } from './message.ts';
import { maskPassword } from './trace.ts';
import { parseNameAddress } from './uri.ts';

const MAX_TARGET_CHARACTERS = 200;

/**
 * Returns the URI to which a REFER transfers the call, for people: without its password and its embedded header fields.
 * Undefined unless there is exactly one Refer-To (RFC 3515 section 2.4.2).
 */
export function transferTarget(refer: SipRequest): string | undefined {
  const [only, ...others] = refer.headers.all('Refer-To');
  if (only === undefined || others.length > 0) return undefined;
  const uri = parseNameAddress(only)?.uri.split('?', 1)[0];
  return uri && maskPassword(uri).replaceAll(/\p{C}/gu, '').slice(0, MAX_TARGET_CHARACTERS);
}
