/** Whether these keys begin an option, in which X stands for any digit. */
const begins = (keys: string, option: string): boolean =>
  keys.length <= option.length &&
  [...keys].every((key, at) => option[at] === key || (option[at] === 'X' && /\d/.test(key)));

/** Returns what the pressed keys select. An option without X comes first. */
export function matchKeys<Target>(keys: string, options: Readonly<Record<string, Target>>): Target | undefined {
  const matches = Object.entries(options).filter(([option]) => option.length === keys.length && begins(keys, option));
  return (matches.find(([option]) => option === keys) ?? matches[0])?.[1];
}

/** Whether more keys can follow, because an option is longer. */
export const canContinue = (keys: string, options: readonly string[]): boolean =>
  options.some((option) => option.length > keys.length && begins(keys, option));
