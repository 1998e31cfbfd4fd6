import { HumanError } from '../../contract/errors.ts';
import { practiceTargets } from '../../contract/keyLimits.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { strangerAt } from './dialGate.ts';
import type { Dialling } from './dialGate.ts';

/**
 * Refuses targets that a limited key may not call. Texts are compared as written: another spelling of an address isn't
 * on the list.
 * @throws HumanError 403 `number_not_allowed`
 */
export function assertListed(target: string, limits: KeyLimits | undefined, dialling: Dialling): void {
  const numbers = limits?.numbers;
  if (!numbers || numbers.some((allowed) => covers(allowed, target, dialling))) return;
  const list = numbers.length === 0 ? 'nothing' : `only ${numbers.join(', ')}`;
  const place = numbers.includes(practiceTargets) ? strangerAt(dialling) : undefined;
  const idle =
    place === undefined ? '' : ` No practice IVR answers at ${place}. If you expected one there, start it first.`;
  throw new HumanError(
    `This API key may call ${list}, so it can't call ${target}.${idle} listTargets (GET /v1/targets) shows what it may call. To allow this number or address, ask the person responsible for the key's calls to use “Let Agents Use Dialtree…” in the editor, or updateApiKey with a key that can administer the workspace.`,
    { status: 403, code: 'number_not_allowed', details: { phoneNumber: target, numbers } },
  );
}

/** Returns the part of a target that a limited key may call: of a pattern such as `+49*`, also narrower targets. */
export function listedOf(target: string, limits: KeyLimits | undefined, dialling: Dialling): readonly string[] {
  const { numbers } = limits ?? {};
  if (!numbers || numbers.some((allowed) => covers(allowed, target, dialling))) return [target];
  return isPattern(target) ? numbers.filter((allowed) => covers(target, allowed, dialling)) : [];
}

/** A prefix, or the extensions of an exchange. In other addresses, `*` is a key: `sip:*43@pbx`. */
export const isPattern = (target: string): boolean => target.endsWith('*') || target.startsWith('sip:*@');

function covers(allowed: string, target: string, { lab }: Pick<Dialling, 'lab'>): boolean {
  if (allowed === practiceTargets) return lab && /^sips?:/i.test(target);
  const [start = '', end = ''] = allowed.split('*');
  return isPattern(allowed) ? target.startsWith(start) && target.endsWith(end) : target === allowed;
}
