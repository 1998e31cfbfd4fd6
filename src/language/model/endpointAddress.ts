import { ModelError } from './modelError.ts';

export interface EndpointAddress {
  /** Without query, and without a slash at its end. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly host: string;
}

/**
 * Parses an endpoint's address as a user wrote it.
 * @throws ModelError `refused`, without the address, which can contain a password
 */
export function readAddress(text: string): EndpointAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ModelError(
      'refused',
      "The language model's address isn't an http or https address. Write it like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.",
    );
  if (url.username !== '' || url.password !== '')
    throw new ModelError(
      'refused',
      "The language model's address contains a user name or password. Remove it, and store the key as the API key.",
    );
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|messages)$/, '')}`,
    query: Object.fromEntries(url.searchParams),
    host: url.host,
  };
}
