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
    const item = {
      text: '',
      tooltip: '',
      show: () => shown.push(item.text),
      hide: () => shown.push('-'),
      dispose: () => undefined,
    };
    const drawn = new EnvironmentItem(environments, item as never, english);
    const live = ['+12025550101', 'sip:cards@pbx.example.com', '+12025550103', '+12025550104'];
    const offered = new Map(Object.entries({ dev: ['bank.ivr.json'], live }));
    Object.assign(environments, { offered, usual: 'dev' });
    const dialogs = new FakeDialogs({ pick: 'dev' }, { pick: 'live' });
    const commands = commandsIn({ environments, l10n: english, dialogs });
    await commands['dialtree.environment.choose']();
    await commands['dialtree.environment.choose']();
    assert.equal(item.tooltip, 'Environment of the tests: live');
    assert.match(
      dialogs.shown[0] ?? '',
      /  dev \| In use · bank.ivr.json\n  live \| \+12025550101 · cards · \+1\d+ · …/,
    );
    offered.delete('live');
    await environments.choose('live');
    assert.match(item.tooltip, /^No dialtree.env.json has the environment “live” any more/);
    drawn.dispose();
    assert.equal(environments.name, 'live');
    assert.deepEqual(shown, [
      '-',
      '$(server-environment) dev',
      '$(server-environment) live',
      '$(server-environment) live',
    ]);
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
