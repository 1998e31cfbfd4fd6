/**
 * Where a number is dialled. `costPerMinute` and `line` are those of a call there, if the plan has them. `otherLines`
 * have the same key; they come after `line`.
 */
interface Route {
  readonly uri: string;
  readonly costPerMinute?: number;
  readonly line?: string;
  readonly otherLines?: readonly string[];
}

/** The target of a number: a SIP URI with `{number}`, alone or with the rate and the line of calls there. */
type RouteEntry =
  string | (Pick<Route, 'uri' | 'line' | 'otherLines'> & { readonly costPerMinute?: number | undefined });
type DialPlan = Readonly<Record<string, RouteEntry>>;
export const routeUriOf = (entry: RouteEntry): string => (typeof entry === 'string' ? entry : entry.uri);

/**
 * Returns the route of `number` (E.164): a key is a full number (exact) or a prefix that ends in `*` (the longest
 * wins). Undefined if there is none.
 */
export function resolveRoute(number: string, routes: DialPlan): Route | undefined {
  const entry = entryFor(number, routes);
  if (entry === undefined) return undefined;
  const uri = routeUriOf(entry).replaceAll('{number}', number);
  const { costPerMinute, line, otherLines } = typeof entry === 'object' ? entry : {};
  return {
    uri,
    ...(costPerMinute !== undefined && { costPerMinute }),
    ...(line !== undefined && { line }),
    ...(otherLines && { otherLines }),
  };
}

function entryFor(number: string, routes: DialPlan): RouteEntry | undefined {
  let best: RouteEntry | undefined,
    longest = -1;
  for (const [key, entry] of Object.entries(routes)) {
    if (key === number) return entry;
    const prefix = key.slice(0, -1);
    if (!key.endsWith('*') || !number.startsWith(prefix) || prefix.length <= longest) continue;
    best = entry;
    longest = prefix.length;
  }
  return best;
}
