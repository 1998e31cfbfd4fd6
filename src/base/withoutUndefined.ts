type MayLack<Members> = { [Name in keyof Members]: undefined extends Members[Name] ? Name : never }[keyof Members];

/** The same properties, with each one that can be undefined made optional. */
type WithoutUndefined<Members> = Omit<Members, MayLack<Members>> & {
  [Name in MayLack<Members>]?: Exclude<Members[Name], undefined>;
};

/** Removes undefined properties, for APIs that distinguish absent from undefined. */
export const withoutUndefined = <Members extends object>(members: Members): WithoutUndefined<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<Members>;
