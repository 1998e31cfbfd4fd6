import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { modelErrorOf } from './failure.ts';
import type { Completion, CompletionRequest } from './modelEndpoint.ts';
import { ModelError } from './modelError.ts';

interface SdkRequest extends CompletionRequest {
  readonly shape: 'schema' | 'object' | 'words';
  readonly endpoint: string;
  readonly secrets: readonly string[];
}

/**
 * Requests one completion from a model of the AI SDK.
 * @throws ModelError; APICallError only with status 400 or 422, for callers that can try another format
 */
export async function completeBySdk(model: LanguageModelV4, request: SdkRequest): Promise<Completion> {
  try {
    const { content, finishReason, usage } = await model.doGenerate(callOptions(request));
    return {
      text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
      ended:
        finishReason.unified === 'length' ? 'cut' : finishReason.unified === 'content-filter' ? 'refused' : 'whole',
      inputTokens: usage.inputTokens.total,
      outputTokens: usage.outputTokens.total,
    };
  } catch (error) {
    if (
      request.signal.aborted ||
      (APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422))
    )
      throw error;
    throw toModelError(error, request.endpoint, request.secrets);
  }
}

function callOptions({
  system,
  messages,
  name,
  schema,
  maxTokens,
  temperature,
  signal,
  shape,
}: SdkRequest): LanguageModelV4CallOptions {
  return {
    prompt: [
      { role: 'system', content: system },
      ...messages.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
    ],
    maxOutputTokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(shape === 'words'
      ? {}
      : { responseFormat: { type: 'json' as const, ...(shape === 'schema' ? { schema, name } : {}) } }),
    abortSignal: signal,
  };
}

/** The SDK's errors contain the address, headers and question, so they aren't passed on, not even as a cause. */
export function toModelError(error: unknown, name: string, secrets: readonly string[]): ModelError {
  if (!APICallError.isInstance(error)) return modelErrorOf(name, { status: 200, body: 'no completion' }, secrets);
  return modelErrorOf(
    name,
    { status: error.statusCode, headers: error.responseHeaders, body: error.responseBody, code: codeOf(error) },
    secrets,
  );
}

function codeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 6; cause = cause.cause, depth += 1) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
}
