import { CancellationTokenSource, LanguageModelChatMessage, LanguageModelError, l10n, lm } from 'vscode';
import type { ExtensionContext, LanguageModelChat } from 'vscode';
import { ChatModelError, type ChatMessage, type ChatModels, type ChatRefusal } from './chatModels.ts';

const idOf = ({ vendor, id }: LanguageModelChat): string => `${vendor}/${id}`;

export const editorChatModels = (access: ExtensionContext['languageModelAccessInformation']): ChatModels => ({
  list: async () =>
    (await lm.selectChatModels()).map((model) => ({
      id: idOf(model),
      name: model.name,
      vendor: model.vendor,
      maxInputTokens: model.maxInputTokens,
    })),
  isAllowed: async (id) => {
    const model = await find(id);
    return model !== undefined && access.canSendRequest(model) === true;
  },
  ask: (id, messages, signal) => ask(id, messages, signal),
});

async function find(id: string): Promise<LanguageModelChat | undefined> {
  const slash = id.indexOf('/');
  const found = await lm.selectChatModels({ vendor: id.slice(0, slash), id: id.slice(slash + 1) });
  return found.find((model) => idOf(model) === id);
}

async function* ask(id: string, messages: readonly ChatMessage[], signal: AbortSignal): AsyncIterable<string> {
  const model = await find(id);
  if (!model)
    throw new ChatModelError('missing', l10n.t('The editor no longer has the model {0}. Choose another one.', id));
  const cancel = new CancellationTokenSource();
  const stop = (): void => {
    cancel.cancel();
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const said = messages.map(({ role, text }) =>
      role === 'user' ? LanguageModelChatMessage.User(text) : LanguageModelChatMessage.Assistant(text),
    );
    const { text } = await model.sendRequest(
      said,
      {
        justification: l10n.t(
          'Dialtree asks the model what to do next in a mission, and whether the call met the acceptance criterion.',
        ),
      },
      cancel.token,
    );
    for await (const part of text) yield part;
  } catch (error) {
    throw refusalOf(error, id);
  } finally {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
  }
}

const refusals: Readonly<Record<string, ChatRefusal>> = {
  NoPermissions: 'notAllowed',
  NotFound: 'missing',
  Blocked: 'blocked',
};

function refusalOf(error: unknown, id: string): ChatModelError {
  const refusal = error instanceof LanguageModelError ? (refusals[error.code] ?? 'failed') : 'failed';
  const words: Readonly<Record<ChatRefusal, string>> = {
    notAllowed: l10n.t(
      "The editor doesn't let Dialtree use the model {0}. Choose the model again and allow access.",
      id,
    ),
    missing: l10n.t('The editor no longer has the model {0}. Choose another one.', id),
    blocked: l10n.t(
      'The provider of the model {0} is refusing requests, because a quota is used up or a policy forbids them. Try again later, or choose another model.',
      id,
    ),
    failed: l10n.t("The editor's model {0} failed. Try again, or choose another model.", id),
  };
  return new ChatModelError(refusal, words[refusal], { cause: error });
}
