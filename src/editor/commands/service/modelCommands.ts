import { HumanError } from '../../../contract/errors.ts';
import { modelUrl, type ModelSettings } from '../../basics/settings.ts';
import { endpointOf, modelEndpoints } from '../../host/modelChoice.ts';
import { command } from '../command.ts';
import type { Editor } from '../editor.ts';

type Provider = ModelSettings['provider'];

export const modelCommands = [
  command({
    id: 'dialtree.model.choose',
    async run(editor) {
      const { modelKeys: keys, dialogs, l10n } = editor;
      const { service, model: now } = editor.settings();
      if (service.mode === 'remote')
        throw new HumanError(
          l10n.t(
            'A remote service uses the language model that its operator chose. Choose the embedded service to use your own.',
          ),
          { status: 400, code: 'model_remote' },
        );
      const inUse = (provider: Provider): string =>
        now.provider === provider ? [l10n.t('in use'), now.name].filter((part) => part !== '').join(': ') : '';
      const endpoint = endpointOf(now);
      const storedEndpoint = endpoint !== undefined && (await keys.read(endpoint)) !== undefined ? endpoint : undefined;
      const provider = await dialogs.pick<Provider | 'forget'>(
        [
          {
            label: l10n.t('Rules'),
            value: 'rules',
            description: inUse('rules'),
            detail: l10n.t(
              'No language model. Dialtree chooses menu options by matching words, and bases its verdicts on what it can check without a model. No data leaves this machine.',
            ),
          },
          {
            label: l10n.t("The editor's own models…"),
            value: 'editor',
            description: inUse('editor'),
            detail: l10n.t('GitHub Copilot and other models in the editor. No key needed'),
          },
          {
            label: l10n.t('OpenAI-compatible endpoint…'),
            value: 'openai',
            description: inUse('openai'),
            detail: l10n.t('Includes models on this machine, such as those in Ollama, LM Studio or vLLM'),
          },
          {
            label: l10n.t('Anthropic…'),
            value: 'anthropic',
            description: inUse('anthropic'),
            detail: l10n.t('Needs an Anthropic API key'),
          },
          ...(storedEndpoint === undefined
            ? []
            : [
                {
                  label: l10n.t('Forget the API key'),
                  value: 'forget' as const,
                  detail: l10n.t(
                    "Removes the key for {0} from the editor's secret storage",
                    new URL(storedEndpoint).host,
                  ),
                },
              ]),
        ],
        {
          title: l10n.t('Choose Language Model'),
          placeHolder: l10n.t('What do you want to use for decisions and verdicts in missions?'),
        },
      );
      if (provider === undefined) return;
      if (provider === 'forget') {
        if (storedEndpoint !== undefined) await keys.clear(storedEndpoint);
        editor.restart.soon();
        return;
      }
      const chosen =
        provider === 'rules'
          ? { provider, name: '', url: undefined }
          : provider === 'editor'
            ? await editor.editorModels.choose(now.provider === 'editor' ? now.name : '')
            : await askForEndpoint(provider, editor);
      if (chosen) await editor.workbench.saveModel(chosen);
    },
  }),
];

/** Asks for address, model and key, in this order. Earlier values are offered again. */
async function askForEndpoint(
  provider: 'openai' | 'anthropic',
  { settings, modelKeys: keys, restart, dialogs, l10n }: Editor,
): Promise<ModelSettings | undefined> {
  const title = l10n.t('Choose Language Model');
  const now = settings().model;
  const before = now.provider === provider ? now : undefined;
  const maker = modelEndpoints[provider];
  const address = await dialogs.ask({
    title,
    prompt: l10n.t('The address of the endpoint'),
    value: before?.url ?? maker,
    placeHolder: provider === 'openai' ? 'http://127.0.0.1:11434/v1' : maker,
    check: (text) =>
      modelUrl(text.trim()) === undefined
        ? l10n.t('Enter an address such as {0}, without a user name or password.', maker)
        : undefined,
  });
  if (address === undefined) return undefined;
  const typed = modelUrl(address.trim());
  const name = await dialogs.ask({
    title,
    prompt: l10n.t('The name that the endpoint uses for the model'),
    value: before?.name ?? '',
    check: (text) => (text.trim() === '' ? l10n.t('Enter the name of the model.') : undefined),
  });
  if (name === undefined) return undefined;
  const chosen = { provider, name: name.trim(), url: typed === maker ? undefined : typed };
  const endpoint = endpointOf(chosen) ?? maker;
  const storedKey = await keys.read(endpoint);
  const key = await dialogs.ask({
    title,
    password: true,
    prompt:
      storedKey === undefined
        ? l10n.t(
            "The API key for {0}. Dialtree keeps the key in the editor's secret storage. Leave empty if the endpoint doesn't need a key.",
            new URL(endpoint).host,
          )
        : l10n.t('A new API key for {0}. Leave empty to keep the stored key.', new URL(endpoint).host),
  });
  if (key === undefined) return undefined;
  if (key.trim() !== '') {
    await keys.store(endpoint, key.trim());
    // Changes of settings are noticed elsewhere.
    restart.soon();
  }
  return chosen;
}
