import type { dialPlanOf, PlannedRoute } from '../../../model/calls/linePlan.ts';

/** What is known about numbers without asking the service. */

export type DialPlan = ReturnType<typeof dialPlanOf>;

export const isPhoneNumber = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** 202-555-0100 to 0199 are reserved for fiction. Practice IVRs use them. */
export const isPracticeNumber = (number: string): boolean => /^\+120255501\d\d$/.test(number);

/** Returns the route of a number: that of the whole number, otherwise that of the longest prefix. */
export function routeOf(number: string, routes: DialPlan): PlannedRoute | undefined {
  const fitting = Object.keys(routes).filter((key) =>
    key.endsWith('*') ? number.startsWith(key.slice(0, -1)) : key === number,
  );
  const [key] = fitting.sort(
    (one, other) => Number(one.endsWith('*')) - Number(other.endsWith('*')) || other.length - one.length,
  );
  const route = key === undefined ? undefined : routes[key];
  return route && { ...route, uri: route.uri.replaceAll('{number}', number) };
}
