import { isEmergency } from './emergency.ts';
import { isPremium, isShortCode } from './premium.ts';

/** Why a number or an address isn't dialled. `message` is fit for users and names the next step. */
export interface DialRefusal {
  readonly refused: 'notE164' | 'emergency' | 'premium' | 'satellite' | 'noRoute';
  readonly message: string;
}

const E164 = /^\+[1-9]\d{6,14}$/;
/** Inmarsat, universal personal numbers, and the global networks. */
const SATELLITE = /^\+8(?:70|78|81|82|83)/;
/** Directory enquiries (118 xx to 118 xxx), and premium numbers in national form, complete or not. */
const PREMIUM_CODE = /^(?:118\d{1,3}|0?900\d*|0190\d*|0?976\d*)$/;
/** 202-555-0100 to 0199 are reserved for fiction. */
const FICTION = /^\+120255501\d\d$/;
export const isFiction = (number: string): boolean => FICTION.test(number);

/** Returns why a number is never dialled, whatever the routes say, or undefined for any other international number. */
export function refuseNumber(number: string): DialRefusal | undefined {
  const help = refuseHelp(number);
  if (help) return help;
  if (!E164.test(number)) {
    return {
      refused: 'notE164',
      message: `“${number}” isn't an international number. Write a plus sign, the country code and the number without spaces, such as +12025550123.`,
    };
  }
  if (SATELLITE.test(number)) {
    return {
      refused: 'satellite',
      message: `${number} is a satellite or global network number. Dialtree never calls these, because of their cost. Choose a landline or mobile number.`,
    };
  }
  if (isPremium(number)) return premium(number);
  return isShortCode(number)
    ? {
        refused: 'premium',
        message: `${number} isn't a complete number in its country, so a network may treat it as a short code, such as directory enquiries, which costs extra. Dialtree never calls these. Write the whole number.`,
      }
    : undefined;
}

/** Refuses everything that an exchange can read as an emergency or crisis line. */
export const refuseHelp = (dialled: string): DialRefusal | undefined =>
  isEmergency(dialled)
    ? {
        refused: 'emergency',
        message: `${dialled} is an emergency or crisis line, or a PBX may treat it as one. Dialtree never calls these. Choose another number.`,
      }
    : undefined;

/** Returns why a short code of digits, `*` and `#` that isn't an emergency line isn't dialled over a trunk. */
export function refuseShortCode(code: string): DialRefusal | undefined {
  if (PREMIUM_CODE.test(code)) return premium(code);
  if (code.startsWith('0'))
    return {
      refused: 'notE164',
      message: `“${code}” is in national format, which Dialtree doesn't send to trunks. Write a plus sign, the country code and the number without spaces, such as +12025550123.`,
    };
  return undefined;
}

const premium = (number: string): DialRefusal => ({
  refused: 'premium',
  message: `${number} is a premium-rate number. Dialtree never calls these. Choose a standard-rate number.`,
});
