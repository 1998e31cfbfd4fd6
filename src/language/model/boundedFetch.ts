import { directFetch } from '../../base/directFetch.ts';

/** No chat completion is this long. */
const maxBytes = 4_000_000;

/**
 * A fetch for endpoints that receive a key. A redirect is returned instead of followed, because keys in
 * custom headers would follow it to any host. An endless body is cut off.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await directFetch(input, { ...init, redirect: 'manual' });
  if (!response.body) return response;
  let bytes = 0;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new Error(`The answer has more than ${maxBytes} bytes.`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded, { status: response.status, statusText: response.statusText, headers: response.headers });
}
