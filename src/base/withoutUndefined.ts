type MayLack<Members> = { [Name in keyof Members]: undefined extends Members[Name] ? Name : never }[keyof Members];

/** The same members with each that may be undefined as an optional one. */
export type WithoutUndefined<Members> = Omit<Members, MayLack<Members>> & {
  [Name in MayLack<Members>]?: Exclude<Members[Name], undefined>;
};

/** Leaves out the members that are undefined, where an absent member and an undefined one are not the same. */
export const withoutUndefined = <Members extends object>(members: Members): WithoutUndefined<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<Members>;
