/**
 * A table that is looked up with words from outside. A plain object would also answer to the names of
 * `Object.prototype`: callers say "constructor", too.
 */
export const wordTable = <Value>(rows: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.freeze(Object.assign(Object.create(null) as Record<string, Value>, rows));
