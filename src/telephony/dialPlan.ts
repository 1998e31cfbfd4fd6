import { parseUri } from './sip/uri.ts';

/** Where a number is dialled; `lab` when it stays on this machine. `costPerMinute`, `line`: of a call there, where the plan tells them. */
export interface Route {
  readonly uri: string;
  readonly lab: boolean;
  readonly costPerMinute?: number;
  readonly line?: string;
}

/**
 * What a number leads to: a SIP URI in which `{number}` stands for the number, alone or with the rate of calls there and the name of their line.
 * `leavesMachine`: calls leave the machine also where the host of the URI is this one, as behind a gateway to the telephone network.
 */
export type RouteEntry =
  | string
  | {
      readonly uri: string;
      readonly costPerMinute?: number | undefined;
      readonly line?: string;
      readonly leavesMachine?: boolean;
    };
export type DialPlan = Readonly<Record<string, RouteEntry>>;
export const uriOf = (entry: RouteEntry): string => (typeof entry === 'string' ? entry : entry.uri);

/** Why a number is not dialled; `message` is fit for a user and names the next step. */
export interface RouteRefusal {
  readonly refused: 'notE164' | 'emergency' | 'premium' | 'satellite' | 'noRoute';
  readonly message: string;
}

const E164 = /^\+[1-9]\d{6,14}$/;
/** Emergency and crisis lines, dialled bare or behind a country code of 1 to 3 digits. 116 xxx are the European helplines. */
const EMERGENCY =
  /^(?:\+\d{1,3})?(?:000|100|101|102|103|104|108|110|111|112|113|114|115|117|118|119|120|122|123|130|133|144|155|158|166|190|191|192|193|194|195|197|198|199|911|988|991|992|993|994|995|997|998|999|116\d{3})$/;
