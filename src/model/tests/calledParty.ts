import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { ivrSlug } from '../../contract/ivrFile.ts';

/** The target of a test: a number or address, or a practice IVR with the names it answers to. */
export interface CalledParty {
  readonly phoneNumber?: string;
  readonly ivr?: { readonly name: string; readonly number?: string | undefined };
}

/** Returns true if this is the mapped target. A practice IVR's port changes with every start. */
export function isMapped(
  { phoneNumber, ivr }: CalledParty,
  { phoneNumber: mapped }: Pick<CalltreeFile, 'phoneNumber'>,
): boolean {
  if (mapped === undefined) return false;
  if (mapped === phoneNumber) return true;
  const user = /^sip:([^@;?]+)@(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.exec(mapped)?.[1]?.toLowerCase();
  return ivr !== undefined && (mapped === ivr.number || user === ivr.number || user === ivrSlug(ivr.name));
}
