import assert from 'node:assert/strict';
import { serverLimits, tiers } from '../../src/contract/limits.ts';
import { LoopTime } from '../../src/service/workspaces/loopTime.ts';
import { RawConnection } from '../support/rawConnection.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { postJson } from '../support/postJson.ts';

interface RpcAnswer {
  readonly id: number | null;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

const rpc = (count: number, method = 'tools/call') =>
  Array.from({ length: count }, (_none, id) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: method === 'tools/call' ? { name: 'listGuides', arguments: {} } : {},
  }));

describe('service: requests per minute', function () {
  const fixture = new ServiceFixture();
  let service: Awaited<ReturnType<ServiceFixture['start']>>;
  let time = new Date('2026-03-01T12:00:00.000Z');
  before(async () => {
    service = await fixture.start({ parts: { now: () => time } });
  });
  after(() => fixture.close());
  /** A network can register only a few workspaces per hour. */
  beforeEach(() => {
    time = new Date(time.getTime() + 3_600_000);
  });

  const ask = (path: string, apiKey?: string): Promise<Response> =>
    fetch(`${service.baseUrl}${path}`, apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } });
  async function register(): Promise<string> {
    const response = await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' });
    return ((await response.json()) as { apiKey: string }).apiKey;
  }
  const post = (apiKey: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    postJson(service.mcpUrl, body, { 'x-api-key': apiKey, ...headers });
  /** Returns how many further requests are answered before one is refused. */
  async function left(apiKey: string): Promise<number> {
    for (let count = 0; count <= tiers.free.requestsPerMinute; count += 1) {
      const response = await ask('/guides', apiKey);
      await response.body?.cancel();
      if (response.status === 403) return count;
    }
    return assert.fail('nothing is refused');
  }
  async function assertRefusal(response: Response): Promise<void> {
    assert.deepEqual([response.status, await response.text()], [403, '']);
    assert.equal(response.headers.get('retry-after'), null);
  }

  it("count each message of a batch, and don't say when to come back @engine", async () => {
    const key = await register();
    const { max } = serverLimits.batch;
    let answered = 0;
    let refused: Response | undefined;
    for (let batch = 0; batch < 4; batch += 1) {
      const response = await post(key, rpc(max));
      if (response.status === 200)
        answered += ((await response.json()) as RpcAnswer[]).filter(({ result }) => result).length;
      else refused = response;
    }
    assert.equal(answered, tiers.free.requestsPerMinute, 'no more calls than the tier has requests');
    await assertRefusal(refused ?? assert.fail('no batch was refused'));
    await assertRefusal(await ask('/guides', key));
  });

  it('answer nothing of a batch that is larger than the remaining allowance', async () => {
    const key = await register();
    for (let request = 0; request < tiers.free.requestsPerMinute - 5; request += 1)
      await (await ask('/guides', key)).body?.cancel();
    await assertRefusal(await post(key, rpc(serverLimits.batch.max)));
  });

  it('count notifications and tool lists in a batch as well', async () => {
    const key = await register();
    const batch = [...rpc(2, 'tools/list'), { jsonrpc: '2.0', method: 'notifications/initialized' }];
    await (await post(key, batch)).body?.cancel();
    assert.equal(await left(key), tiers.free.requestsPerMinute - batch.length);
  });

  it('answer no batch in a protocol version without batches, nor an empty or oversized one', async () => {
    const key = await register();
    const refusal = async (body: unknown, headers: Record<string, string> = {}): Promise<unknown> => {
      const response = await post(key, body, headers);
      const { error, id } = (await response.json()) as RpcAnswer;
      return [response.status, error?.code, id, error?.message];
    };
    for (const version of ['2025-06-18', '2025-11-25']) {
      assert.deepEqual(await refusal(rpc(2), { 'mcp-protocol-version': version }), [
        400,
        -32600,
        null,
        `Protocol ${version} doesn't support batches. Send each message in its own request.`,
      ]);
    }
    const size = [400, -32600, null, `A batch can have 1 to ${String(serverLimits.batch.max)} messages. Send fewer.`];
    assert.deepEqual([await refusal([]), await refusal(rpc(serverLimits.batch.max + 1))], [size, size]);
    assert.equal((await post(key, rpc(2), { 'mcp-protocol-version': '2025-03-26' })).status, 200);
    assert.equal(
      await left(key),
      tiers.free.requestsPerMinute - 6,
      'a refused batch counts as one request, another by its messages',
    );
  });

  it('count each request of a pipeline', async () => {
    const key = await register();
    const { host, port } = new URL(service.baseUrl);
    const connection = new RawConnection(Number(port));
    const many = tiers.free.requestsPerMinute + 5;
    const request = (last: boolean): string =>
      `GET /v1/guides HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\n${last ? 'connection: close\r\n' : ''}\r\n`;
    connection.send(Array.from({ length: many }, (_none, index) => request(index === many - 1)).join(''));
    const statuses = [...(await connection.ended()).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    assert.deepEqual(
      [statuses.filter((status) => status === '200').length, statuses.filter((status) => status === '403').length],
      [tiers.free.requestsPerMinute, 5],
    );
  });

  it('belong to a workspace, with any of its keys, over REST and MCP @engine', async () => {
    const key = await register();
    const { apiKey: second } = await service
      .clientOf(key)
      .call('createApiKey', { name: 'second', scopes: ['workspace:read'] });
    let asked = 1;
    for (; asked < tiers.free.requestsPerMinute - 3; asked += 1)
      await (await ask('/guides', asked % 2 === 0 ? key : second)).body?.cancel();
    await (await post(key, rpc(1)[0])).body?.cancel();
    assert.equal(await left(second), 2);
    await assertRefusal(await post(key, rpc(1)[0]));
    assert.equal((await ask('/guides', service.apiKey)).status, 200, 'other workspaces are not held up');
  });

  it('allow only as many event streams as the tier has', async () => {
    const key = await register();
    const stop = new AbortController();
    const open = (apiKey: string): Promise<Response> =>
      fetch(`${service.baseUrl}/events`, { headers: { 'x-api-key': apiKey }, signal: stop.signal });
    try {
      for (let stream = 0; stream < tiers.free.streams; stream += 1) assert.equal((await open(key)).status, 200);
      const refused = await open(key);
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { code: string }).code, refused.headers.get('retry-after')],
        [429, 'too_many_streams', '15'],
      );
      assert.deepEqual(
        [(await open(service.apiKey)).status, (await open(await register())).status],
        [200, 200],
        'those of other workspaces are their own',
      );
    } finally {
      stop.abort();
    }
  });

  it('include only a few for a network without a key, shared by wrong keys, open tools and pages @engine', async () => {
    service = await fixture.start();
    const visits = [
      () => ask('/mapping'),
      () => ask('/mapping', 'dt_wrong'),
      () => post('', rpc(1, 'tools/list')[0], { 'x-api-key': '' }),
      ...['/signin', '/claim/none', '/account', '/signup', '/signup/none'].map(
        (page) => () => fetch(service.baseUrl.replace('/v1', page), { redirect: 'manual' }),
      ),
    ];
    const statuses = new Set<number>();
    for (let visit = 0; visit < serverLimits.visitsPerMinute; visit += 1) {
      const response = await visits[visit % visits.length]!();
      await response.body?.cancel();
      statuses.add(response.status);
    }
    assert.deepEqual([...statuses].sort(), [200, 303, 401, 404, 410, 503]);
    for (const visit of visits) {
      const response = await visit();
      assert.deepEqual([response.status, Number(response.headers.get('retry-after')) > 0], [429, true]);
    }
    assert.equal(((await (await ask('/mapping')).json()) as { code: string }).code, 'too_many_requests');
    assert.equal((await ask('/guides', service.apiKey)).status, 200, 'whoever has a key is not held up');
    assert.equal((await ask('/openapi.json')).status, 200);
  });

  it('belong only to workspaces and networks whose requests left the server some time, over REST and MCP', async () => {
    let [ms, slowMs] = [0, 0];
    /** Every operation that stores something asks for the time. */
    const now = (): Date => {
      ms += slowMs;
      return time;
    };
    service = await fixture.start({ parts: { now, loopTime: new LoopTime({ now: () => ms }) } });
    const [slow, other] = [await register(), await register()];
    const save = (apiKey: string): Promise<Response> =>
      postJson(`${service.baseUrl}/mapping`, { name: 'A', phoneNumber: '+12025550101' }, { 'x-api-key': apiKey });
    slowMs = tiers.free.loopMsPerMinute;
    assert.equal((await save(slow)).status, 201);
    slowMs = 0;
    const refused = await save(slow);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [429, 'too_many_requests']);
    assert.equal((await post(slow, rpc(1)[0])).status, 429);
    assert.deepEqual([(await save(other)).status, (await post(other, rpc(1)[0])).status], [201, 200]);
    ms += seconds * 1000;
    assert.deepEqual([(await save(slow)).status, (await post(slow, rpc(1)[0])).status], [201, 200]);
    slowMs = serverLimits.visitLoopMsPerMinute;
    await register();
    assert.equal((await fetch(`${service.baseUrl}/workspace/register`, { method: 'POST' })).status, 429);
    assert.equal((await fetch(service.baseUrl.replace('/v1', '/signin'))).status, 429);
    assert.equal((await ask('/guides', other)).status, 200);
  });
});
