import { parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/max';
import { callingCodes } from './emergency.ts';

/** Ranges with premium costs that the library doesn't know, or knows only in part. */
const ownRanges: readonly {
  readonly prefix: RegExp;
  readonly countries?: readonly string[];
  readonly because: string;
}[] = [
  { prefix: /^\+1900/, because: 'the library knows those alone that are assigned; carriers bill the whole area code' },
  { prefix: /^\+1976/, because: 'no area code, but the way people write the premium exchange below' },
  {
    prefix: /^\+1\d{3}976/,
    countries: ['US', 'CA'],
    because: '976 is a premium exchange in all their area codes; the library knows it for an ordinary one',
  },
  { prefix: /^\+979/, because: 'international premium rate; the library knows one length of it' },
  {
    prefix: /^\+4470/,
    because: 'personal numbering of the United Kingdom, of another kind to the library, at up to a pound a minute',
  },
  { prefix: /^\+49137/, because: 'televoting in Germany: most of it is shared cost to the library, billed a call' },
  { prefix: /^\+34905/, because: 'televoting in Spain: the library does not know it' },
  { prefix: /^\+39199/, because: 'shared cost in Italy, a personal number to the library, billed by the minute' },
];

const typeOf = (number: string): string | undefined => parsePhoneNumberFromString(number)?.getType();

function isOwnRange(number: string): boolean {
  const country = parsePhoneNumberFromString(number)?.country;
  return ownRanges.some(
    ({ prefix, countries }) =>
      prefix.test(number) && (countries === undefined || country === undefined || countries.includes(country)),
  );
}

/** The maximum number of digits in a short code: 118 500 in the United Kingdom, 16 400 in Finland. */
const longestCode = 6;
/** Directory enquiries in and around Europe, with a trunk prefix or extra digits, which exchanges ignore. */
const directory = /^0{0,2}118/;

/**
 * Returns true for a short code after a country code (ITU-T E.164 has none), such as +44118500, which some carriers
 * connect anyway. The lengths and the assigned ranges of every country come from libphonenumber, so only a number that
 * no plan contains counts as a code: +44 118 987 6543 is a number in Reading.
 */
export function isShortCode(number: string): boolean {
  if (typeOf(number) !== undefined) return false;
  if (validatePhoneNumberLength(number) === 'TOO_SHORT') return true;
  return [1, 2, 3].some((length) => {
    const code = number.slice(1 + length);
    return callingCodes.has(number.slice(1, 1 + length)) && (directory.test(code) || code.length <= longestCode);
  });
}

/** Country code and number together (ITU-T E.164, section 6.2). */
const shortest = '+1234567'.length,
  longest = '+123456789012345'.length;

/**
 * Returns true if a call to this number (E.164) costs a surcharge. Shared-cost numbers count as ordinary. A number with
 * a wrong length is also checked without its last digits, which exchanges ignore, and with additional ones.
 */
export function isPremium(number: string): boolean {
  if (isOwnRange(number)) return true;
  const type = typeOf(number);
  if (type !== undefined) return type === 'PREMIUM_RATE';
  return alike(number).some((other) => typeOf(other) === 'PREMIUM_RATE');
}

function alike(number: string): readonly string[] {
  const begun = Array.from({ length: Math.max(0, number.length - shortest) }, (_, cut) => number.slice(0, -1 - cut));
  const longer = ['0', '5'].flatMap((digit) =>
    Array.from({ length: longest - number.length }, (_, more) => number + digit.repeat(more + 1)),
  );
  return [...begun, ...longer];
}
