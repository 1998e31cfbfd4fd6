import assert from 'node:assert/strict';
import { DialtreeClient } from '../../../src/client/client.ts';
import {
  AuthenticationError,
  CapacityError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from '../../../src/client/errors.ts';

type Reply = Response | Error | 'silence';
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const page = { items: [] };
const id = '11111111-1111-4111-8111-111111111111';

/** A client whose service gives these replies; `requests` and `waits` record what the client did. */
function scripted(...replies: Reply[]) {
  const requests: { url: string; method: string; body: unknown; key: string | null }[] = [];
  const ranges: (string | null)[] = [];
  const waits: number[] = [];
  const client = new DialtreeClient({
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: 'dt_key',
    timeoutMs: 20,
    retry: {
      random: () => 1,
      wait: (milliseconds) => {
        waits.push(milliseconds);
        return Promise.resolve();
      },
    },
    fetch: (url, init) => {
      requests.push({
        url: String(url),
        method: init?.method ?? '',
        body: init?.body,
        key: new Headers(init?.headers).get('x-api-key'),
      });
      ranges.push(new Headers(init?.headers).get('range'));
      const reply = replies.shift() ?? 'silence';
      if (reply === 'silence')
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        });
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
  });
  return { client, requests, waits, ranges };
}
const refused = () =>
  Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  });
const reset = () =>
  Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

