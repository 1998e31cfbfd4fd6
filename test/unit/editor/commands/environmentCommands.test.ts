import assert from 'node:assert/strict';
import { Environments } from '../../../../src/editor/folders/environments.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { english } from '../fakes.ts';

describe('the commands of environments', () => {
  let stored: Map<string, unknown>, secrets: Map<string, string>, environments: Environments;
  beforeEach(() => {
    stored = new Map();
    secrets = new Map();
    environments = new Environments({
      memory: {
        get: <T>(key: string) => stored.get(key) as T | undefined,
        update: async (key, value) => void stored.set(key, value),
      },
      secrets: {
        get: async (name) => secrets.get(name),
        store: async (name, value) => void secrets.set(name, value),
        delete: async (name) => void secrets.delete(name),
      },
      workspaceId: () => 'file:///w',
      log: { error: assert.fail, warn: assert.fail, info: assert.fail, debug: assert.fail } as never,
    });
  });

  it('keep the chosen environment', async () => {
    Object.assign(environments, { names: ['dev', 'live'], usual: 'dev' });
    const dialogs = new FakeDialogs({ pick: 'live' });
    await commandsIn({ environments, dialogs, l10n: english })['dialtree.environment.choose']();
    assert.equal(environments.name, 'live');
  });

  it('keep the value of a secret only in the secret storage, under its workspace, and delete it', async () => {
    const dialogs = new FakeDialogs('4711', { pick: 'PIN' });
    const commands = commandsIn({ environments, dialogs, l10n: english });
    await commands['dialtree.secret.set']({ name: 'PIN' });
    assert.deepEqual([...secrets], [['dialtree.secret file:///w PIN', '4711']]);
    assert.equal(await environments.secretOf('PIN'), '4711');
    assert.doesNotMatch(JSON.stringify([...stored]), /4711/);
    await commands['dialtree.secret.delete']();
    assert.deepEqual([secrets.size, environments.secretNames], [0, []]);
    dialogs.done();
  });
});
