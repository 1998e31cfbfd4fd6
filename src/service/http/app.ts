import { randomUUID } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { count } from '../../base/count.ts';
import { HumanError } from '../../contract/errors.ts';
import type { AppEnvironment } from './environment.ts';
import type { EventBus } from '../store/events.ts';
import type { Recordings } from '../runs/recordings.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Signer } from '../basics/signing.ts';
import { localWorkspaceId } from '../workspaces/localKey.ts';
import { keyMissing, unauthorized, type Principal } from '../workspaces/principal.ts';
import type { LoopTime } from '../workspaces/loopTime.ts';
import type { RateLimit } from '../workspaces/rateLimit.ts';
import type { Clock } from '../../base/clock.ts';
import type { OpenPageParts, PageParts } from './browserSession.ts';
import { docsPage } from './docsPage.ts';
import { describeFailure, isOAuthPath, noOAuth, withOAuthError } from './errors.ts';
import type { EventStreams } from './eventStreams.ts';
import { doOnce } from './idempotency.ts';
import type { RequestGuard } from './guard.ts';
import { invoke, type OpenHandlers } from './invoke.ts';
import { answerMcp, isOpenMessage } from './mcp.ts';
import type { LiveSounds } from '../runs/liveSounds.ts';
import type { Waits } from '../runs/waits.ts';
import { McpCalls } from './mcpCalls.ts';
import type { McpMethods } from './mcpMethods.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openApi.ts';
import { sendPage } from './pageShell.ts';
import { pagesOf } from './pages.ts';
import { isForwarded } from './publicUrl.ts';
import { answerRecording } from './recording.ts';
import { addRestRoutes, isOpenRoute, methodsOf } from './rest.ts';

interface AppParts extends Omit<PageParts, 'open'> {
  readonly guard: RequestGuard;
  readonly authenticate: (key: string) => Promise<Principal | undefined>;
  readonly rateLimit: RateCounts;
  readonly loopTime: LoopCharges;
  readonly handlers: OpenHandlers;
  readonly prompts: McpMethods;
  readonly pages: () => Promise<OpenPageParts>;
  readonly recordings: Recordings;
  readonly signer: () => Promise<Signer>;
  readonly events: EventBus;
  readonly streams: EventStreams;
  readonly waits: Waits;
  readonly sounds: LiveSounds;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<{ readonly ready: boolean; readonly store: string }>;
  readonly clock: Clock;
}

/** Counts requests; tests replace it. */
export type RateCounts = Pick<RateLimit, 'take' | 'takeVisit'>;

/** Measures and limits blocked time; tests replace it. */
export type LoopCharges = Pick<LoopTime, 'charge'>;

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

/** Half a year (RFC 6797): after one visit, a browser never uses plain HTTP again. */
const strictTransport = 'max-age=15768000';

