import type { PlannedCalls } from '../contract/callPlan.ts';

/** A practice IVR that hasn't started yet answers somewhere on this machine. */
const somePractice = 'sip:practice@127.0.0.1';
/** Refusals that don't apply to a practice IVR. */
const rulesOfOthers = ['number_not_allowed', 'consent_required', 'forbidden_key'];

/**
 * Returns the plan of calls to a number. Without a number, they call a practice IVR that starts before them, to which
 * the rules for other numbers don't apply. Rejects as `ask` does.
 */
export async function planAt(
  phoneNumber: string | undefined,
  ask: (phoneNumber: string) => Promise<PlannedCalls>,
): Promise<PlannedCalls> {
  if (phoneNumber !== undefined) return ask(phoneNumber);
  const { refusal, ...plan } = await ask(somePractice);
  return {
    ...plan,
    route: 'lab',
    needsConsent: false,
    forbiddenKeys: [],
    ...(refusal && !rulesOfOthers.includes(refusal.code) && { refusal }),
  };
}
