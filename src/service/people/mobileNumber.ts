import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export type NumberRefusal = 'unparseable' | 'country_not_supported' | 'not_a_mobile';

/** United Kingdom, Guernsey, Jersey, Isle of Man, United States. */
const countries = new Set(['GB', 'GG', 'JE', 'IM', 'US']);
/** United States numbers don't distinguish mobiles from landlines, so only the message can show it. */
const mobileTypes = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** Returns the number in E.164 form, or why it can't be used for verification. */
export function mobileNumber(text: string): string | { readonly refused: NumberRefusal } {
  const number = parsePhoneNumberFromString(text);
  // A shared calling code gives the country only of valid numbers.
  if (!number?.isPossible() || (number.country === undefined && !number.isValid())) return { refused: 'unparseable' };
  if (number.country === undefined || !countries.has(number.country)) return { refused: 'country_not_supported' };
  if (!number.isValid()) return { refused: 'unparseable' };
  return mobileTypes.has(number.getType() ?? '') ? number.number : { refused: 'not_a_mobile' };
}
