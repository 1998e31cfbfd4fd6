import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import { DialtreeClient } from '../../../src/client/client.ts';
import { ServiceError, TimeoutError } from '../../../src/client/errors.ts';
import { openAiCompatible } from '../../../src/language/model/openAiCompatible.ts';
import { startChatServer } from '../../support/chatServer.ts';

describe('directFetch', () => {
  const cleanUp: (() => unknown)[] = [];
  afterEach(async () => {
    for (const one of cleanUp.splice(0).toReversed()) await one();
  });

  /** A server that keeps the targets of its requests. */
  async function serve(answer: RequestListener, host = '127.0.0.1') {
    const requests: string[] = [];
    const server = http.createServer(answer).on('request', ({ url = '' }) => requests.push(url));
    server.on('connect', ({ url = '' }, socket) => {
      requests.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(server.listen(0, host), 'listening');
    cleanUp.push(() => server.close().closeAllConnections());
    return { port: String((server.address() as AddressInfo).port), requests };
  }
  const clientAt = (host: string, timeoutMs = 30_000) =>
    new DialtreeClient({ baseUrl: `http://${host}/v1`, timeoutMs, retry: { wait: () => Promise.resolve() } });

  it('ends a stream of events that is aborted after garbage collection', async () => {
    const closed = new EventEmitter();
    const { port } = await serve((_request, response) =>
      response.on('close', () => closed.emit('closed')).write(':\n\n'),
    );
    const ends = once(closed, 'closed');
    const stop = new AbortController();
    let connected = (): void => undefined;
    const connects = new Promise<void>((resolve) => (connected = resolve));
    const events = clientAt(`127.0.0.1:${port}`).events(stop.signal, ({ type }) => assert.fail(type), connected);
    await connects;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let times = 0; times < 3; times += 1) {
      collect();
      await setImmediate();
    }
    stop.abort();
    await Promise.all([events, ends]);
  });

  describe('with a proxy in the environment', () => {
    let proxy: Awaited<ReturnType<typeof serve>>;
    beforeEach(async () => {
      proxy = await serve((_request, response) => response.writeHead(502).end());
      cleanUp.push(http.setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${proxy.port}` }));
    });

    const hosts = { '127.0.0.1': '127.0.0.1', localhost: '127.0.0.1', '127.8.9.10': '127.8.9.10', '[::1]': '::1' };
    for (const [host, address] of Object.entries(hosts))
      it(`reaches a service at ${host} directly, with its events and recordings`, async () => {
        const { port, requests } = await serve(({ url }, response) => {
          if (url === '/v1/events') response.write(':\n\n');
          else response.end('{"items":[]}');
        }, address);
        const client = clientAt(`${host}:${port}`);
        assert.deepEqual(await client.call('listProfiles', {}), { items: [] });
        assert.equal((await client.fetchAudio(`http://${host}:${port}/a.wav`)).length, 12);
        const stop = new AbortController();
        await client.events(
          stop.signal,
          ({ type }) => assert.fail(type),
          () => stop.abort(),
        );
        assert.deepEqual([requests, proxy.requests], [['/v1/profiles', '/a.wav', '/v1/events'], []]);
      });

    it('reaches a language model on this machine directly', async () => {
      const server = await startChatServer([{ answer: { ok: true } }]);
      cleanUp.push(() => server.close());
      const asked = { name: 'a', system: 'b', parts: [], schema: z.object({ ok: z.boolean() }) };
      assert.deepEqual(await openAiCompatible({ baseUrl: server.url, model: 'm' }).ask(asked), { ok: true });
      assert.deepEqual(proxy.requests, []);
    });

    it('leaves other hosts to the proxy', async () => {
      await assert.rejects(clientAt('service.example').call('registerWorkspace', {}));
      assert.match(proxy.requests.join(), /service\.example/);
    });
  });

  it('reports a body that breaks or stalls, and follows no redirect', async () => {
    const { port, requests } = await serve(({ url }, response) => {
      if (url === '/v1/register') response.writeHead(307, { location: '/other' }).end();
      else response.writeHead(200, { 'content-length': 9 }).write('{', () => url === '/a' || response.destroy());
    });
    const client = clientAt(`127.0.0.1:${port}`);
    await assert.rejects(client.call('deleteTestConfig', { id: crypto.randomUUID() }), { code: 'connection_lost' });
    const hasty = clientAt(`127.0.0.1:${port}`, 100);
    await assert.rejects(hasty.fetchAudio(`http://127.0.0.1:${port}/a`), TimeoutError);
    requests.length = 0;
    await assert.rejects(client.call('registerWorkspace', {}), ServiceError);
    assert.equal(requests.length, 1);
  });
});
