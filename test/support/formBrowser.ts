import type { MailInbox } from './mailInbox.ts';
import { noteSecret } from './secretRegistry.ts';

/** A page as seen without a browser. */
export interface SeenPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Keeps the session's cookie and sends forms like a browser; doesn't follow redirects. */
export class FormBrowser {
  readonly #origin: string;
  #cookie: string | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** `name=value` of the session's cookie. */
  get cookie(): string | undefined {
    return this.#cookie;
  }

  get(path: string): Promise<SeenPage> {
    return this.#ask(path, { method: 'GET' });
  }
  post(
    path: string,
    fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  ): Promise<SeenPage> {
    const pairs = Array.isArray(fields)
      ? (fields as [string, string][])
      : Object.entries(fields as Record<string, string>);
    for (const [name, value] of pairs)
      if (name === 'password' || name === 'csrf' || name === 'email') noteSecret(value);
    return this.#ask(path, { method: 'POST', body: new URLSearchParams(pairs) });
  }

  /** Returns the token of the account page's forms. */
  async formToken(): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.get('/account')).text)?.[1] ?? '';
  }

  async #ask(path: string, init: RequestInit): Promise<SeenPage> {
    const response = await fetch(new URL(path, this.#origin), {
      ...init,
      redirect: 'manual',
      headers: this.#cookie === undefined ? {} : { cookie: this.#cookie },
    });
    for (const line of response.headers.getSetCookie())
      this.#cookie = /max-age=0/i.test(line) ? undefined : line.split(';')[0];
    noteSecret(this.#cookie?.split('=')[1]);
    noteSecret(/^\/(?:claim|account\/open)\/(.+)/.exec(path)?.[1]);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** Sends a form that asks for an address, then the code that was mailed there. Returns the last page. */
export async function throughMail(
  browser: FormBrowser,
  mail: MailInbox,
  path: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SeenPage> {
  const begun = await browser.post(path, { email });
  const next = begun.headers.get('location');
  if (next === null) return begun;
  return await browser.post(next, { code: mail.codeFor(email.trim().toLowerCase()), password });
}
