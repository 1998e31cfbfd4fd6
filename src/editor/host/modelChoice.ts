import type { ApiKeys } from './apiKeys.ts';
import type { ModelSettings } from './settings.ts';

/** Where the makers' own endpoints are; a key belongs to an origin. */
export const modelEndpoints = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' } as const;

/** The endpoint that the settings mean; undefined where missions go by rules. */
export function endpointOf({ provider, url }: ModelSettings): string | undefined {
  return provider === 'rules' ? undefined : url ?? modelEndpoints[provider];
}

/**
 * What the embedded service learns of the model by its environment, as `dialtree serve` reads it.
 * All names are there, also the empty ones: what the editor itself was started with does not count.
 */
export async function modelEnvironment(settings: ModelSettings, keys: Pick<ApiKeys, 'read'>): Promise<Readonly<Record<string, string>>> {
  const endpoint = endpointOf(settings);
  const chosen = endpoint !== undefined && settings.name !== '';
  return {
    DIALTREE_MODEL: chosen ? settings.name : '',
    DIALTREE_MODEL_PROVIDER: chosen ? settings.provider : '',
    DIALTREE_MODEL_URL: chosen ? settings.url ?? '' : '',
    DIALTREE_MODEL_KEY: chosen ? await keys.read(endpoint) ?? '' : '',
  };
}