describe('DialtreeClient', () => {
  it('puts arguments into the path, the query and the body', async () => {
    const reads = scripted(json(200, page));
    await reads.client.call('listMappings', { name: 'a&b', limit: 5 });
    assert.deepEqual(reads.requests, [
      { url: 'http://127.0.0.1:1/v1/mapping?name=a%26b&limit=5', method: 'GET', body: undefined, key: 'dt_key' },
    ]);
    const writes = scripted(json(404, { message: 'none' }));
    await assert.rejects(writes.client.call('updateMapping', { id, name: 'n' }));
    assert.deepEqual(writes.requests[0], {
      url: `http://127.0.0.1:1/v1/mapping/${id}`,
      method: 'PATCH',
      body: '{"name":"n"}',
      key: 'dt_key',
    });
  });

  it('throws an error by status, with what the body says', async () => {
    for (const [status, Class] of [
      [400, ValidationError],
      [401, AuthenticationError],
      [402, CapacityError],
      [403, PermissionError],
      [404, NotFoundError],
      [409, ConflictError],
      [413, ValidationError],
    ] as const) {
      await assert.rejects(
        scripted(json(status, { message: 'm', code: 'c', details: { a: 1 }, requestId: 'r' })).client.call(
          'listMappings',
          {},
        ),
        (error) => {
          assert.ok(error instanceof Class && error instanceof ServiceError);
          assert.deepEqual(
            [error.message, error.status, error.code, error.details, error.requestId],
            ['m', status, 'c', { a: 1 }, 'r'],
          );
          return true;
        },
      );
    }
    await assert.rejects(
      scripted(new Response('', { status: 403 })).client.call('listMappings', {}),
      PermissionError,
      'a body may be absent',
    );
    await assert.rejects(scripted(json(200, { wrong: 1 })).client.call('listMappings', {}), /doesn't understand/);
  });

  it("includes everything from an error's body, and copes with missing parts", async () => {
    const claim = { method: 'POST', path: '/claim', tool: 'getClaimLink' };
    const full = { message: 'm', code: 'c', reason: 'r', details: [1], requestId: 'i', retryAfterSeconds: 9, claim };
    await assert.rejects(scripted(json(402, full)).client.call('startMapping', { id }), {
      name: 'CapacityError',
      message: 'm',
      status: 402,
      code: 'c',
      reason: 'r',
      details: [1],
      requestId: 'i',
      retryAfter: 9,
      claim,
    });
    await assert.rejects(
      scripted(json(402, { message: 'm', code: 7, claim: { ...claim, url: 'u' }, later: true })).client.call(
        'startMapping',
        { id },
      ),
      { message: 'm', code: undefined, claim: { ...claim, url: 'u' } },
    );
    await assert.rejects(
      scripted(new Response('<html>', { status: 403, headers: { 'x-request-id': 'h' } })).client.call(
        'listMappings',
        {},
      ),
      { message: 'The service answered 403.', requestId: 'h', claim: undefined },
    );
  });

  it('accepts an answer with unknown members, and rejects one that lacks or falsifies any', async () => {
    const later = { items: [], later: 1 };
    assert.deepEqual(await scripted(json(200, later)).client.call('listMappings', {}), later);
    for (const wrong of [{ later: 1 }, { items: [{}] }, { items: [], later: 1, nextCursor: 1 }])
      await assert.rejects(scripted(json(200, wrong)).client.call('listMappings', {}), /doesn't understand/);
  });

  it('gives errors without a usable answer a code, and the status and request id if they are known', async () => {
    const headers = { 'x-request-id': 'r' };
    const cut = (reason: Error): Response =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(reason);
          },
        }),
        { headers },
      );
    const failed = (code: string, message = 'fetch failed'): Error =>
      Object.assign(new TypeError(message), { cause: Object.assign(new Error(message), { code }) });
    const late = new DOMException('late', 'TimeoutError');
    for (const [reply, expected] of [
      [refused(), { name: 'ConnectionError', code: 'unreachable', preFlight: true, message: /^Couldn't reach/ }],
      [failed('CERT_HAS_EXPIRED'), { name: 'ConnectionError', code: 'unreachable', message: /^Couldn't reach/ }],
      [reset(), { name: 'ConnectionError', code: 'connection_lost', preFlight: false, message: /was lost/ }],
      [failed('UND_ERR_SOCKET'), { name: 'ConnectionError', code: 'connection_lost', message: /was lost/ }],
      ['silence', { name: 'TimeoutError', code: 'timeout', status: undefined }],
      [failed('UND_ERR_HEADERS_TIMEOUT'), { name: 'TimeoutError', code: 'timeout' }],
      [cut(late), { name: 'TimeoutError', code: 'timeout', status: 200, requestId: 'r' }],
      [
        cut(failed('UND_ERR_SOCKET')),
        { name: 'ConnectionError', code: 'connection_lost', status: 200, requestId: 'r' },
      ],
      [json(200, { wrong: 1 }, headers), { name: 'ServiceError', code: 'unknown_answer', status: 200, requestId: 'r' }],
      [
        new Response('<html>', { headers }),
        { name: 'ServiceError', code: 'unknown_answer', status: 200, requestId: 'r' },
      ],
      [new Response('', { status: 502, headers }), { name: 'ServerError', status: 502, requestId: 'r' }],
    ] as const)
      await assert.rejects(scripted(reply, reply, reply, reply).client.call('startMapping', { id }), (error) => {
        assert.ok(error instanceof ServiceError);
        for (const [member, value] of Object.entries(expected)) {
          const actual: unknown = error[member as keyof ServiceError];
          if (value instanceof RegExp) assert.match(String(actual), value);
          else assert.equal(actual, value, member);
        }
        return true;
      });
  });

  it('sends no key if it has none, and accepts a slash after its address', async () => {
    const seen: unknown[] = [];
    const answer: typeof fetch = (url, init) => {
      seen.push(String(url), new Headers(init?.headers).get('x-api-key'));
      return Promise.resolve(json(401, { message: 'no key' }));
    };
    await assert.rejects(
      new DialtreeClient({ baseUrl: 'http://127.0.0.1:1/v1/', fetch: answer }).call('registerWorkspace', {}),
      AuthenticationError,
    );
    assert.deepEqual(seen, ['http://127.0.0.1:1/v1/workspace/register', null]);
  });

  it('reports a 429 to the caller if its wait is unreasonably long', async () => {
    const given = scripted(json(429, { message: 'later', code: 'too_many_registrations' }, { 'retry-after': '3600' }));
    await assert.rejects(
      given.client.call('startMapping', { id }),
      (error: unknown) =>
        error instanceof RateLimitError &&
        error.retryAfter === 3600 &&
        /^later The request wasn't repeated, .*3600 seconds/.test(error.message),
    );
    assert.deepEqual(given.waits, []);
  });

  it('retries 429 three times, with growing waits up to 8 s, or as long as the answer says', async () => {
    const busy = () => json(429, { message: 'busy' });
    const given = scripted(busy(), busy(), busy(), busy());
    await assert.rejects(given.client.call('startMapping', { id }), RateLimitError);
    assert.deepEqual([given.requests.length, given.waits], [4, [500, 1000, 2000]]);
    const told = scripted(json(429, { message: 'busy' }, { 'retry-after': '42' }), json(200, page));
    await told.client.call('listMappings', {});
    assert.deepEqual(told.waits, [42_000]);
  });

  it('begins no attempt after a signal, and breaks off none that has begun', async () => {
    const stop = new AbortController();
    const patient = new DialtreeClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      fetch: (_url, init) => {
        assert.ok(!stop.signal.aborted, 'a new attempt');
        stop.abort(new Error('enough'));
        assert.ok(init?.signal?.aborted !== true);
        return Promise.resolve(json(429, { message: 'no free line' }));
      },
    });
    await assert.rejects(patient.call('startMapping', { id }, { notAfter: stop.signal }), RateLimitError);
    await assert.rejects(patient.call('startMapping', { id }, { notAfter: stop.signal }), /enough/);
  });

  it('backs off while it waits for a run if a 403 has no body, and retries no other request', async () => {
    const full = () => new Response(null, { status: 403, headers: { 'x-request-id': 'h' } });
    const late = scripted(full());
    await assert.rejects(
      late.client.call('startMapping', { id }),
      (error: unknown) =>
        error instanceof PermissionError &&
        error.bare &&
        error.requestId === 'h' &&
        /too many requests .* Try again in a minute/.test(error.message),
    );
    assert.deepEqual(late.waits, []);
    const job = {
      id,
      name: 'n',
      phoneNumber: '+12025550101',
      profileId: id,
      tags: [],
      config: { mappingMode: 'dtmf', maxDepth: 1, maxCalls: 1, probeMode: 'off', concurrency: 1 },
      createdAt: '2026-01-01T00:00:00Z',
      status: 'idle',
    };
    const waiting = scripted(full(), full(), full(), full(), full(), full(), json(200, job));
    assert.equal((await waiting.client.waitForRun(id, { by: 'polling' })).status, 'idle');
    assert.deepEqual(waiting.waits, [5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    for (const body of [{ message: 'no', code: 'missing_scope' }, { message: 'no' }, {}]) {
      const refused = scripted(json(403, body));
      await assert.rejects(refused.client.waitForRun(id, { by: 'polling' }), PermissionError);
      assert.deepEqual([refused.requests.length, refused.waits], [1, []]);
    }
    const listening = scripted(full(), json(403, { message: 'no', code: 'missing_scope' }));
    await assert.rejects(
      listening.client.events(new AbortController().signal, () => undefined),
      { code: 'missing_scope' },
    );
    assert.deepEqual(listening.waits, [5000]);
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    const call = scripted('silence').client.call('listMappings', {}, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(call, /enough/);
  });

  it('rejects with the reason of the signal between two tries and during an answer, too', async () => {
    const waiting = new AbortController();
    const patient = new DialtreeClient({
      baseUrl: 'http://127.0.0.1:1/v1',
      retry: {
        random: () => {
          waiting.abort(new Error('enough'));
          return 1;
        },
      },
      fetch: () => Promise.resolve(json(429, { message: 'busy' })),
    });
    await assert.rejects(patient.call('startMapping', { id }, { signal: waiting.signal }), /enough/);
    const stop = new AbortController();
    const half: typeof fetch = () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            pull(controller) {
              stop.abort(new Error('enough'));
              controller.error(stop.signal.reason);
            },
          }),
        ),
      );
    await assert.rejects(
      new DialtreeClient({ baseUrl: 'http://127.0.0.1:1/v1', fetch: half }).call(
        'listMappings',
        {},
        { signal: stop.signal },
      ),
      /enough/,
    );
    await assert.rejects(
      new DialtreeClient({ baseUrl: 'http://127.0.0.1:1/v1', fetch: half }).fetchAudio('http://127.0.0.1:1/a.wav', {
        signal: stop.signal,
      }),
      /enough/,
    );
  });

  it('retries no refusal except 429, a change only before it is sent, and a reading, up to three times', async () => {
    for (const status of [400, 401, 402, 403, 404, 409]) {
      const once = scripted(json(status, { message: 'no' }), json(200, page));
      await assert.rejects(once.client.call('listMappings', {}), { status });
      assert.equal(once.requests.length, 1, String(status));
    }
    const down = scripted(refused(), refused(), refused(), refused(), json(404, { message: 'none' }));
    await assert.rejects(down.client.call('startMapping', { id }), ConnectionError);
    assert.equal(down.requests.length, 4);
    for (const method of ['startMapping', 'updateMapping', 'deleteMapping'] as const)
      for (const [reply, Class] of [
        [reset(), ConnectionError],
        [json(500, { message: 'x' }), ServerError],
        ['silence', TimeoutError],
      ] as const) {
        const once = scripted(reply, json(404, { message: 'none' }));
        await assert.rejects(once.client.call(method, { id }), Class);
        assert.equal(once.requests.length, 1, `${method} ${Class.name}`);
      }
    const reading = scripted(reset(), json(503, { message: 'x' }), 'silence', json(200, page));
    assert.deepEqual(await reading.client.call('listMappings', {}), page);
  });

  it('iterates over a list row by row, fetches a page only when needed, and skips empty ones', async () => {
    const row = {
      id,
      runType: 'mission',
      status: 'completed',
      outcome: 'FAIL',
      phoneNumber: '+12025550101',
      startedAt: '2026-01-01T00:00:00Z',
    };
    const pages = () => [
      json(200, { items: [row, row], nextCursor: 'b' }),
      json(200, { items: [], nextCursor: 'c' }),
      json(200, { items: [row] }),
    ];
    const all = scripted(...pages());
    const rows = await Array.fromAsync(all.client.all('listTestRuns', { outcome: 'FAIL', limit: 2 }));
    assert.deepEqual(rows, [row, row, row]);
    assert.deepEqual(
      all.requests.map(({ url }) => new URL(url).search),
      ['?outcome=FAIL&limit=2', '?outcome=FAIL&limit=2&cursor=b', '?outcome=FAIL&limit=2&cursor=c'],
    );
    const some = scripted(...pages());
    for await (const one of some.client.all('listTestRuns', { cursor: 'a' })) {
      assert.deepEqual(one, row);
      break;
    }
    assert.deepEqual(
      some.requests.map(({ url }) => new URL(url).search),
      ['?cursor=a'],
    );
    const stop = new AbortController();
    const stopped = scripted(...pages()).client.all('listTestRuns', {}, { signal: stop.signal });
    await stopped.next();
    await stopped.next();
    stop.abort(new Error('enough'));
    await assert.rejects(stopped.next(), /enough/);
  });

  it('reconnects after the stream broke, reports it each time, and gives up on a wrong key', async () => {
    const chunked = (...chunks: string[]) =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
            controller.close();
          },
        }),
      );
    const event = JSON.stringify({ type: 'mapping.changed', jobId: id });
    const { client } = scripted(
      chunked('retry: 1000\n\nid: 1\nda', `ta: ${event}\r\n\r\n: alive\n\ndata: {"type":"unknown"}\n\n`),
      refused(),
      chunked(`data: ${event}\n\n`),
      json(401, { message: 'no key' }),
    );
    const seen: string[] = [];
    await assert.rejects(
      client.events(
        new AbortController().signal,
        ({ type }) => seen.push(type),
        () => seen.push('connected'),
      ),
      AuthenticationError,
    );
    assert.deepEqual(seen, ['connected', 'mapping.changed', 'connected', 'mapping.changed']);
  });

  it('sends no key to the address of a recording', async () => {
    const { client, requests } = scripted(new Response(new Uint8Array([1, 2])));
    assert.deepEqual([...(await client.fetchAudio('http://elsewhere/x.wav?signature=s'))], [1, 2]);
    assert.equal(requests[0]?.key, null);
  });

  it('reads a part of a recording, even from a server that sends all of it', async () => {
    const { client, ranges } = scripted(
      new Response(new Uint8Array([3, 4]), { status: 206, headers: { 'content-range': 'bytes 2-3/6' } }),
      new Response(new Uint8Array([1, 2, 3, 4, 5, 6])),
      refused(),
      new Response(new Uint8Array([5, 6]), { status: 206 }),
    );
    const part = async (from: number): Promise<unknown> => {
      const { wav, total } = await client.fetchAudioPart('http://elsewhere/x.wav', from, 2);
      return [[...wav], total];
    };
    assert.deepEqual(
      [await part(2), await part(2), await part(4)],
      [
        [[3, 4], 6],
        [[3, 4], 6],
        [[5, 6], 6],
      ],
    );
    assert.deepEqual(ranges, ['bytes=2-3', 'bytes=2-3', 'bytes=4-5', 'bytes=4-5']);
  });

  it('waits longer for slow operations', async () => {
    const { client } = scripted('silence');
    const late = AbortSignal.timeout(60);
    await assert.rejects(
      client.call('rejudgeRun', { runId: id }, { timeoutMs: 60_000, signal: late }),
      (error) => error === late.reason,
    );
  });

  it('waits longer for a request that waits for the end of a run', async () => {
    const late = AbortSignal.timeout(60);
    const launch = scripted('silence').client.call('startMapping', { id, waitSeconds: 45 }, { signal: late });
    await assert.rejects(launch, (error) => error === late.reason);
  });
});
