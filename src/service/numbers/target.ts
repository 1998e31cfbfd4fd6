import { splitOutside } from '../../telephony/sip/headers.ts';
import { hostReference, parseUri, transportOf } from '../../telephony/sip/uri.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';
import { defaultPortOf } from '../../telephony/sip/via.ts';
import { plainDigits } from './dialled.ts';
import { refuseHelp, refuseNumber } from './neverDialled.ts';
import type { DialRefusal } from './neverDialled.ts';

/** What a text calls. `refused`: nothing, on any network. `number`: the text, if it is meant as a number. */
export type CallTarget =
  | {
      readonly kind: 'refused';
      readonly text: string;
      readonly number?: string | undefined;
      readonly refusal: DialRefusal;
    }
  | { readonly kind: 'number'; readonly text: string; readonly number: string }
  | AddressTarget;

/**
 * A SIP address, and its user part as systems can read it (RFC 3261 section 19.1.1, RFC 3966). Some ignore everything
 * except digits, and some read letters as telephone keys, so every reading must be safe.
 */
export interface AddressTarget {
  /**
   * `number`: with an international number. `shortCode`: with digits, `*` and `#`, such as an extension of a PBX or a
   * service of a carrier. `name`: with letters, or without a user part. `address`: any other, for practice IVRs only.
   */
  readonly kind: 'number' | 'shortCode' | 'name' | 'address';
  readonly text: string;
  readonly number?: never;
  readonly uri: SipUri;
  /** Without escapes, parameters and password; empty if there is none. */
  readonly name: string;
  /** Only its digits, `*`, `#` and `+`. */
  readonly digits: string;
  /** With letters as telephone keys (ITU-T E.161): 1-800-FLOWERS is 18003569377. */
  readonly keys: string;
  /** The digits, if it has no letters. */
  readonly code: string | undefined;
  /** The number, or the address under which consent is recorded: the same however it is written. */
  readonly called: string;
  /** Why only a practice IVR is called at an `address`. */
  readonly refusal: DialRefusal | undefined;
}

/** Reads a number or a SIP address. `host`: of the line that calls everything else, such as 600 or *43, as extensions. */
export function parseTarget(text: string, host?: string): CallTarget {
  const number = /^\+\d/.test(text) ? text : undefined;
  if (number === undefined && host !== undefined)
    return readAddress(`sip:${encodeURIComponent(text.toWellFormed())}@${host}`);
  if (/^sips?:/i.test(text)) return readAddress(text);
  const refusal = refuseNumber(text);
  return refusal ? { kind: 'refused', text, number, refusal } : { kind: 'number', text, number: text };
}

function readAddress(text: string): CallTarget {
  const uri = parseUri(text);
  const rest = text.slice(text.lastIndexOf('@') + 1);
  const refused = (message: string): CallTarget => ({
    kind: 'refused',
    text,
    refusal: { refused: 'noRoute', message },
  });
  // Spaces that aren't ASCII are trimmed from a host here, but aren't elsewhere.
  if (!uri || /[^\x21-\x7e]/.test(rest))
    return refused("This isn't a valid SIP address. Use the form sip:practice@127.0.0.1:5070.");
  const names = splitOutside(rest, ';')
    .slice(1)
    .map((parameter) => (parameter.split('=')[0] ?? '').toLowerCase());
  // If a parameter is repeated, the last value counts here, but elsewhere the first one.
  if (!names.every(isPlainName) || new Set(names).size < names.length)
    return refused(
      'The parameters of a SIP address can have only names of plain letters, digits, “.”, “_” and “-”, and each name only once. Write them without “%”, or leave them out.',
    );
  // An additional target beside the host would bypass the checks of the host.
  if (leadsAside(uri) || text.includes('?'))
    return refused('Dialtree doesn\'t call SIP addresses with headers, "maddr" or "route". Leave them out.');
  // Here the host follows the last @, but elsewhere the first one.
  if (uri.user?.includes('@') === true)
    return refused('A SIP address has only one @. Write an @ in the user part as %40.');
  return readUser(text, uri);
}

export const leadsAside = ({ params }: SipUri): boolean =>
  [...params.keys()].some((name) => name === 'maddr' || name === 'route' || !isPlainName(name));

/** An escaped name is the same as the plain one (RFC 3261 section 19.1.4): `m%61ddr` is `maddr`. */
const isPlainName = (name: string): boolean => /^[\w.-]*$/.test(name);

/** Reads the user part of an address, wherever it leads. */
export function readUser(text: string, uri: SipUri): AddressTarget {
  const { user = '' } = uri;
  const name = plainDigits(decoded(user.split(/[;:]/)[0] ?? ''));
  const said = name.replaceAll(/[^\p{L}\d*#+]/gu, '');
  const digits = said.replaceAll(/\p{L}/gu, '');
  const keys = said.toLowerCase().replaceAll(/[a-z]/g, keyOf).replaceAll(/\p{L}/gu, '');
  const code = digits === '' || digits !== said ? undefined : digits;
  // An extension with the number of its exchange (`phone-context`, RFC 3966) is a number.
  const isNumber = code !== undefined && (isLong(code) || /;phone-context=/i.test(user));
  const refusal =
    refuseSpelling(user) ??
    (code === undefined ? undefined : (refuseHelp(name) ?? (isNumber ? refuseNumber(code) : refuseHelp(code))));
  return {
    kind: refusal ? 'address' : isNumber ? 'number' : code === undefined ? 'name' : 'shortCode',
    text,
    uri,
    name,
    digits,
    keys,
    code,
    called: isNumber ? code : addressOf(code ?? name, uri),
    refusal,
  };
}

const addressOf = (name: string, { host, port }: SipUri): string =>
  `sip:${name === '' ? '' : `${name}@`}${hostReference(host.toLowerCase())}${port === undefined ? '' : `:${String(port)}`}`;

const longestExtension = 6;

/** Returns true for the digits of a phone number, not of a short extension. */
export const isLong = (digits: string): boolean => digits.includes('+') || digits.length > longestExtension;

/** Returns why only a practice IVR is called with this user part, whatever number it contains: others read it differently. */
function refuseSpelling(user: string): DialRefusal | undefined {
  if (user === '') return undefined;
  const [plain = '', ...parameters] = user.split(';');
  const text = decoded(plain);
  const message =
    plain.includes(':') || parameters.some((parameter) => !/^(?:phone-context|ext|isub)=/i.test(parameter))
      ? 'The part of a SIP address before the @ must be only a number or a name. Remove the “:” or “;” and everything between it and the @.'
      : /^[\w+*#.()/,!~'&=$?-]+$/.test(text) && /[\w*#]/.test(text)
        ? undefined
        : 'The part of a SIP address before the @ must be a number or a name in plain letters and digits, as in sip:+12025550123@trunk.example.com.';
  return message === undefined ? undefined : { refused: 'notE164', message };
}

const keyOf = (letter: string): string => '22233344455566677778889999'.charAt(letter.charCodeAt(0) - 97);

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The port of an address without one: that of its transport, or of the intended one. */
export const portOf = (uri: SipUri, meant = transportOf(uri)): number =>
  uri.port ?? defaultPortOf(transportOf(uri) ?? meant);

export const hostAndPortOf = (uri: SipUri): string => `${hostReference(uri.host)}:${String(portOf(uri))}`;
