import type { CarriedTable } from './tables.ts';

/**
 * The parts of a file that let a workspace do more. Anyone can write a file, so the importing person must request each
 * of these. `minutes`: packs, free minutes and enrichment tokens. `people`: owners with their accounts, and verified
 * numbers, neither of which was verified here.
 */
export const grants = ['tier', 'minutes', 'keys', 'consents', 'people'] as const;
export type Grant = (typeof grants)[number];

/** How many of each a file has: rows, and 1 for a tier above `free` and for enrichment tokens. */
export type GrantCounts = Partial<Record<Grant, number>>;

/** The tables whose rows are such a grant. */
export const grantOf: Readonly<Partial<Record<CarriedTable, Grant>>> = {
  balances: 'minutes',
  api_keys: 'keys',
  consents: 'consents',
  people: 'people',
  memberships: 'people',
  anchors: 'people',
  free_grants: 'people',
};
