import { HumanError } from '../../contract/errors.ts';
import { practiceTargets } from '../../contract/keyLimits.ts';
import type { KeyLimits } from '../../contract/keyLimits.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import { isLoopback } from './dialGate.ts';
import type { Dialling } from './dialGate.ts';
import { numberIn } from './userPart.ts';

/** What of the way to a target decides whether it is practice. */
type Way = Pick<Dialling, 'line' | 'exchange'>;

/**
 * Refuses what a limited key may not call. Texts are compared as they are written: another spelling of an address is not on the list.
 * @throws HumanError 403 `number_not_allowed`
 */
export function demandListed(target: string, limits: KeyLimits | undefined, dialling: Way): void {
  const numbers = limits?.numbers;
  if (!numbers || numbers.some((allowed) => covers(allowed, target, dialling))) return;
  const list = numbers.length === 0 ? 'nothing' : `only ${numbers.join(', ')}`;
  throw new HumanError(
    `This API key may call ${list}, and not ${target}. Ask the person who answers for its calls whether it may; they allow it with “Let Agents Use Dialtree…” in the editor, or with updateApiKey and a key that administers the workspace.`,
    { status: 403, code: 'number_not_allowed', details: { phoneNumber: target, numbers } },
  );
}

function covers(allowed: string, target: string, { line, exchange }: Way): boolean {
  // An exchange of this machine that is a line, or that numbers are routed to, leads on, by short extensions too.
  if (allowed === practiceTargets) return line === undefined && exchange !== true && isPractice(target);
  return allowed.endsWith('*') ? target.startsWith(allowed.slice(0, -1)) : target === allowed;
}

/** A PBX of this machine may lead out of it: an address that spells a number is no practice. */
function isPractice(target: string): boolean {
  const uri = /^sips?:/i.test(target) ? parseUri(target) : undefined;
  return uri !== undefined && isLoopback(uri.host) && numberIn(uri) === undefined;
}
