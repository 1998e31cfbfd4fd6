/** No chat completion is that long. */
const maxBytes = 4_000_000;

/**
 * The platform's fetch for endpoints that get a key: a redirect comes back as the answer instead of being followed,
 * since keys in headers of their own would follow it to any host; and a body without end ends.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
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
