import assert from 'node:assert/strict';
import { ApiKeys } from '../../../../../src/editor/host/apiKeys.ts';
import { modelEnvironment } from '../../../../../src/editor/host/modelChoice.ts';
import { modelUrl } from '../../../../../src/editor/basics/settings.ts';
import type { ModelSettings } from '../../../../../src/editor/basics/settings.ts';
import { fakeSecrets } from '../../agents/fakeAgents.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { commandsIn } from '../../fakeEditor.ts';

const rules: ModelSettings = { provider: 'rules', name: '', url: undefined };

const noEditor = () => Promise.reject(new Error('the models of the editor are not in use'));

describe('choosing a language model', () => {
  let secrets: Map<string, string>,
    keys: ApiKeys,
    settings: ModelSettings,
    changes: number,
    dialogs: FakeDialogs,
    remote: boolean;

  const choose = async (...answers: Answer[]): Promise<void> => {
    dialogs = new FakeDialogs(...answers);
    await commandsIn({
      settings: () => ({ model: settings, service: { mode: remote ? 'remote' : 'embedded' } }),
      modelKeys: keys,
      dialogs,
      editorModels: {
        choose: () => Promise.resolve({ provider: 'editor', name: 'copilot/gpt', url: undefined }),
      },
      workbench: {
        saveModel: (chosen) => {
          settings = chosen;
          return Promise.resolve();
        },
      },
      restart: { soon: () => (changes += 1) },
    })['dialtree.model.choose']();
    dialogs.done();
  };

  beforeEach(() => {
    const storage = fakeSecrets();
    secrets = storage.held;
    keys = new ApiKeys(storage, 'modelKey');
    settings = rules;
    changes = 0;
    remote = false;
  });

  it('accepts a model on this machine, which needs no key', async () => {
    await choose({ pick: 'OpenAI-compatible endpoint…' }, 'http://127.0.0.1:11434/v1', ' llama ', '');
    assert.deepEqual(settings, { provider: 'openai', name: 'llama', url: 'http://127.0.0.1:11434/v1' });
    assert.deepEqual([secrets.size, changes], [0, 0]);
    assert.deepEqual(await modelEnvironment(settings, keys, noEditor), {
      DIALTREE_MODEL: 'llama',
      DIALTREE_MODEL_PROVIDER: 'openai',
      DIALTREE_MODEL_URL: 'http://127.0.0.1:11434/v1',
      DIALTREE_MODEL_KEY: '',
    });
  });

  it("keeps an endpoint's key outside the settings, and sends it to that endpoint only", async () => {
    await choose({ pick: 'Anthropic…' }, 'https://api.anthropic.com/v1', 'claude', ' secret ');
    assert.deepEqual(
      [settings, [...secrets], changes],
      [
        { provider: 'anthropic', name: 'claude', url: undefined },
        [['dialtree.modelKey https://api.anthropic.com', 'secret']],
        1,
      ],
    );
    assert.equal((await modelEnvironment(settings, keys, noEditor))['DIALTREE_MODEL_KEY'], 'secret');
    assert.equal(
      (await modelEnvironment({ ...settings, url: 'https://elsewhere.example.com' }, keys, noEditor))[
        'DIALTREE_MODEL_KEY'
      ],
      '',
    );
  });

  it('offers the current values again, and keeps a stored key', async () => {
    settings = { provider: 'openai', name: 'llama', url: 'http://127.0.0.1:1/v1' };
    secrets.set('dialtree.modelKey http://127.0.0.1:1', 'old');
    await choose({ pick: 'OpenAI-compatible endpoint…' }, 'http://127.0.0.1:1/v1', 'bigger', '');
    assert.match(dialogs.shown[0] ?? '', /OpenAI-compatible endpoint… \| in use: llama/);
    assert.match(dialogs.shown.at(-1) ?? '', /Leave empty to keep the stored key/);
    assert.deepEqual(
      [settings.name, secrets.get('dialtree.modelKey http://127.0.0.1:1'), changes],
      ['bigger', 'old', 0],
    );
  });

  for (const [what, ...answers] of [
    ['choice', { pick: undefined }],
    ['address', { pick: 'Anthropic…' }, { type: undefined }],
    ['name', { pick: 'Anthropic…' }, 'https://api.anthropic.com/v1', { type: undefined }],
    ['key', { pick: 'Anthropic…' }, 'https://api.anthropic.com/v1', 'claude', { type: undefined }],
  ] as [string, ...Answer[]][]) {
    it(`changes nothing if the person cancels at the ${what}`, async () => {
      await choose(...answers);
      assert.deepEqual([settings, secrets.size], [rules, 0]);
    });
  }

  it('deletes a key on request', async () => {
    settings = { provider: 'openai', name: 'llama', url: 'http://127.0.0.1:1/v1' };
    secrets.set('dialtree.modelKey http://127.0.0.1:1', 'old');
    await choose({ pick: 'Forget the API key' });
    assert.deepEqual([secrets.size, changes, settings.name], [0, 1, 'llama']);
    await choose({ pick: undefined });
    assert.ok(!(dialogs.shown[0] ?? '').includes('Forget'));
  });

  it('uses a model of the editor, at the address and with the token of this start', async () => {
    await choose({ pick: "The editor's own models…" });
    assert.deepEqual([settings, secrets.size], [{ provider: 'editor', name: 'copilot/gpt', url: undefined }, 0]);
    assert.deepEqual(
      await modelEnvironment(settings, keys, () => Promise.resolve({ url: 'http://127.0.0.1:9/v1', token: 'once' })),
      {
        DIALTREE_MODEL: 'copilot/gpt',
        DIALTREE_MODEL_PROVIDER: 'openai',
        DIALTREE_MODEL_URL: 'http://127.0.0.1:9/v1',
        DIALTREE_MODEL_KEY: 'once',
      },
    );
  });

  it('returns to the rules, and then gives the service no model', async () => {
    settings = { provider: 'openai', name: 'llama', url: 'http://127.0.0.1:1/v1' };
    await choose({ pick: 'Rules' });
    assert.deepEqual(settings, rules);
    assert.deepEqual(
      new Set(Object.values(await modelEnvironment({ ...settings, name: 'left over' }, keys, noEditor))),
      new Set(['']),
    );
  });

  it('leaves the model of a remote service to its operator', async () => {
    remote = true;
    await assert.rejects(choose(), { code: 'model_remote' });
  });

  for (const [address, taken] of [
    ['https://api.example.com/v1?version=2', true],
    ['http://192.168.1.9:8000/v1', true],
    ['https://user:secret@example.com', false],
    ['ftp://example.com', false],
    ['example.com', false],
    [7, false],
  ] as const) {
    it(`${taken ? 'takes' : 'refuses'} ${String(address)} as an address`, () =>
      assert.equal(modelUrl(address), taken ? address : undefined));
  }
});
