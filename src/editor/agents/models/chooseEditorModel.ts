import { HumanError } from '../../../contract/errors.ts';
import type { Basics } from '../../basics/createBasics.ts';
import type { ModelSettings } from '../../basics/settings.ts';
import { ChatModelError, type ChatModels } from './chatModels.ts';
import { readyQuestion } from './chatRequest.ts';
import type { ModelAgreement } from './modelAgreement.ts';

interface ChooseEditorModelParts extends Pick<Basics, 'dialogs' | 'l10n'> {
  readonly models: ChatModels;
  readonly agreement: Pick<ModelAgreement, 'agree'>;
}

/**
 * Lets the user choose one of the editor's models and agree to its use. It is asked once, which makes the editor ask
 * for its own permission.
 */
export async function chooseEditorModel(
  { models, agreement, dialogs, l10n }: ChooseEditorModelParts,
  inUse: string,
): Promise<ModelSettings | undefined> {
  const offered = await models.list();
  if (offered.length === 0)
    throw new HumanError(
      l10n.t(
        'The editor has no language models. Sign in to GitHub Copilot or add models from another provider in the Chat view, then choose again.',
      ),
      { status: 404, code: 'no_editor_model' },
    );
  const chosen = await dialogs.pick(
    offered.map((model) => ({
      label: model.name,
      description: [model.vendor, ...(model.id === inUse ? [l10n.t('in use')] : [])].join(' · '),
      detail: model.id,
      value: model,
    })),
    { title: l10n.t('Choose Language Model'), placeHolder: l10n.t("Which of the editor's models do you want to use?") },
  );
  if (!chosen) return undefined;
  const agreed = await dialogs.confirm(
    l10n.t('Let Dialtree send what is said on calls to {0}?', chosen.name),
    l10n.t(
      "During a mission, Dialtree sends the model the goal, the acceptance criterion, what the called side says and which keys were pressed. Secrets are masked. Dialtree doesn't send audio or any other data. The text goes through the editor to {0}, whose terms and quota apply. Dialtree doesn't use any other model.",
      chosen.vendor,
    ),
    l10n.t('Allow'),
    l10n.t("Don't Allow"),
  );
  if (!agreed) return undefined;
  await dialogs.wait(l10n.t('Asking {0}…', chosen.name), async (signal) => {
    try {
      for await (const _part of models.ask(chosen.id, [{ role: 'user', text: readyQuestion }], signal))
        if (signal.aborted) break;
    } catch (error) {
      throw error instanceof ChatModelError
        ? new HumanError(error.message, { status: 502, code: 'editor_model', cause: error })
        : error;
    }
    signal.throwIfAborted();
  });
  await agreement.agree(chosen.id);
  return { provider: 'editor', name: chosen.id, url: undefined };
}
