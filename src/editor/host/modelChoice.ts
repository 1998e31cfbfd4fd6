import type { ModelSettings } from '../basics/settings.ts';
import type { ApiKeys } from './apiKeys.ts';

/** Where the makers' own endpoints are; a key belongs to an origin. */
export const modelEndpoints = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
} as const;

/** The endpoint that the settings mean; undefined where missions go by rules, or by a model of the editor. */
export function endpointOf({ provider, url }: ModelSettings): string | undefined {
  return provider === 'rules' || provider === 'editor' ? undefined : (url ?? modelEndpoints[provider]);
}

/** Opens the endpoint by which the service asks the editor's own models, for one start of it. */
export type OpenEditorModels = () => Promise<{ readonly url: string; readonly token: string }>;

/**
 * What the embedded service learns of the model by its environment, as `dialtree serve` reads it.
 * All names are there, also the empty ones: what the editor itself was started with does not count.
 */
export async function modelEnvironment(
  settings: ModelSettings,
  keys: Pick<ApiKeys, 'read'>,
  openEditorModels: OpenEditorModels,
): Promise<Readonly<Record<string, string>>> {
  if (settings.provider === 'editor' && settings.name !== '') {
    // The editor speaks the protocol too, on this machine, for this start of the service.
    const { url, token } = await openEditorModels();
    return {
      DIALTREE_MODEL: settings.name,
      DIALTREE_MODEL_PROVIDER: 'openai',
      DIALTREE_MODEL_URL: url,
      DIALTREE_MODEL_KEY: token,
    };
  }
  const endpoint = endpointOf(settings);
  const chosen = endpoint !== undefined && settings.name !== '';
  return {
    DIALTREE_MODEL: chosen ? settings.name : '',
    DIALTREE_MODEL_PROVIDER: chosen ? settings.provider : '',
    DIALTREE_MODEL_URL: chosen ? (settings.url ?? '') : '',
    DIALTREE_MODEL_KEY: chosen ? ((await keys.read(endpoint)) ?? '') : '',
  };
}
