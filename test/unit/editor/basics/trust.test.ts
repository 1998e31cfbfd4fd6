import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { operations } from '../../../../src/contract/operations.ts';
import type { OperationName } from '../../../../src/contract/operations.ts';
import { commandIds } from '../../../../src/editor/basics/commandTable.ts';
import type { CommandHandler, Handlers } from '../../../../src/editor/basics/commandTable.ts';
import { adviceOn } from '../../../../src/editor/basics/errorAdvice.ts';
import { ApiKeys } from '../../../../src/editor/host/apiKeys.ts';
import { Connection } from '../../../../src/editor/host/connection.ts';
import type { EmbeddedService } from '../../../../src/editor/host/embeddedService.ts';
import { callingCommands, reachesPeople, withTrust } from '../../../../src/editor/basics/trust.ts';
import { fakeSecrets } from '../agents/fakeAgents.ts';
import { english, FakeClient } from '../fakes.ts';

const isUntrusted = (error: unknown): boolean =>
  error instanceof HumanError &&
  error.code === 'untrusted' &&
  error.message === 'To place calls, trust this workspace first.';

describe('an untrusted workspace', () => {
  let isTrusted: boolean, ran: string[], starts: number, client: FakeClient, handlers: Handlers, connection: Connection;
  const names = Object.keys(operations) as OperationName[];

  beforeEach(() => {
    isTrusted = false;
    ran = [];
    starts = 0;
    client = new FakeClient();
    const own = Object.fromEntries(
      commandIds.map((id): [string, CommandHandler] => [
        id,
        (value) => {
          ran.push(`${id} ${String(value)}`);
          return id;
        },
      ]),
    ) as unknown as Handlers;
    handlers = withTrust(own, () => isTrusted, english);
    const embedded = {
      onDidChange: () => ({ dispose: () => undefined }),
      start: () => {
        starts += 1;
        return Promise.resolve({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'dt_k' });
      },
    };
    connection = new Connection({
      settings: () => ({ mode: 'embedded', url: undefined }),
      keys: new ApiKeys(fakeSecrets(), 'key'),
      embedded: embedded as unknown as EmbeddedService,
      createClient: () => client,
      isTrusted: () => isTrusted,
      l10n: english,
    });
  });
  afterEach(() => connection.dispose());

  it('refuses every command that ends in calls, before it asks anything', () => {
    assert.ok(callingCommands.size > 5);
    for (const id of callingCommands) assert.throws(() => handlers[id](), isUntrusted, id);
    assert.deepEqual(ran, []);
  });

  it('allows the other commands, and all of them once it is trusted', () => {
    for (const id of commandIds) if (!callingCommands.has(id)) assert.equal(handlers[id](1), id);
    isTrusted = true;
    for (const id of callingCommands) assert.equal(handlers[id](2), id);
    assert.deepEqual([ran.length, ran.at(-1)?.endsWith(' 2')], [commandIds.length, true]);
  });

  it('places no call for any request, and starts nothing for one', async () => {
    const calling = names.filter((name) => reachesPeople(operations[name]));
    assert.ok(
      ['startMapping', 'runTest', 'runMissionTest', 'runLoadTest', 'runComplianceTest'].every((name) =>
        calling.includes(name as OperationName),
      ),
    );
    for (const name of calling) await assert.rejects(connection.call(name, {}), isUntrusted, name);
    assert.deepEqual([starts, client.calls], [0, []]);
  });

  it('can be viewed, and called once it is trusted', async () => {
    client.answers = { listMappings: () => ({ items: [] }), runTest: () => ({ items: [] }) };
    await connection.call('listMappings', {});
    isTrusted = true;
    await connection.call('runTest', { configId: 'a' });
    assert.deepEqual(
      client.calls.map(({ name }) => name),
      ['listMappings', 'runTest'],
    );
  });

  it('produces an error that says how to trust it', async () => {
    const error: unknown = await connection.call('runTest', { configId: 'a' }).catch((thrown: unknown) => thrown);
    assert.deepEqual(adviceOn(error, 'embedded', english), {
      message: 'To place calls, trust this workspace first.',
      actions: [{ title: 'Manage Workspace Trust', editorCommand: 'workbench.trust.manage' }],
    });
  });
});
