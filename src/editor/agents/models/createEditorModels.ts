import { l10n, type ExtensionContext } from 'vscode';
import type { Basics } from '../../basics/createBasics.ts';
import type { DisposableStore } from '../../basics/lifetime.ts';
import type { ModelSettings } from '../../basics/settings.ts';
import type { ChatEndpoint, OpenEndpoint } from './chatEndpoint.ts';
import { chooseEditorModel } from './chooseEditorModel.ts';
import { editorChatModels } from './editorChatModels.ts';
import { ModelAgreement } from './modelAgreement.ts';

export interface EditorModels {
  /** For one start of the service. */
  readonly open: () => Promise<OpenEndpoint>;
  readonly choose: (inUse: string) => Promise<ModelSettings | undefined>;
}

interface EditorModelsParts extends Pick<Basics, 'clock' | 'dialogs' | 'log'> {
  readonly context: Pick<ExtensionContext, 'globalState' | 'languageModelAccessInformation'>;
}

/** Lets missions ask the editor's own models. Opens nothing until the service starts with one. */
export function createEditorModels(
  { context, clock, log, dialogs }: EditorModelsParts,
  held: DisposableStore,
): EditorModels {
  const models = editorChatModels(context.languageModelAccessInformation);
  const agreement = new ModelAgreement(context.globalState);
  // The server is loaded on demand, not with the window.
  const load = async (): Promise<ChatEndpoint> => {
    const { ChatEndpoint } = await import('./chatEndpoint.ts');
    return held.add(new ChatEndpoint({ models, agreed: () => agreement.model, clock, log }));
  };
  let endpoint: Promise<ChatEndpoint> | undefined;
  return {
    open: async () => (await (endpoint ??= load())).open(),
    choose: (inUse) => chooseEditorModel({ models, agreement, dialogs, l10n }, inUse),
  };
}
