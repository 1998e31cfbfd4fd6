import type { Routes } from '../../contract/dialPlan.ts';

/** What a file tells of numbers without asking the service. */

export const isPhoneNumber = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** 202-555-0100 to 0199 are kept for fiction: practice IVRs have them. */
export const isPracticeNumber = (number: string): boolean => /^\+120255501\d\d$/.test(number);

/** The route that a number takes: a whole number, or else the longest prefix. */
export function routeOf(number: string, routes: Routes): { readonly key: string; readonly uri: string } | undefined {
  const keys = Object.keys(routes).filter((key) => (key.endsWith('*') ? number.startsWith(key.slice(0, -1)) : key === number));
  const key = keys.sort((one, other) => Number(one.endsWith('*')) - Number(other.endsWith('*')) || other.length - one.length)[0];
  const route = key === undefined ? undefined : routes[key];
  if (key === undefined || route === undefined) return undefined;
  return { key, uri: (typeof route === 'string' ? route : route.uri).replaceAll('{number}', number) };
}
