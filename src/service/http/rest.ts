import type { Context, Hono } from 'hono';
import { HumanError } from '../../contract/errors.ts';
import { operations, type OperationName } from '../../contract/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { assertScope } from '../workspaces/principal.ts';
import type { AppEnvironment } from './environment.ts';
import { parseJson, readBodyText } from './body.ts';
import { assertRepeatable, type NamedRequest } from './idempotency.ts';
import type { Waits } from '../runs/waits.ts';
import { invoke, type OpenHandlers } from './invoke.ts';

/** `/mapping/{id}` in hono's syntax. */
const honoPath = (path: string): string => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** Does a request's work, or returns the earlier response to the same request. */
type Once = (request: NamedRequest, work: () => Promise<unknown>) => Promise<unknown>;

export function addRestRoutes(app: Hono<AppEnvironment>, open: OpenHandlers, waits: Waits, once: Once): void {
  for (const [name, { rest }] of Object.entries<Operation>(operations)) {
    app.on(rest.method.toUpperCase(), honoPath(rest.path), async (context) => {
      const operation = name as OperationName;
      const input = await readArguments(context, rest.method);
      const principal = context.get('principal');
      const work = (): Promise<unknown> =>
        invoke(
          operation,
          input,
          { address: context.env.address, signal: context.req.raw.signal, principal, waits },
          open,
        );
      const key = rest.method === 'post' ? context.req.header('idempotency-key') : undefined;
      // A client without permission doesn't get another client's response.
      if (key !== undefined) {
        assertScope(operation, principal);
        assertRepeatable(operation);
      }
      const result =
        key !== undefined && principal
          ? await once({ workspaceId: principal.workspaceId, key, operation, input }, work)
          : await work();
      return context.json(result as object, rest.status);
    });
  }
}

async function readArguments(context: Context<AppEnvironment>, method: Operation['rest']['method']): Promise<unknown> {
  const path = context.req.param() as Record<string, string>;
  if (method === 'get' || method === 'delete') return { ...readQuery(context.req.queries()), ...path };
  const text = await readBodyText(context.req.raw);
  if (text.trim() === '') return path;
  if (!/^application\/json\s*(?:;|$)/i.test(context.req.header('content-type') ?? '')) {
    throw new HumanError('Send the body as JSON, with the header Content-Type: application/json.', {
      status: 415,
      code: 'not_json',
    });
  }
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    if (error instanceof HumanError) throw error;
    throw new HumanError("The body isn't valid JSON. Correct it, then send the request again.", {
      status: 400,
      code: 'invalid_json',
    });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HumanError('The body must be a JSON object.', { status: 400, code: 'invalid_json' });
  return { ...body, ...path };
}

/** No query argument is a list, so one of two values would be lost. */
function readQuery(queries: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const repeated = Object.entries(queries).find(([, values]) => values.length > 1)?.[0];
  if (repeated !== undefined)
    throw new HumanError(`${repeated}: This is in the address more than once. Give it once.`, {
      status: 400,
      code: 'invalid_request',
      details: [{ path: repeated, message: 'This is in the address more than once. Give it once.' }],
    });
  return Object.fromEntries(Object.entries(queries).map(([name, [value = '']]) => [name, value]));
}

/** Returns true for a route that needs no key. */
export const isOpenRoute = (method: string, path: string): boolean =>
  Object.values<Operation>(operations).some(
    ({ scope, rest }) => scope === 'open' && rest.method.toUpperCase() === method && path === `/v1${rest.path}`,
  );

/** Returns the methods of a path, in capitals. */
export function methodsOf(path: string): string[] {
  const known = Object.values<Operation>(operations).filter(({ rest }) =>
    new RegExp(`^/v1${rest.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return [...new Set(known.map(({ rest }) => rest.method.toUpperCase()))];
}
