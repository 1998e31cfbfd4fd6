import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export type NumberRefusal = 'unparseable' | 'country_not_supported' | 'not_a_mobile';

/** United Kingdom, Guernsey, Jersey, Isle of Man, United States. */
const countries = new Set(['GB', 'GG', 'JE', 'IM', 'US']);
/** Numbers of the United States do not tell mobiles from landlines: there the message decides. */
const mobileTypes = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** The number in E.164 form, or why nobody can be verified by it. */
export function mobileNumber(text: string): string | { readonly refused: NumberRefusal } {
  const number = parsePhoneNumberFromString(text);
  // A calling code that countries share tells the country of valid numbers alone.
  if (!number?.isPossible() || (number.country === undefined && !number.isValid())) return { refused: 'unparseable' };
  if (number.country === undefined || !countries.has(number.country)) return { refused: 'country_not_supported' };
  if (!number.isValid()) return { refused: 'unparseable' };
  return mobileTypes.has(number.getType() ?? '') ? number.number : { refused: 'not_a_mobile' };
}