export function createApp(parts: AppParts): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();

  const fail = (context: Context<AppEnvironment>, error: unknown): Response => {
    const { status, body } = describeFailure(error, context.get('requestId'), parts.log);
    if (body.retryAfterSeconds !== undefined) context.header('retry-after', String(body.retryAfterSeconds));
    if (status === 401) context.header('www-authenticate', 'Bearer');
    return context.json(
      status === 401 || isOAuthPath(context.req.path) ? withOAuthError(status, body) : body,
      status as ContentfulStatusCode,
    );
  };
  app.onError((error, context) => fail(context, error));
  app.use(async (context, next) => {
    const begun = parts.clock.now();
    context.set('requestId', randomUUID());
    await next();
    context.header('x-request-id', context.get('requestId'));
    for (const [name, value] of Object.entries(securityHeaders))
      if (!context.res.headers.has(name)) context.header(name, value);
    if (parts.guard.isPublic(context.req.raw.headers)) context.header('strict-transport-security', strictTransport);
    // A stream without a reader would stay open.
    if (context.req.method === 'HEAD') await context.res.body?.cancel();
    parts.metrics.observe(
      context.req.method,
      templateOf(context),
      context.res.status,
      (parts.clock.now() - begun) / 1000,
    );
  });
  app.use(async (context, next) => {
    parts.guard.check(context.req.raw.headers);
    await next();
  });

  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const { ready, store } = await parts.readiness();
    return context.json({ status: ready ? 'ready' : 'unavailable', store }, ready ? 200 : 503);
  });
  app.get('/metrics', async (context) => {
    const { headers } = context.req.raw;
    // A client on this machine can see its processes anyway. Through a proxy, every client seems to be on this machine.
    const isHere = isLoopback(context.env.address) && !isForwarded(headers) && !parts.guard.isPublic(headers);
    if (!isHere && !isOperator(await parts.authenticate(readKey(headers)))) throw unauthorized();
    const { contentType, text } = await parts.metrics.read();
    return context.body(text, 200, { 'content-type': contentType });
  });
  const openApi = once(() => openApiDocument(parts.baseUrl));
  const docs = once(() => docsPage(parts.baseUrl));
  app.get('/v1/openapi.json', (context) => context.json(openApi()));
  app.get('/v1/docs', (context) => sendPage(context, docs()));
  app.get('/v1/recordings/:runId/:file', (context) => answerRecording(context, parts));
  const checkVisit = async (address: string): Promise<void> => {
    const wait = await parts.rateLimit.takeVisit(address);
    if (wait > 0) throw tooManyVisits(wait);
  };
  const pages = pagesOf({ ...parts, open: parts.pages }, async (address, answer) => {
    await checkVisit(address);
    await parts.loopTime.charge(address, answer);
  });
  app.route('/', pages);

  app.use(async (context, next) => {
    const key = readKey(context.req.raw.headers);
    const principal = key === '' ? undefined : await parts.authenticate(key);
    if (!principal) await checkVisit(context.env.address);
    else if ((await parts.rateLimit.take(principal)) > 0) return tooManyRequests();
    context.set('principal', principal);
    await parts.loopTime.charge(principal ?? context.env.address, async () => {
      if (
        !principal &&
        (key !== '' ||
          !(
            isOpenRoute(context.req.method, context.req.path) ||
            (isMcp(context.req.path) && (await isOpenMessage(context.req.raw.clone())))
          ))
      ) {
        const refused = key === '' ? keyMissing() : unauthorized();
        throw isOAuthPath(context.req.path) ? noOAuth(refused.message) : refused;
      }
      await next();
    });
    return undefined;
  });

  const mcpCalls = new McpCalls();
  app.on('ALL', mcpPaths, (context) => {
    const principal = context.get('principal');
    return answerMcp({
      request: context.req.raw,
      requestId: context.get('requestId'),
      asking: { address: context.env.address, signal: context.req.raw.signal, principal, waits: parts.waits },
      open: parts.handlers,
      prompts: parts.prompts,
      log: parts.log,
      calls: mcpCalls,
      charge: (work) => parts.loopTime.charge(principal ?? context.env.address, work),
      async countFurther(messages) {
        const wait = principal ? await parts.rateLimit.take(principal, messages) : 0;
        return wait > 0 ? tooManyRequests() : undefined;
      },
    });
  });
  app.get('/v1/events', (context) => {
    const principal = context.get('principal');
    if (!principal) throw keyMissing();
    if (!principal.scopes.has('mapping:read'))
      throw new HumanError("This API key doesn't have the scope mapping:read. Use a key that has this scope.", {
        status: 403,
        code: 'missing_scope',
      });
    return parts.streams.open(principal, context.req.raw.signal);
  });
  app.get('/v1/testing/runs/:runId/sound', async (context) => {
    const principal = context.get('principal');
    const runId = context.req.param('runId');
    const { signal } = context.req.raw;
    const asking = { address: context.env.address, signal, principal, waits: parts.waits };
    // A key that can read the run can hear it.
    await invoke('getRunResults', { runId }, asking, parts.handlers);
    if (!principal) throw keyMissing();
    return new Response(parts.sounds.open({ ...principal, runId }, signal, context.env.unsentBytes), {
      headers: { 'content-type': soundType, 'x-accel-buffering': 'no' },
    });
  });
  addRestRoutes(
    app,
    parts.handlers,
    parts.waits,
    async (request, work) => await doOnce((await parts.pages()).store, parts.now, request, work),
  );

  app.notFound((context) => {
    if (isOAuthPath(context.req.path)) return fail(context, noOAuth());
    const allowed = readOnlyPaths.includes(context.req.path) ? ['GET'] : methodsOf(context.req.path);
    if (allowed.length > 0) {
      context.header('allow', allowed.join(', '));
      return context.json(
        {
          message: `This endpoint accepts ${allowed.join(', ')}, not ${context.req.method}.`,
          code: 'method_not_allowed',
          requestId: context.get('requestId'),
        },
        405,
      );
    }
    const hint = context.req.path.endsWith('/')
      ? 'The address ends with a slash. Leave it out, or give the id that belongs after it.'
      : 'GET /v1/openapi.json lists all endpoints.';
    return fail(context, new HumanError(`This endpoint doesn't exist. ${hint}`, { status: 404, code: 'not_found' }));
  });
  return app;
}

/** In network byte order (RFC 3551, section 4.5.11; RFC 2586). */
const soundType = 'audio/L16;rate=8000;channels=1';

/** Without a body and without Retry-After, as the specification says. */
const tooManyRequests = (): Response => new Response(null, { status: 403 });

const tooManyVisits = (retryAfterSeconds: number): HumanError =>
  new HumanError(
    `Your network sent too many requests without a valid API key. Try again in ${count(retryAfterSeconds, 'second')}.`,
    { status: 429, code: 'too_many_requests', retryAfterSeconds },
  );

/** With a slash too, because some clients add one, and not all follow a redirect. */
const mcpPaths = ['/mcp', '/mcp/'];
const isMcp = (path: string): boolean => mcpPaths.includes(path);

/** The service's own key, or one that was created with it. */
const isOperator = (principal: Principal | undefined): boolean =>
  principal?.workspaceId === localWorkspaceId && principal.scopes.has('workspace:read');

/** Returns the matching route, as written in the code. */
const templateOf = (context: Context<AppEnvironment>): string =>
  matchedRoutes(context).findLast(({ path }) => path !== '/*')?.path ?? 'none';

/** Builds a document once, however many requests ask for it. */
function once<Value>(make: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined;
  return () => (cached ??= { value: make() }).value;
}

/** The addresses beside the pages and the operations. */
const readOnlyPaths = ['/healthz', '/readyz', '/metrics', '/v1/openapi.json', '/v1/docs', '/v1/events'];

function readKey(headers: Headers): string {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1];
  return (headers.get('x-api-key') ?? '') || (bearer ?? '');
}
