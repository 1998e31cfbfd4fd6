import assert from 'node:assert/strict';
import { chooseEditorModel } from '../../../../../src/editor/agents/models/chooseEditorModel.ts';
import { ChatModelError } from '../../../../../src/editor/agents/models/chatModels.ts';
import type { ChatModel } from '../../../../../src/editor/agents/models/chatModels.ts';
import { ModelAgreement } from '../../../../../src/editor/agents/models/modelAgreement.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { english } from '../../fakes.ts';
import { memento } from '../../testing/fakeRuns.ts';

const offered: ChatModel[] = [
  { id: 'copilot/gpt-4.1', name: 'GPT-4.1', vendor: 'copilot', maxInputTokens: 64_000 },
  { id: 'ollama/qwen3', name: 'Qwen 3', vendor: 'ollama', maxInputTokens: 32_000 },
];

describe('choosing a model of the editor', () => {
  let agreement: ModelAgreement,
    dialogs: FakeDialogs,
    asked: string[],
    refusal: Error | undefined,
    models: readonly ChatModel[];

  beforeEach(() => {
    agreement = new ModelAgreement(memento());
    asked = [];
    refusal = undefined;
    models = offered;
  });

  const choose = async (inUse: string, ...answers: Answer[]) => {
    dialogs = new FakeDialogs(...answers);
    const chosen = await chooseEditorModel(
      {
        agreement,
        dialogs,
        l10n: english,
        models: {
          list: () => Promise.resolve(models),
          isAllowed: () => Promise.resolve(true),
          async *ask(id, messages) {
            asked.push(`${id}: ${messages.map(({ text }) => text).join()}`);
            yield await (refusal ? Promise.reject<string>(refusal) : Promise.resolve('ready'));
          },
        },
      },
      inUse,
    );
    dialogs.done();
    return chosen;
  };

  it('says what is sent to whom, and asks a first question, at which the editor shows its own dialog', async () => {
    assert.deepEqual(await choose('ollama/qwen3', { pick: 'GPT-4.1' }, { agree: true }), {
      provider: 'editor',
      name: 'copilot/gpt-4.1',
      url: undefined,
    });
    assert.match(dialogs.shown[0] ?? '', /GPT-4\.1 \| copilot \| copilot\/gpt-4\.1\n {2}Qwen 3 \| ollama · in use/);
    assert.match(
      dialogs.shown[1] ?? '',
      /Let Dialtree send what is said on calls to GPT-4\.1\?.*Secrets are masked\..*doesn't send audio.*copilot, whose terms and quota apply.*\[Don't Allow\] \[Allow\]/s,
    );
    assert.deepEqual([asked, agreement.model], [['copilot/gpt-4.1: Answer with the word: ready'], 'copilot/gpt-4.1']);
  });

  for (const [what, ...answers] of [
    ['at the list', { pick: undefined }],
    ['at the agreement', { pick: 'GPT-4.1' }, { agree: false }],
  ] as [string, ...Answer[]][]) {
    it(`sends nothing and agrees to nothing if the person cancels ${what}`, async () => {
      assert.equal(await choose('', ...answers), undefined);
      assert.deepEqual([asked, agreement.model], [[], undefined]);
    });
  }

  it('agrees to nothing if the editor refuses', async () => {
    refusal = new ChatModelError('notAllowed', 'The editor does not let Dialtree use it.');
    await assert.rejects(choose('', { pick: 'GPT-4.1' }, { agree: true }), {
      code: 'editor_model',
      message: 'The editor does not let Dialtree use it.',
    });
    assert.equal(agreement.model, undefined);
  });

  it('says what to do if the editor has no models', async () => {
    models = [];
    await assert.rejects(choose(''), { code: 'no_editor_model', message: /Sign in to GitHub Copilot/ });
  });
});
