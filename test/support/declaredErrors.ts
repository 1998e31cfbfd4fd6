import { errorsOf } from '../../src/contract/operation.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';

/** Of any request: of its form, its size, or the state of the server. */
const ofAny = new Set([405, 408, 413, 415, 421, 431, 500, 503]);
const routes = Object.entries<Operation>(operations).map(([name, operation]) => ({
  name,
  method: operation.rest.method.toUpperCase(),
  path: new RegExp(`/v1${operation.rest.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  errors: new Set<number>(errorsOf(operation)),
}));

/** What the contract does not say of an answer: the operation and a status that it does not list. */
export function undeclaredError(method: string, url: string, status: number): string | undefined {
  if (status < 400 || ofAny.has(status)) return undefined;
  const { pathname } = new URL(url);
  const found = routes.filter((route) => route.method === method.toUpperCase() && route.path.test(pathname));
  // Of two that fit, such as a fixed and a named part, either may have answered.
  return found.length === 0 || found.some(({ errors }) => errors.has(status))
    ? undefined
    : `${found.map(({ name }) => name).join(' or ')} answers ${String(status)}, which its errors do not list`;
}
