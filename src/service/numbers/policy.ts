import { isLoopback } from '../../base/loopback.ts';
import { HumanError } from '../../contract/errors.ts';
import type { Line } from '../../contract/lines.ts';
import { isEmergency, isKnownEmergency } from './emergency.ts';
import { isFiction, refuseHelp, refuseNumber, refuseShortCode } from './neverDialled.ts';
import type { DialRefusal } from './neverDialled.ts';
import { isLong, hostAndPortOf } from './target.ts';
import type { AddressTarget } from './target.ts';

/** Where a live call leads. `route`: to the address of a route, which can contain another number than that `called`. */
type Network = Line['kind'] | 'route';
type Check = (target: AddressTarget) => DialRefusal | undefined;
/** Whether a person must confirm a live call, and its checks in this order. */
type Rule = readonly [consent: 'asked' | 'free', ...checks: Check[]];

const isCostly = (refusal: DialRefusal | undefined): boolean =>
  refusal?.refused === 'premium' || refusal?.refused === 'satellite';

const unreadable: Check = ({ refusal }) => refusal;
const fiction: Check = ({ called, uri }) => {
  if (!isFiction(called)) return undefined;
  const next = isLoopback(uri.host)
    ? `answers, and none is running at ${hostAndPortOf(uri)}. Start the practice IVR, then try again.`
    : `on this machine answers. Start one, and add a route to it, for example from “${called}” to sip:{number}@127.0.0.1:5070.`;
  const message = `${called} is reserved for fiction, so Dialtree calls it only if a practice IVR ${next}`;
  return { refused: 'noRoute', message };
};
const help: Check = ({ name, code, digits, keys }) =>
  code === undefined
    ? helpInName(name, [name, digits, keys].find(isEmergency))
    : (refuseHelp(name) ?? refuseHelp(code));
/** An extension can have any name: without digits, or with digits that only some exchanges know as such a code. */
const knownHelp: Check = ({ name, digits, keys }) =>
  helpInName(name, digits === '' ? undefined : [name, digits, keys].find(isKnownEmergency));
const paidCode: Check = ({ code = '' }) => refuseShortCode(code);
const costlyCode: Check = ({ code = '' }) => [refuseNumber(code), refuseShortCode(code)].find(isCostly);
const costlyName: Check = (target) => {
  const costly = numbersIn(target).map(costlyNumber).find(isCostly);
  return costly && { ...costly, message: `A PBX may treat “${target.name}” as another number: ${costly.message}` };
};
const lettersInNumber: Check = (target) =>
  numbersIn(target).some(isLong)
    ? {
        refused: 'notE164',
        message: `“${target.name}” is a number with letters, which PBXs read in different ways. Use only digits: a plus sign, the country code and the number, such as +12025550123.`,
      }
    : undefined;

const route: Rule = ['asked', fiction, help, costlyCode];

/**
 * Extensions are the purpose of a PBX, and the address of a line was set up to be called. Anything else can be a
 * carrier, where short codes are paid services and names can be numbers.
 */
const policy: Readonly<Record<AddressTarget['kind'], Readonly<Record<Network, Rule>>>> = {
  address: { trunk: ['free', unreadable], uri: ['free', unreadable], pbx: ['free', unreadable], route },
  number: { trunk: ['asked', fiction], uri: ['asked', fiction], pbx: ['asked', fiction], route },
  shortCode: { trunk: ['asked', paidCode], uri: ['asked', paidCode], pbx: ['free'], route },
  name: {
    trunk: ['asked', help, costlyName, lettersInNumber],
    uri: ['free', help, costlyName, lettersInNumber],
    pbx: ['free', knownHelp, lettersInNumber],
    route,
  },
};

/**
 * Returns what a person must confirm before a live call, or nothing if the target was set up to be called.
 * @throws HumanError if it is never called
 */
export function consentFor(target: AddressTarget, network: Network): { readonly consentFor?: string } {
  const [consent, ...checks] = policy[target.kind][network];
  const refusal = checks.map((check) => check(target)).find((one) => one !== undefined);
  if (refusal) throw refusalError(refusal);
  return consent === 'asked' ? { consentFor: target.called } : {};
}

export function refusalError({ refused, message }: DialRefusal): HumanError {
  if (refused === 'notE164') return new HumanError(message, { status: 400, code: 'not_e164' });
  if (refused === 'noRoute') return new HumanError(message, { status: 400, code: 'no_route' });
  return new HumanError(message, { status: 403, code: 'forbidden_number', reason: refused });
}

const helpInName = (name: string, help: string | undefined): DialRefusal | undefined =>
  help === undefined
    ? undefined
    : {
        refused: 'emergency',
        message: `A PBX may treat “${name}” as ${help}, an emergency line. Dialtree never calls these. Choose another address.`,
      };

/** The numbers as which an exchange can read a name with digits. */
function numbersIn({ name, digits, keys }: AddressTarget): readonly string[] {
  // Its keys are checked if it begins like a number: CALL-ME-2 is a name.
  return digits === '' ? [] : /^[\d+*#]/.test(name) ? [digits, keys] : [digits];
}

function costlyNumber(code: string): DialRefusal | undefined {
  const bare = code.replaceAll(/[*#+]/g, '');
  const numbers = [code, `+${bare}`, `+${bare.replace(/^00/, '')}`].map(refuseNumber);
  return [refuseShortCode(code), ...numbers].find(isCostly);
}
