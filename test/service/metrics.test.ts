import assert from 'node:assert/strict';
import { sendHttp } from '../support/sendHttp.ts';
import { ServiceFixture, EventWatch } from '../support/serviceFixture.ts';
import { rootNode } from '../support/serviceScript.ts';

const lab = '+12025550101';

/** Parses `name{labels} value` lines of the text format into values by name and labels. */
const readMetrics = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );

describe('service: metrics', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());
  const addressOf = ({ baseUrl }: { readonly baseUrl: string }): string => baseUrl.replace(/\/v1$/, '/metrics');
  async function read(service: { readonly baseUrl: string }): Promise<ReadonlyMap<string, number>> {
    return readMetrics(await (await fetch(addressOf(service))).text());
  }
  const statusOf = async (url: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
    (await sendHttp(url, { headers, method })).status;

  it('report the process to Prometheus without opening the store', async () => {
    const service = await fixture.start();
    const response = await fetch(addressOf(service));
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    for (const [, name = ''] of text.matchAll(/^([a-z]\w*)[{ ]/gm))
      assert.match(
        text,
        new RegExp(`^# TYPE ${name.replace(/_(?:bucket|sum|count)$/, '')} (?:counter|gauge|histogram)$`, 'm'),
      );
    const metrics = readMetrics(text);
    for (const name of [
      'process_cpu_seconds_total',
      'process_start_time_seconds',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ])
      assert.ok((metrics.get(name) ?? 0) > 0, name);
    assert.ok((metrics.get('nodejs_eventloop_utilization') ?? -1) >= 0);
    const states = (given: ReadonlyMap<string, number>) =>
      ['closed', 'open', 'failed'].map((state) => given.get(`dialtree_store_state{state="${state}"}`));
    assert.deepEqual(states(metrics), [1, 0, 0]);
    assert.ok(!metrics.has('dialtree_runs_waiting'), 'nobody knows before the store is open');
    await service.client.call('listMappings', {});
    const after = await read(service);
    assert.deepEqual(states(after), [0, 1, 0]);
    assert.equal(after.get('dialtree_runs_waiting'), 0);
    assert.ok(!text.includes('gc_duration'), 'nothing that has to be stopped');
  });

  it('count requests by route and status from the first scrape on, and name no workspace, number or ID', async () => {
    const service = await fixture.start();
    await service.client.call('listMappings', {});
    await read(service);
    const { id } = await service.client.call('createMapping', {
      phoneNumber: lab,
      name: 'Harbour Bank',
      tags: ['secret-tag'],
    });
    await service.client.call('getMapping', { id });
    await service.client.call('getMapping', { id });
    await assert.rejects(service.clientOf('dt_wrong').call('getMapping', { id }), { status: 401 });
    const { origin } = new URL(service.baseUrl);
    for (const path of [`/v1/nothing/${id}`, '/favicon.ico', `/claim/${'x'.repeat(43)}`])
      assert.equal((await fetch(origin + path, { headers: { 'x-api-key': service.apiKey } })).status, 404);
    assert.equal(await statusOf(`${service.baseUrl}/mapping/${id}`, { 'x-api-key': service.apiKey }, 'PROPFIND'), 405);
    assert.equal(await statusOf(`${service.baseUrl}/mapping`, { host: 'evil.example' }), 421);

    const text = await (await fetch(addressOf(service))).text();
    const metrics = readMetrics(text);
    const requests = [...metrics].filter(([name]) => name.startsWith('dialtree_http_requests_total'));
    assert.deepEqual(
      requests.toSorted(),
      [
        ['dialtree_http_requests_total{method="GET",route="/claim/:token",status="404"}', 1],
        ['dialtree_http_requests_total{method="GET",route="/metrics",status="200"}', 1],
        ['dialtree_http_requests_total{method="GET",route="/v1/mapping",status="421"}', 1],
        ['dialtree_http_requests_total{method="GET",route="/v1/mapping/:id",status="200"}', 2],
        ['dialtree_http_requests_total{method="GET",route="/v1/mapping/:id",status="401"}', 1],
        ['dialtree_http_requests_total{method="GET",route="none",status="404"}', 2],
        ['dialtree_http_requests_total{method="POST",route="/v1/mapping",status="201"}', 1],
        ['dialtree_http_requests_total{method="PROPFIND",route="none",status="405"}', 1],
      ].toSorted(),
    );
    assert.equal(metrics.get('dialtree_http_request_duration_seconds_count{method="GET",route="/v1/mapping/:id"}'), 3);
    assert.equal(
      metrics.get('dialtree_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/v1/mapping/:id"}'),
      3,
    );
    assert.ok(!/[0-9a-f]{8}-[0-9a-f]{4}|\+1202|Harbour|secret-tag|dt_|xxx|favicon/.test(text));
  });

  it('report open streams, runs, waiting runs and connections', async () => {
    const service = await fixture.start();
    const watch = new EventWatch(service.client);
    await watch.ready;
    // Four are worked on at a time; the fifth waits.
    const ids = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => (await service.client.call('createMapping', { phoneNumber: lab })).id),
    );
    for (const id of ids) await service.client.call('startMapping', { id });
    const runs = await Promise.all(ids.slice(0, 4).map(() => fixture.crawl.next()));
    for (const run of runs) run.found(rootNode());
    const metrics = await read(service);
    assert.deepEqual(
      ['dialtree_event_streams', 'dialtree_runs_in_flight', 'dialtree_runs_waiting', 'dialtree_calls_in_flight'].map(
        (name) => metrics.get(name),
      ),
      [1, 4, 1, 0],
    );
    assert.ok((metrics.get('dialtree_http_connections') ?? 0) >= 2);
    assert.equal(metrics.get('dialtree_http_requests_open'), 2, 'the stream, and this one');
    assert.equal(metrics.get('dialtree_http_connections_dropped_total'), 0);
    await watch.close();
  });

  it('serve this machine without a key, and require a key of the service through a proxy or the public address', async () => {
    const service = await fixture.start({ publicUrl: 'https://dialtree.example.com' });
    const url = addressOf(service);
    const { host } = new URL(url);
    assert.equal(await statusOf(url, {}), 200);
    for (const headers of [
      { host: 'dialtree.example.com' },
      { host, 'x-forwarded-for': '203.0.113.9' },
      { host, 'x-forwarded-for': '127.0.0.1' },
      { host, forwarded: 'for=127.0.0.1' },
      { host: 'dialtree.example.com', 'x-forwarded-for': '127.0.0.1' },
    ]) {
      assert.equal(await statusOf(url, headers), 401, JSON.stringify(headers));
      assert.equal(await statusOf(url, { ...headers, 'x-api-key': service.apiKey }), 200);
      assert.equal(await statusOf(url, { ...headers, authorization: `Bearer ${service.apiKey}` }), 200);
    }
    const { apiKey: stranger } = (await (
      await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })
    ).json()) as { apiKey: string };
    const { apiKey: small } = await service.client.call('createApiKey', {
      name: 'tests only',
      scopes: ['testing:read'],
    });
    for (const key of [stranger, small, 'dt_wrong'])
      assert.equal(await statusOf(url, { host: 'dialtree.example.com', 'x-api-key': key }), 401);
    assert.equal(await statusOf(url, { host: 'evil.example' }), 421);
    assert.equal(await statusOf(url, { 'x-api-key': service.apiKey }, 'POST'), 405);
  });

  it('keep the figures of two services apart, and leave nothing behind', async () => {
    const [one, other] = [await fixture.start(), await fixture.start()];
    await read(one);
    await read(other);
    await one.client.call('listMappings', {});
    const count = async (service: { readonly baseUrl: string }) =>
      (await read(service)).get('dialtree_http_requests_total{method="GET",route="/v1/mapping",status="200"}');
    assert.deepEqual([await count(one), await count(other)], [1, undefined]);
    await one.close();
    assert.equal((await read(other)).get('dialtree_event_streams'), 0);
  });
});
