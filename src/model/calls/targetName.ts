import { isLoopback } from '../../base/loopback.ts';

const sipAddress = /^sips?:(?:([^@:;?]+)(?::[^@]*)?@)?(\[[^\]]*\]|[^:;?]+)/i;
/** The user part of a practice IVR's address, which is its name in lower case. @see ivrSlug */
const slug = /^(?=[^-]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Returns the name of a run: that of its test or probe, or else of what it called. */
export const runName = ({ name, phoneNumber }: { readonly name?: string | undefined; readonly phoneNumber: string }) =>
  name ?? targetName(phoneNumber);

/**
 * Returns the name by which people know a target: the user of a SIP address, or its host; a number stays as it is. The
 * user of an address on this machine is written as the words of a practice IVR's name.
 */
export function targetName(target: string): string {
  const [, user, host = ''] = sipAddress.exec(target) ?? [];
  if (user !== undefined && isLoopback(host) && slug.test(user))
    return user.replaceAll(
      /(?:^|-)([a-z0-9])/g,
      (start, first: string) => `${start.startsWith('-') ? ' ' : ''}${first.toUpperCase()}`,
    );
  return user ?? (host === '' ? target : host);
}
