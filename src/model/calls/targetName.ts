const sipAddress = /^sips?:(?:([^@:;?]+)(?::[^@]*)?@)?(\[[^\]]*\]|[^:;?]+)/i;

/** Returns the name by which people know a target: the user of a SIP address, or its host; a number stays as it is. */
export function targetName(target: string): string {
  const [, user, host] = sipAddress.exec(target) ?? [];
  return user ?? host ?? target;
}
