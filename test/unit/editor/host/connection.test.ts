import assert from 'node:assert/strict';
import { AuthenticationError, ConnectionError, ValidationError } from '../../../../src/client/errors.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import { ApiKeys } from '../../../../src/editor/host/apiKeys.ts';
import { Connection } from '../../../../src/editor/host/connection.ts';
import type { EmbeddedState } from '../../../../src/editor/host/embeddedService.ts';
import { Emitter } from '../../../../src/editor/basics/emitter.ts';
import type { ServiceAddress } from '../../../../src/editor/host/serviceClient.ts';
import { fakeSecrets } from '../agents/fakeAgents.ts';
import { english, FakeClient, job } from '../fakes.ts';

const refused = (preFlight: boolean): ConnectionError =>
  new ConnectionError('The service cannot be reached.', { preFlight });

/** A service that gets a new address at each start. */
class FakeEmbedded {
  readonly changed = new Emitter<EmbeddedState>();
  readonly onDidChange = this.changed.listen;
  starts = 0;
  #address: ServiceAddress | undefined;
  start(): Promise<ServiceAddress> {
    if (!this.#address) {
      this.starts += 1;
      this.#address = { baseUrl: `http://127.0.0.1:${String(this.starts)}/v1`, apiKey: 'dt_k' };
    }
    return Promise.resolve(this.#address);
  }
  lost(address: ServiceAddress): void {
    if (address.baseUrl === this.#address?.baseUrl) this.#address = undefined;
  }
  async restart(): Promise<ServiceAddress> {
    this.#address = undefined;
    return this.start();
  }
}

describe('Connection', () => {
  let embedded: FakeEmbedded, keys: ApiKeys, settings: { mode: 'embedded' | 'remote'; url: string | undefined };
  let clients: Map<string, FakeClient>, addresses: ServiceAddress[], connection: Connection;
  let answer: (address: ServiceAddress) => { items: ReturnType<typeof job>[] };
  let started: string[], startPractice: (file: string) => Promise<unknown>;

  beforeEach(() => {
    embedded = new FakeEmbedded();
    keys = new ApiKeys(fakeSecrets(), 'key');
    settings = { mode: 'embedded', url: undefined };
    clients = new Map();
    addresses = [];
    answer = () => ({ items: [job(1)] });
    started = [];
    startPractice = (file) => Promise.resolve(started.push(file));
    connection = new Connection({
      settings: () => settings,
      keys,
      embedded,
      l10n: english,
      startPractice: (file) => startPractice(file),
      createClient: (address) => {
        const client = new FakeClient({
          listMappings: () => answer(address),
          createMapping: () => {
            answer(address);
            return job(1);
          },
          startMapping: () => {
            answer(address);
            return job(1);
          },
        });
        addresses.push(address);
        clients.set(address.baseUrl, client);
        return client;
      },
    });
  });
  afterEach(() => connection.dispose());
  const kind = (): string => connection.state.kind;
  const list = (): Promise<unknown> => connection.call('listMappings', {});

  it('starts the embedded service at the first call, and not before', async () => {
    assert.equal(embedded.starts, 0);
    assert.equal(kind(), 'idle');
    await list();
    await list();
    assert.equal(embedded.starts, 1);
    assert.equal(addresses.length, 1);
    assert.equal(kind(), 'ready');
  });

  it('restarts it for a call that finds it gone', async () => {
    await list();
    answer = ({ baseUrl }) => {
      if (baseUrl.includes(':1/')) throw refused(true);
      return { items: [] };
    };
    await list();
    assert.equal(embedded.starts, 2);
  });

  it('repeats a change only if it was never sent', async () => {
    await list();
    answer = ({ baseUrl }) => {
      if (baseUrl.includes(':1/')) throw refused(false);
      return { items: [] };
    };
    await assert.rejects(connection.call('createMapping', { phoneNumber: '+12025550101' }), ConnectionError);
    assert.equal(clients.get('http://127.0.0.1:2/v1'), undefined);
    answer = ({ baseUrl }) => {
      if (baseUrl.includes(':2/')) throw refused(true);
      return { items: [] };
    };
    await connection.call('createMapping', { phoneNumber: '+12025550101' });
    assert.equal(embedded.starts, 3);
  });

  it('reports what is being cancelled, from the request until its answer or refusal', async () => {
    await list();
    const seen: string[] = [];
    connection.onDidCancel(({ id, state }) => seen.push(`${id} ${state} ${String(connection.isCancelling(id))}`));
    const client = clients.get('http://127.0.0.1:1/v1')!;
    let isRefused = false;
    const end = (): ReturnType<typeof job> => {
      if (isRefused) throw new ValidationError('no', { status: 400 });
      return job(1);
    };
    client.answers = { ...client.answers, cancelMapping: end };
    const cancel = (): Promise<unknown> => connection.call('cancelMapping', { id: job(1).id });
    const cancelled = cancel();
    assert.deepEqual(seen.splice(0), [`${job(1).id} begun true`], 'at once');
    await cancelled;
    assert.deepEqual(seen.splice(0), [`${job(1).id} done false`]);
    isRefused = true;
    await assert.rejects(cancel(), ValidationError);
    assert.deepEqual(seen, [`${job(1).id} begun true`, `${job(1).id} failed false`]);
  });

  describe('a call to a practice IVR that is stopped', () => {
    const file = '/w/bank.ivr.json';
    const start = (): Promise<unknown> => connection.call('startMapping', { id: job(1).id });
    const refuse = (details?: unknown): void => {
      answer = () => {
        throw new ValidationError('It is stopped.', { status: 400, body: { code: 'practice_stopped', details } });
      };
    };

    it('starts the IVR, and is repeated once, also if the IVR stops again', async () => {
      refuse({ file });
      await assert.rejects(start(), { code: 'practice_stopped' });
      assert.deepEqual([started, clients.get('http://127.0.0.1:1/v1')?.count('startMapping')], [[file], 2]);
      startPractice = () => Promise.resolve((answer = () => ({ items: [] })));
      await start();
    });

    it('fails if its file is unknown, in Restricted Mode, and at a remote service', async () => {
      for (const details of [undefined, { file: '' }, { file: 7 }]) {
        refuse(details);
        await assert.rejects(start(), { code: 'practice_stopped' });
      }
      refuse({ file });
      startPractice = () => Promise.reject(new HumanError('Not here.', { code: 'untrusted' }));
      await assert.rejects(start(), { code: 'untrusted' });
      settings = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
      await keys.store('https://dialtree.example.com/v1', 'dt_mine');
      await assert.rejects(start(), { code: 'practice_stopped' });
      assert.deepEqual(started, []);
    });
  });

  it('shows that the embedded service starts, heals, and has failed', () => {
    const seen: string[] = [];
    connection.onDidChangeState((state) => seen.push(state.kind));
    embedded.changed.fire({ kind: 'starting' });
    embedded.changed.fire({ kind: 'ready', address: { baseUrl: 'x', apiKey: 'y' } });
    embedded.changed.fire({ kind: 'crashed' });
    embedded.changed.fire({ kind: 'failed', error: refused(true) });
    assert.deepEqual(seen, ['starting', 'ready', 'starting', 'unreachable']);
  });

  describe('to a remote service', () => {
    beforeEach(() => {
      settings = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
    });

    it("uses only that service's key, and never starts the embedded one", async () => {
      await keys.store('https://other.example.com/v1', 'dt_other');
      await assert.rejects(list(), { code: 'key_required' });
      assert.equal(kind(), 'needsKey');
      await keys.store('https://dialtree.example.com/v1', 'dt_mine');
      connection.reset();
      await list();
      assert.deepEqual(addresses, [{ baseUrl: 'https://dialtree.example.com/v1', apiKey: 'dt_mine' }]);
      assert.equal(embedded.starts, 0);
    });

    it('distinguishes an unreachable service, a rejected key and a bad request', async () => {
      await keys.store('https://dialtree.example.com/v1', 'dt_mine');
      answer = () => {
        throw refused(true);
      };
      await assert.rejects(list());
      assert.deepEqual(connection.state, { kind: 'unreachable', message: 'The service cannot be reached.' });
      answer = () => {
        throw new AuthenticationError('no', { status: 401 });
      };
      await assert.rejects(list());
      assert.equal(kind(), 'needsKey');
      answer = () => {
        throw new ValidationError('no', { status: 400 });
      };
      await assert.rejects(list());
      assert.equal(kind(), 'ready');
    });

    it('says so when the address is missing', async () => {
      settings = { mode: 'remote', url: undefined };
      await assert.rejects(list(), { code: 'service_url' });
      assert.equal(kind(), 'unreachable');
    });

    it('ignores the embedded service', () => {
      embedded.changed.fire({ kind: 'failed', error: refused(true) });
      assert.equal(kind(), 'idle');
    });
  });

  it('drops the client when the settings change, and ignores its late results', async () => {
    let replaced = 0;
    connection.onDidReplace(() => (replaced += 1));
    await list();
    connection.reset();
    assert.equal(kind(), 'idle');
    assert.equal(replaced, 1);
  });
});
