import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { operations } from '../../../../src/contract/operations.ts';
import type { OperationName } from '../../../../src/contract/operations.ts';
import { adviceOn } from '../../../../src/editor/basics/errorAdvice.ts';
import { ApiKeys } from '../../../../src/editor/host/apiKeys.ts';
import { Connection } from '../../../../src/editor/host/connection.ts';
import type { EmbeddedService } from '../../../../src/editor/host/embeddedService.ts';
import { reachesPeople } from '../../../../src/editor/basics/trust.ts';
import { allCommands } from '../../../../src/editor/commands/allCommands.ts';
import { command } from '../../../../src/editor/commands/command.ts';
import { fakeSecrets } from '../agents/fakeAgents.ts';
import { fakeEditor } from '../fakeEditor.ts';
import { english, FakeClient } from '../fakes.ts';

const isUntrusted = (error: unknown): boolean =>
  error instanceof HumanError &&
  error.code === 'untrusted' &&
  error.message === 'To place calls, trust this workspace first.';

describe('an untrusted workspace', () => {
  let isTrusted: boolean, starts: number, client: FakeClient, connection: Connection;
  const names = Object.keys(operations) as OperationName[];

  beforeEach(() => {
    isTrusted = false;
    starts = 0;
    client = new FakeClient();
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
    const calling = allCommands.filter(({ calls }) => calls);
    assert.deepEqual(calling.map(({ id }) => id.replace('dialtree.', '')).sort(), [
      'call.start',
      'compliance.run',
      'line.answer',
      'line.echo',
      'load.start',
      'mapping.new',
      'mapping.raiseLimit',
      'mapping.start',
      'practice.map',
      'step.call',
      'test.repair',
      'test.run',
      'test.runFailed',
      'test.runMission',
    ]);
    const editor = fakeEditor({ isTrusted: () => isTrusted });
    for (const { id, run } of calling) assert.throws(() => run(editor), isUntrusted, id);
  });

  it('allows the other commands, and all of them once it is trusted', () => {
    const editor = fakeEditor({ isTrusted: () => isTrusted });
    const run = (calls: boolean): unknown =>
      command({ id: 'dialtree.mapping.new', calls, run: (_editor, value) => value }).run(editor, 1);
    assert.equal(run(false), 1);
    assert.throws(() => run(true), isUntrusted);
    isTrusted = true;
    assert.equal(run(true), 1);
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
