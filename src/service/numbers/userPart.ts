import { plainDigits } from './dialled.ts';
import { isEmergency, isKnownEmergency } from './emergency.ts';
import { refuseHelp, refuseNumber, refuseShortCode } from './neverDialled.ts';
import type { NumberRefusal } from './neverDialled.ts';
import type { SipUri } from '../../telephony/sip/uri.ts';

/**
 * The user part of a SIP address, as systems can read it (RFC 3261 section 19.1.1, RFC 3966). Some ignore everything
 * except digits, and some read letters as telephone keys, so every reading must be safe.
 */
interface UserPart {
  /** Without escapes, parameters and password; empty if there is none. */
  readonly name: string;
  /** Only its digits, `*`, `#` and `+`. */
  readonly digits: string;
  /** With letters as telephone keys (ITU-T E.161): 1-800-FLOWERS is 18003569377. */
  readonly keys: string;
  /** It contains both letters and digits. */
  readonly isMixed: boolean;
}

export function userPartOf({ user = '' }: SipUri): UserPart {
  const name = plainDigits(decoded(user.split(/[;:]/)[0] ?? ''));
  const said = name.replaceAll(/[^\p{L}\d*#+]/gu, '');
  const digits = said.replaceAll(/\p{L}/gu, '');
  return {
    name,
    digits,
    keys: said.toLowerCase().replaceAll(/[a-z]/g, keyOf).replaceAll(/\p{L}/gu, ''),
    isMixed: digits !== '' && /\p{L}/u.test(said),
  };
}

/** Returns the number or code of the user part if it has no letters. */
export const codeOf = ({ digits, isMixed }: UserPart): string | undefined =>
  isMixed || digits === '' ? undefined : digits;

const longestExtension = 6;

/**
 * Returns the phone number of the user part, if it contains one: not a short extension, but an extension with the
 * number of its exchange (`phone-context`, RFC 3966), and a number with letters.
 */
export function numberIn(uri: SipUri): string | undefined {
  const { digits, isMixed } = userPartOf(uri);
  if (digits === '') return undefined;
  return digits.includes('+') ||
    digits.length > longestExtension ||
    (!isMixed && /;phone-context=/i.test(uri.user ?? ''))
    ? digits
    : undefined;
}

/**
 * Returns why a user part that an exchange can read as an emergency call isn't dialled. `network`: it goes to the
 * telephone network, otherwise to a private exchange, whose extensions can have any name.
 */
export function refuseCallForHelp(
  { name, digits, keys, isMixed }: UserPart,
  network: boolean,
): NumberRefusal | undefined {
  const isCode = digits !== '' && !isMixed;
  const readings = isCode ? [name, digits] : network || isMixed ? [name, digits, keys] : [];
  const help = readings.find(network || isCode ? isEmergency : isKnownEmergency);
  if (help === undefined) return undefined;
  if (isCode) return refuseHelp(help);
  return {
    refused: 'emergency',
    message: `A PBX may treat “${name}” as ${help}, an emergency line. Dialtree never calls these. Choose another address.`,
  };
}

/**
 * Returns why a name, with letters and perhaps digits, isn't dialled if an exchange can read it as a number. `network`:
 * it goes to the telephone network, otherwise to a private exchange, whose extensions can have any name.
 */
export function refuseName({ name, digits, keys, isMixed }: UserPart, network: boolean): NumberRefusal | undefined {
  if (!isMixed) return undefined;
  const readings = [digits, keys].filter((reading) => reading !== '');
  // Its keys are checked if it begins like a number: CALL-ME-2 is a name.
  const asNumbers = /^[\d+*#]/.test(name) ? readings : [digits];
  const costly = network
    ? asNumbers.map((reading) => premiumOrSatellite(reading)).find((refusal) => refusal !== undefined)
    : undefined;
  if (costly) return { ...costly, message: `A PBX may treat “${name}” as another number: ${costly.message}` };
  if (!asNumbers.some((reading) => reading.includes('+') || reading.length > longestExtension)) return undefined;
  return {
    refused: 'notE164',
    message: `“${name}” is a number with letters, which PBXs read in different ways. Use only digits: a plus sign, the country code and the number, such as +12025550123.`,
  };
}

/**
 * Returns why an address that isn't a practice IVR isn't called, whatever number it contains: it isn't known how the
 * called side reads it.
 */
export function refuseSpelling({ user }: SipUri): string | undefined {
  if (user === undefined) return undefined;
  const [plain = '', ...parameters] = user.split(';');
  const text = decoded(plain);
  if (plain.includes(':') || parameters.some((parameter) => !/^(?:phone-context|ext|isub)=/i.test(parameter)))
    return 'The part of a SIP address before the @ must be only a number or a name. Remove the “:” or “;” and everything between it and the @.';
  if (!/^[\w+*#.()/,!~'&=$?-]+$/.test(text) || !/[\w*#]/.test(text))
    return 'The part of a SIP address before the @ must be a number or a name in plain letters and digits, as in sip:+12025550123@trunk.example.com.';
  return undefined;
}

function premiumOrSatellite(code: string): NumberRefusal | undefined {
  const short = refuseShortCode(code);
  if (short?.refused === 'premium') return short;
  const bare = code.replaceAll(/[*#+]/g, '');
  return [code, `+${bare}`, `+${bare.replace(/^00/, '')}`]
    .map(refuseNumber)
    .find((refusal) => refusal?.refused === 'premium' || refusal?.refused === 'satellite');
}

function keyOf(letter: string): string {
  return '22233344455566677778889999'.charAt(letter.charCodeAt(0) - 97);
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
