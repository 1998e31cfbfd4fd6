import type { Clock } from '../../base/clock.ts';
import { askingModel } from './askingModel.ts';
import { boundedFetch } from './boundedFetch.ts';
import { readAddress, type EndpointAddress } from './endpointAddress.ts';
import type { LanguageModel } from './languageModel.ts';
import type { Completion, CompletionRequest } from './modelEndpoint.ts';

export interface EndpointOptions {
  /** Up to and including the version: `http://127.0.0.1:11434/v1`. Its query is sent with each request. */
  readonly baseUrl: string;
  readonly model: string;
  /** The composition root reads it from the environment or a secret storage. Local endpoints need none. */
  readonly apiKey?: string;
  readonly clock?: Clock;
}

/**
 * Returns a model at any endpoint with OpenAI's chat completions (POST `/chat/completions`). What the endpoint doesn't
 * support (a schema for the answer, the name of the token limit, a temperature) is learned from its refusals.
 * @throws ModelError `refused` if the address isn't valid
 */
export function openAiCompatible({ baseUrl, model, apiKey, clock }: EndpointOptions): LanguageModel {
  const address = readAddress(baseUrl);
  const name = `${model} at ${address.host}`;
  let dialect = firstDialect;
  return askingModel(
    {
      name,
      async complete(request) {
        for (;;) {
          const used = dialect;
          const result = await completeIn(used, request, { address, model, apiKey, name });
          if ('text' in result) return result;
          dialect = result.speak;
        }
      },
    },
    clock ? { clock } : {},
  );
}

interface Reached {
  readonly address: EndpointAddress;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly name: string;
}

/** Returns the completion, or the format that the endpoint asks for. */
async function completeIn(
  dialect: Dialect,
  request: CompletionRequest,
  { address, model, apiKey, name }: Reached,
): Promise<Completion | { readonly speak: Dialect }> {
  // Loaded at the first question, because most runs ask none.
  const [{ createOpenAICompatible }, { completeBySdk, toModelError }] = await Promise.all([
    import('@ai-sdk/openai-compatible'),
    import('./sdkEndpoint.ts'),
  ]);
  const provider = createOpenAICompatible({
    name: 'endpoint',
    baseURL: address.url,
    queryParams: address.query,
    fetch: boundedFetch,
    supportsStructuredOutputs: dialect.shape === 'schema',
    ...(apiKey === undefined ? {} : { apiKey }),
    transformRequestBody: ({ max_tokens, temperature, ...body }: Readonly<Record<string, unknown>>) => ({
      ...body,
      [dialect.tokensField]: max_tokens,
      ...(dialect.temperature && temperature !== undefined ? { temperature } : {}),
    }),
  });
  const secrets = [apiKey ?? '', ...Object.values(address.query)];
  try {
    return await completeBySdk(provider.chatModel(model), {
      ...request,
      shape: dialect.shape,
      endpoint: name,
      secrets,
    });
  } catch (error) {
    const refusal =
      error instanceof Error && 'responseBody' in error && typeof error.responseBody === 'string'
        ? error.responseBody
        : undefined;
    if (refusal === undefined) throw error;
    const speak = otherDialect(dialect, refusal);
    if (!speak) throw toModelError(error, name, secrets);
    return { speak };
  }
}

interface Dialect {
  readonly shape: 'schema' | 'object' | 'words';
  readonly tokensField: 'max_tokens' | 'max_completion_tokens';
  readonly temperature: boolean;
}

const firstDialect: Dialect = { shape: 'schema', tokensField: 'max_tokens', temperature: true };

/**
 * Returns another format after an endpoint has refused (status 400 or 422) with these words, or undefined if they name
 * no field of the request.
 */
function otherDialect(dialect: Dialect, refusal: string): Dialect | undefined {
  if (dialect.tokensField === 'max_tokens' && /max_completion_tokens/.test(refusal))
    return { ...dialect, tokensField: 'max_completion_tokens' };
  if (dialect.temperature && /temperature/i.test(refusal)) return { ...dialect, temperature: false };
  if (
    dialect.shape !== 'words' &&
    /response_format|json_schema|json_object|structured.outputs?|grammar|schema/i.test(refusal)
  )
    return { ...dialect, shape: dialect.shape === 'schema' ? 'object' : 'words' };
  return undefined;
}
