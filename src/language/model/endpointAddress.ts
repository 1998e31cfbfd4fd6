import { ModelError } from './modelError.ts';

export interface EndpointAddress {
  /** Without query, without a slash at its end. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly host: string;
}

/**
 * Reads an endpoint's address as a user wrote it.
 * @throws ModelError `refused`, without the address, which may hold a password
 */
export function readAddress(text: string): EndpointAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ModelError(
      'refused',
      "The language model's address is no http or https address, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1.",
    );
  if (url.username !== '' || url.password !== '')
    throw new ModelError(
      'refused',
      "The language model's address holds a user name or a password. Store the key as the API key instead.",
    );
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|messages)$/, '')}`,
    query: Object.fromEntries(url.searchParams),
    host: url.host,
  };
}
