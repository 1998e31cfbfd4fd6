import assert from 'node:assert/strict';
import { Environments } from '../../../../src/editor/folders/environments.ts';
import { TestSecrets } from '../../../../src/editor/host/testSecrets.ts';
import { EnvironmentItem } from '../../../../src/editor/views/environmentItem.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { english, recordingLogger } from '../fakes.ts';
import { memento } from '../testing/fakeRuns.ts';

describe('the commands of environments', () => {
  let memory: ReturnType<typeof memento>, secrets: Map<string, string>, environments: Environments;
  beforeEach(() => {
    memory = memento();
    secrets = new Map();
    const storage = {
      get: async (name: string) => secrets.get(name),
      store: async (name: string, value: string) => void secrets.set(name, value),
      delete: async (name: string) => void secrets.delete(name),
    };
    environments = new Environments({
      memory: memory as never,
      secrets: new TestSecrets(storage, () => 'file:///w'),
      log: recordingLogger(),
    });
  });

  it('keep the chosen environment, which the status bar shows only if a file has environments', async () => {
    const shown: string[] = [];
    const item = { text: '', show: () => shown.push(item.text), hide: () => shown.push('-'), dispose: () => undefined };
    const drawn = new EnvironmentItem(environments, item as never, english);
    Object.assign(environments, { names: ['dev', 'live'], usual: 'dev' });
    const commands = commandsIn({
      environments,
      l10n: english,
      dialogs: new FakeDialogs({ pick: 'dev' }, { pick: 'live' }),
    });
    await commands['dialtree.environment.choose']();
    await commands['dialtree.environment.choose']();
    drawn.dispose();
    assert.equal(environments.name, 'live');
    assert.deepEqual(shown, ['-', '$(server-environment) dev', '$(server-environment) live']);
  });

  it('keep the value of a secret only in the secret storage, under its workspace, and delete it', async () => {
    const dialogs = new FakeDialogs('4711', 'PIN', '');
    const commands = commandsIn({ environments, dialogs, l10n: english });
    await commands['dialtree.secret.set']({ name: 'PIN' });
    assert.deepEqual([...secrets], [['dialtree.secret file:///w PIN', '4711']]);
    assert.equal(await environments.secretOf('PIN'), '4711');
    await commands['dialtree.secret.set']();
    assert.equal(secrets.size, 0);
    dialogs.done();
  });
});
