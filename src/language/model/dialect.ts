/** The request format of a compatible endpoint. */
export interface Dialect {
  readonly shape: 'schema' | 'object' | 'words';
  readonly tokensField: 'max_tokens' | 'max_completion_tokens';
  readonly temperature: boolean;
}

export const firstDialect: Dialect = { shape: 'schema', tokensField: 'max_tokens', temperature: true };

/**
 * Returns another format after an endpoint has refused (status 400 or 422) with these words, or undefined if they name
 * no field of the request.
 */
export function otherDialect(dialect: Dialect, refusal: string): Dialect | undefined {
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
