import type { CalltreeFile } from '../../contract/calltreeFile.ts';
import { ivrSlug } from '../../contract/ivrFile.ts';

/** Whom a test calls: a number or address; a practice IVR beside its file also by the names it answers to. */
export interface CalledParty {
  readonly phoneNumber?: string;
  readonly ivr?: { readonly name: string; readonly number?: string | undefined };
}

/** Whether that is who was mapped. Practice IVRs answer on another port each time. */
export function isMapped(
  { phoneNumber, ivr }: CalledParty,
  { phoneNumber: mapped }: Pick<CalltreeFile, 'phoneNumber'>,
): boolean {
  if (mapped === undefined) return false;
  if (mapped === phoneNumber) return true;
  const user = /^sip:([^@;?]+)@(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.exec(mapped)?.[1]?.toLowerCase();
  return ivr !== undefined && (mapped === ivr.number || user === ivr.number || user === ivrSlug(ivr.name));
}
