import { sentence, type Sentences } from '../../base/sentences.ts';
/**
 * Time zones of countries by calling code (ITU-T E.164): those of the European Economic Area, the United Kingdom and
 * Switzerland, for their mainland. Longer codes are territories with a different time than the country of the shorter
 * code.
 */
const zones: Readonly<Record<string, string>> = {
  30: 'Europe/Athens',
  31: 'Europe/Amsterdam',
  32: 'Europe/Brussels',
  33: 'Europe/Paris',
  34: 'Europe/Madrid',
  350: 'Europe/Gibraltar',
  351: 'Europe/Lisbon',
  352: 'Europe/Luxembourg',
  353: 'Europe/Dublin',
  354: 'Atlantic/Reykjavik',
  356: 'Europe/Malta',
  357: 'Asia/Nicosia',
  358: 'Europe/Helsinki',
  359: 'Europe/Sofia',
  36: 'Europe/Budapest',
  370: 'Europe/Vilnius',
  371: 'Europe/Riga',
  372: 'Europe/Tallinn',
  385: 'Europe/Zagreb',
  386: 'Europe/Ljubljana',
  39: 'Europe/Rome',
  40: 'Europe/Bucharest',
  41: 'Europe/Zurich',
  420: 'Europe/Prague',
  421: 'Europe/Bratislava',
  423: 'Europe/Vaduz',
  43: 'Europe/Vienna',
  44: 'Europe/London',
  45: 'Europe/Copenhagen',
  46: 'Europe/Stockholm',
  47: 'Europe/Oslo',
  48: 'Europe/Warsaw',
  49: 'Europe/Berlin',
  34822: 'Atlantic/Canary',
  34828: 'Atlantic/Canary',
  34922: 'Atlantic/Canary',
  34928: 'Atlantic/Canary',
};

interface Window {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the time zone of this number's called side, or this machine's if it isn't a number, as for a practice IVR.
 * Undefined if the country isn't known, or has several zones.
 */
export function zoneOf(phoneNumber: string | undefined): string | undefined {
  if (phoneNumber === undefined || !phoneNumber.startsWith('+'))
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  const digits = phoneNumber.slice(1);
  const code = Object.keys(zones)
    .sort((one, other) => other.length - one.length)
    .find((known) => digits.startsWith(known));
  return code === undefined ? undefined : zones[code];
}

/**
 * Returns why nothing can be judged at this time, and when it can, or undefined if it can now. A window that ends
 * before it begins includes midnight.
 */
export function whyNotNow({ from, to }: Window, phoneNumber: string | undefined, now: Date): Sentences | undefined {
  const zone = zoneOf(phoneNumber);
  if (zone === undefined)
    return sentence`This probe can be judged only between ${from} and ${to} in the called side's local time. The number doesn't show what the local time is, so no call was placed. Give a number in the EEA, the United Kingdom or Switzerland.`;
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  const within = from < to ? time >= from && time < to : time >= from || time < to;
  return within
    ? undefined
    : sentence`This probe can be judged only between ${from} and ${to} in the called side's local time (${zone}). It was ${time}, so no call was placed. Run the probe again between these times.`;
}
