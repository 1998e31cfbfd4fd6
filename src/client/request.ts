import type { Operation } from '../contract/operation.ts';

/**
 * Puts an operation's arguments where they belong: in the path if it names them, otherwise in the query for GET and
 * DELETE, or in a JSON body.
 */
export function toRequest(
  rest: Operation['rest'],
  input: Readonly<Record<string, unknown>>,
): RequestInit & { readonly path: string } {
  const inPath = new Set<string>();
  const path = rest.path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(input[name]));
  });
  const further = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const method = rest.method.toUpperCase();
  if (rest.method === 'get' || rest.method === 'delete') {
    const query = new URLSearchParams(
      further.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return { path: query === '' ? path : `${path}?${query}`, method };
  }
  return {
    path,
    method,
    ...(further.length > 0 && {
      body: JSON.stringify(Object.fromEntries(further)),
      headers: { 'content-type': 'application/json' },
    }),
  };
}
