const sipAddress = /^sips?:(?:([^@:;?]+)(?::[^@]*)?@)?(\[[^\]]*\]|[^:;?]+)/i;

/** Returns the name of a run: that of its test or probe, or else of what it called. */
export const runName = ({ name, phoneNumber }: { readonly name?: string | undefined; readonly phoneNumber: string }) =>
  name ?? targetName(phoneNumber);

/** Returns the name by which people know a target: the user of a SIP address, or its host; a number stays as it is. */
export function targetName(target: string): string {
  const [, user, host] = sipAddress.exec(target) ?? [];
  return user ?? host ?? target;
}
