import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { crisisLines } from './crisisLines.ts';
import { dialledStrings } from './dialled.ts';
import { emergencyCodes, wellKnownCodes } from './emergencyCodes.ts';

const codes: ReadonlySet<string> = new Set(Object.values(emergencyCodes).flat());
const wellKnown: ReadonlySet<string> = new Set(wellKnownCodes);
/** Codes of four or more digits that can begin a number elsewhere, by the calling code of their country. */
const longCodes: ReadonlySet<string> = new Set(
  getCountries().flatMap((country) =>
    (emergencyCodes[country] ?? [])
      .filter((code) => code.length > 3)
      .map((code) => `${getCountryCallingCode(country)}${code}`),
  ),
);
export const callingCodes: ReadonlySet<string> = new Set(
  getCountries().map((country) => getCountryCallingCode(country)),
);
/** Exchanges ignore digits after the end of a number. */
const beginsAsCrisisLine = (digits: string): boolean =>
  crisisLines.some(({ number }) => digits.startsWith(number.slice(1)));

/** European helplines: 116 and three digits. */
const isHelpline = (code: string): boolean => /^116\d{3}$/.test(code);
const isCode = (code: string): boolean => codes.has(code) || isHelpline(code);

/** Common prefixes for an outside line. */
const outsideLines = ['0', '00', '09', '9', '90', '99'] as const;
/** Any one or two digits can be such a prefix, so before a well-known code they are ignored. */
const digitsBefore = /^\d{1,2}(?=\d{3}$)/;

const isWellKnown = (digits: string): boolean => wellKnown.has(digits.replace(digitsBefore, ''));

/** `digits` after the calling code of any country. */
function isInternational(digits: string): boolean {
  if (beginsAsCrisisLine(digits) || longCodes.has(digits)) return true;
  return [1, 2, 3].some((length) => {
    const code = digits.slice(length);
    return callingCodes.has(digits.slice(0, length)) && (isHelpline(code) || (code.length <= 3 && codes.has(code)));
  });
}

function callsHelp(dialled: string): boolean {
  const digits = dialled.replace('+', '');
  if (isCode(digits) || beginsAsCrisisLine(digits)) return true;
  if (dialled.startsWith('+')) return isInternational(digits);
  if (isWellKnown(digits)) return true;
  if (outsideLines.some((access) => digits.startsWith(access) && isCode(digits.slice(access.length)))) return true;
  const [, abroad] = /^(?:00|011)(\d+)$/.exec(digits) ?? [];
  return abroad !== undefined && isInternational(abroad);
}

/**
 * Returns true if an exchange can read the text as an emergency or crisis line: alone, with a country code, after
 * digits for an outside line, or before other keys.
 */
export const isEmergency = (text: string): boolean => dialledStrings(text).some(callsHelp);

/** Returns true for a code that every exchange knows, in a name with digits: `room110`, not `agent104`. */
export const isKnownEmergency = (text: string): boolean => dialledStrings(text).some(isWellKnown);
