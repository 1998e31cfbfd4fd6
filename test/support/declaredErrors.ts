import { errorsOf } from '../../src/contract/operation.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';

/** Possible for any request: errors of its form, its size, or the server's state. */
const ofAny = new Set([405, 408, 413, 415, 421, 431, 500, 503]);
const routes = Object.entries<Operation>(operations).map(([name, operation]) => ({
  name,
  method: operation.rest.method.toUpperCase(),
  path: new RegExp(`/v1${operation.rest.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  errors: new Set<number>(errorsOf(operation)),
}));

/** Returns the operation and status of an answer that the contract doesn't list, or undefined. */
export function undeclaredError(method: string, url: string, status: number): string | undefined {
  if (status < 400 || ofAny.has(status)) return undefined;
  const { pathname } = new URL(url);
  const found = routes.filter((route) => route.method === method.toUpperCase() && route.path.test(pathname));
  // If a fixed and a named path both match, either can have answered.
  return found.length === 0 || found.some(({ errors }) => errors.has(status))
    ? undefined
    : `${found.map(({ name }) => name).join(' or ')} answers ${String(status)}, which its errors do not list`;
}
