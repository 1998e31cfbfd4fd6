import { askingModel } from './askingModel.ts';
import { boundedFetch } from './boundedFetch.ts';
import { readAddress } from './endpointAddress.ts';
import type { LanguageModel } from './languageModel.ts';
import { ModelError } from './modelError.ts';
import type { EndpointOptions } from './openAiCompatible.ts';

/** Anthropic's own address. Gateways with the same protocol have others. */
const anthropicBaseUrl = 'https://api.anthropic.com/v1';

/**
 * Returns a model at Anthropic's messages endpoint (POST `/messages`).
 * @throws ModelError `refused` if the address isn't valid
 */
export function anthropic({
  baseUrl = anthropicBaseUrl,
  model,
  apiKey = '',
  clock,
}: Omit<EndpointOptions, 'baseUrl'> & { readonly baseUrl?: string }): LanguageModel {
  const address = readAddress(baseUrl);
  const name = `${model} at ${address.host}`;
  return askingModel(
    {
      name,
      async complete(request) {
        if (apiKey === '')
          throw new ModelError('unauthorized', `The language model ${name} needs an API key. Set one.`);
        const [{ createAnthropic }, { completeBySdk, toModelError }] = await Promise.all([
          import('@ai-sdk/anthropic'),
          import('./sdkEndpoint.ts'),
        ]);
        const provider = createAnthropic({ baseURL: address.url, apiKey, fetch: boundedFetch });
        try {
          return await completeBySdk(provider.languageModel(model), {
            ...request,
            shape: 'schema',
            endpoint: name,
            secrets: [apiKey],
          });
        } catch (error) {
          if (error instanceof ModelError || request.signal.aborted) throw error;
          throw toModelError(error, name, [apiKey]);
        }
      },
    },
    clock ? { clock } : {},
  );
}
