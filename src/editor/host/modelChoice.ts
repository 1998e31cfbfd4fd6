import type { ModelSettings } from '../basics/settings.ts';
import type { ApiKeys } from './apiKeys.ts';

/** The providers' own endpoints. A key belongs to an origin. */
export const modelEndpoints = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
} as const;

/** Returns the endpoint of the settings, or undefined if missions use rules or a model of the editor. */
export function endpointOf({ provider, url }: ModelSettings): string | undefined {
  return provider === 'rules' || provider === 'editor' ? undefined : (url ?? modelEndpoints[provider]);
}

/** Opens the endpoint through which the service asks the editor's own models, for one start of the service. */
export type OpenEditorModels = () => Promise<{ readonly url: string; readonly token: string }>;

/**
 * Returns the environment variables that pass the model to the embedded service, as `dialtree serve` reads them. All
 * names are present, even if empty, so that the editor's own environment doesn't count.
 */
export async function modelEnvironment(
  settings: ModelSettings,
  keys: Pick<ApiKeys, 'read'>,
  openEditorModels: OpenEditorModels,
): Promise<Readonly<Record<string, string>>> {
  if (settings.provider === 'editor' && settings.name !== '') {
    // The editor offers the same protocol, on this machine, for this start of the service.
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
