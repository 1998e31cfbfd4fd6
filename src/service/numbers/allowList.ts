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
    `This API key may call ${list}, so it can't call ${target}.${idle} Ask the person responsible for the key's calls to allow this number or address, with “Let Agents Use Dialtree…” in the editor, or with updateApiKey and a key that can administer the workspace.`,
    { status: 403, code: 'number_not_allowed', details: { phoneNumber: target, numbers } },
  );
}

function covers(allowed: string, target: string, { lab }: Pick<Dialling, 'lab'>): boolean {
  if (allowed === practiceTargets) return lab && /^sips?:/i.test(target);
  return allowed.endsWith('*') ? target.startsWith(allowed.slice(0, -1)) : target === allowed;
}
