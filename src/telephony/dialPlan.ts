/** Where a number is dialled. `costPerMinute`, `line`: of a call there, where the plan tells them. */
export interface Route {
  readonly uri: string;
  readonly costPerMinute?: number;
  readonly line?: string;
}

/**
 * What a number leads to: a SIP URI in which `{number}` stands for the number, alone or with the rate of calls there
 * and the name of their line.
 */
export type RouteEntry =
  string | { readonly uri: string; readonly costPerMinute?: number | undefined; readonly line?: string };
export type DialPlan = Readonly<Record<string, RouteEntry>>;
export const uriOf = (entry: RouteEntry): string => (typeof entry === 'string' ? entry : entry.uri);

/**
 * The route of `number` (E.164) through `routes`: a key is a full number (exact) or a prefix that ends in `*` (the
 * longest wins). Undefined where none leads to it.
 */
export function resolveRoute(number: string, routes: DialPlan): Route | undefined {
  const entry = entryFor(number, routes);
  if (entry === undefined) return undefined;
  const uri = uriOf(entry).replaceAll('{number}', number);
  const { costPerMinute, line } = typeof entry === 'object' ? entry : {};
  return { uri, ...(costPerMinute !== undefined && { costPerMinute }), ...(line !== undefined && { line }) };
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
