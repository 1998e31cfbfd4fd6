import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { isLoopback } from './loopback.ts';

/** Responses without a body (Fetch standard, "null body status"). */
const bodiless = new Set([204, 205, 304]);

/**
 * The platform's fetch, except that a request to this machine never goes through a proxy that the environment names
 * (NODE_USE_ENV_PROXY), because a proxy can't reach this machine. It returns a redirect of such a request.
 */
export const directFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!isLoopback(url.hostname)) return fetch(input, init);
  const request = new Request(input, init);
  const { method } = request;
  // The request's own signal doesn't abort after garbage collection, so an event stream would stay open.
  const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  const body = Buffer.from(await request.arrayBuffer());
  const options = { method, headers: Object.fromEntries(request.headers), ...(signal && { signal }) };
  const secure = url.protocol === 'https:';
  // Node gives the proxy of the environment only to its global agents.
  const sent = secure
    ? https.request(url, { ...options, agent: new https.Agent() })
    : http.request(url, { ...options, agent: new http.Agent() });
  // An error after the response is an error of its body, too.
  sent.on('error', () => undefined);
  sent.end(body.length > 0 ? body : undefined);
  const [message] = (await once(sent, 'response').catch((cause: unknown) => {
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause });
  })) as [http.IncomingMessage];
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  const stream = Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(
    bodiless.has(status) ? null : stream.pipeThrough(new TransformStream(), signal ? { signal } : {}),
    {
      status,
      statusText,
      headers: new Headers(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    },
  );
};