const BARE_EMERGENCY = /^(?:\+33)?1[578]$/;
/** An emergency line behind a digit for an outside line, a service code, or with keys around it. */
const DISGUISED_EMERGENCY = /^(?:[09]|[*#]+(?:\d\d)?)?(?:110|112|911|999)[*#]*$/;
/** Directory enquiries (118 xx to 118 xxx), and premium numbers in national form, as far as somebody begins them. */
const PREMIUM_CODE = /^(?:118\d{1,3}|0?900\d*|0190\d*|0?976\d*)$/;
/** Numbers whose minutes cost the caller a surcharge, by national plan, and the international +979. */
const PREMIUM = [
  '+1900',
  '+1976',
  '+979',
  '+449',
  '+4487',
  '+4470',
  '+49900',
  '+49137',
  '+3389',
  '+41900',
  '+41901',
  '+41906',
  '+43900',
  '+43901',
  '+43930',
  '+43931',
  '+43939',
  '+3989',
  '+39199',
  '+34803',
  '+34806',
  '+34807',
  '+34905',
  '+31900',
  '+31906',
  '+31909',
  '+3290',
  '+3531512',
  '+3531513',
  '+3531514',
  '+3531515',
  '+3531516',
  '+3531517',
  '+3531518',
  '+46900',
  '+46939',
  '+46944',
  '+47820',
  '+47829',
  '+4590',
  '+358600',
  '+358700',
  '+48700',
  '+48701',
  '+48703',
  '+48704',
  '+48708',
  '+6119',
  '+81990',
];
/** In North America 976 is an exchange in every area code. */
const PREMIUM_EXCHANGE = /^\+1\d{3}976\d{4}$/;
const SATELLITE = ['+870', '+878', '+881', '+882', '+883'];
/** 202-555-0100 to 0199 are reserved for fiction. */
const FICTION = /^\+120255501\d\d$/;
export const isFiction = (number: string): boolean => FICTION.test(number);

/**
 * The route of `number` (E.164) through `routes`: a key is a full number (exact) or a prefix that ends in `*` (the longest wins).
 * What must never be dialled is refused, whatever the routes say.
 */
export function resolveRoute(number: string, routes: DialPlan): Route | RouteRefusal {
  const dialled = number.replaceAll(/[ ().-]/g, '');
  if (EMERGENCY.test(dialled) || BARE_EMERGENCY.test(dialled)) {
    return {
      refused: 'emergency',
      message: `${number} is an emergency or crisis line and is never dialled. Choose another number.`,
    };
  }
  if (DISGUISED_EMERGENCY.test(dialled)) {
    return {
      refused: 'emergency',
      message: `An exchange may take ${number} for an emergency line behind a digit for an outside line or a service code. It is never dialled. Choose another number.`,
    };
  }
  if (!E164.test(number)) {
    return {
      refused: 'notE164',
      message: `“${number}” is not an international number. Write it as + country code and number without spaces, for example +12025550123.`,
    };
  }
  if (SATELLITE.some((prefix) => number.startsWith(prefix))) {
    return {
      refused: 'satellite',
      message: `${number} is a satellite or global network number and is never dialled, because of its cost. Choose a number of a country.`,
    };
  }
  if (PREMIUM.some((prefix) => number.startsWith(prefix)) || PREMIUM_EXCHANGE.test(number)) {
    return {
      refused: 'premium',
      message: `${number} is a premium-rate number and is never dialled. Choose a number at an ordinary rate.`,
    };
  }
  const entry = entryFor(number, routes);
  if (entry === undefined) {
    return {
      refused: 'noRoute',
      message: `No route leads to ${number}. Add one, for example “${number}” or “${number.slice(0, 3)}*” with the SIP address of your trunk, or a line that serves it.`,
    };
  }
  const uri = uriOf(entry).replaceAll('{number}', number);
  const parsed = parseUri(uri);
  // Not told: whoever calls need not be whoever has the trunk.
  if (!parsed) {
    return {
      refused: 'noRoute',
      message: `The route for ${number} does not lead to a SIP address. Correct it, for example sip:{number}@trunk.example.com.`,
    };
  }
  const lab = isLoopback(parsed.host) && !(typeof entry === 'object' && entry.leavesMachine === true);
  if (!lab && isFiction(number)) {
    return {
      refused: 'noRoute',
      message: `${number} belongs to the numbers kept for fiction and only works with a lab route, to an address of this machine that is no trunk. Add one, for example “${number}” to sip:{number}@127.0.0.1:5060.`,
    };
  }
  const { costPerMinute, line } = typeof entry === 'object' ? entry : {};
  return { uri, lab, ...(costPerMinute !== undefined && { costPerMinute }), ...(line !== undefined && { line }) };
}

/** Whether any exchange may take this for a call to the police or for help, also one of a laboratory whose extensions begin with 1. */
export const callsForHelp = (code: string): boolean => DISGUISED_EMERGENCY.test(code);

/** Why a short code that is no emergency line, of digits, `*` and `#`, is not dialled over a trunk. */
export function refuseShortCode(code: string): RouteRefusal | undefined {
  if (PREMIUM_CODE.test(code))
    return {
      refused: 'premium',
      message: `${code} is a premium-rate number and is never dialled. Choose a number at an ordinary rate.`,
    };
  if (code.startsWith('0'))
    return {
      refused: 'notE164',
      message: `“${code}” is a number in its national form, which a trunk is not called with. Write it as + country code and number without spaces, for example +12025550123.`,
    };
  return undefined;
}

function entryFor(number: string, routes: DialPlan): RouteEntry | undefined {
  let best: RouteEntry | undefined,
    longest = -1;
  for (const [key, entry] of Object.entries(routes)) {
    if (key === number) return entry;
    const prefix = key.slice(0, -1);
    if (!key.endsWith('*') || !number.startsWith(prefix) || prefix.length <= longest) continue;
    best = entry;
    longest = prefix.length;
  }
  return best;
}

function isLoopback(host: string): boolean {
  return (
    host.toLowerCase() === 'localhost' ||
    /^127(?:\.\d{1,3}){3}$/.test(host) ||
    host === '::1' ||
    host === '0:0:0:0:0:0:0:1'
  );
}
