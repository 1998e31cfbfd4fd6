import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { HumanError } from '../../contract/errors.ts';
import type { Logger } from '../basics/log.ts';
import type { Store } from '../store/store.ts';
import type { Anchors } from '../people/anchors.ts';
import type { Claims } from '../people/claims.ts';
import type { Keys } from '../workspaces/keys.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import { sessionSeconds, type Session, type Sessions } from '../people/sessions.ts';
import type { LocalSessions } from '../people/localSessions.ts';
import type { SignUps } from '../people/signUps.ts';
import type { TryLimit } from '../people/tryLimit.ts';
import type { AppEnvironment } from './environment.ts';
import { readForm } from './forms.ts';

export interface OpenPageParts {
  readonly store: Store;
  readonly anchors: Anchors;
  readonly claims: Claims;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly localSessions: LocalSessions;
  readonly signUps: SignUps;
}

export interface PageParts {
  /** The address for people and programs: the public address if there is one. */
  readonly baseUrl: string;
  readonly open: () => Promise<OpenPageParts>;
  readonly tries: TryLimit;
  /** Whether people can sign up by themselves. */
  readonly signsUp: boolean;
  readonly contact: OperatorContact;
  readonly now: () => Date;
  readonly log: Logger;
}

/** A browser accepts a name with `__Host-` only from this exact host, over https. */
function cookieOf(baseUrl: string): { readonly name: string; readonly options: CookieOptions } {
  const secure = baseUrl.startsWith('https:');
  return {
    name: secure ? '__Host-dialtree_session' : 'dialtree_session',
    options: { path: '/', httpOnly: true, sameSite: 'Strict', secure },
  };
}

export const sessionToken = (context: Context<AppEnvironment>, { baseUrl }: PageParts): string | undefined =>
  getCookie(context, cookieOf(baseUrl).name);

/** Signs a person in, and sends the browser to their account. */
export async function beginSession(
  context: Context<AppEnvironment>,
  parts: PageParts,
  { personId, workspaceId }: { readonly personId: string; readonly workspaceId: string },
): Promise<Response> {
  const { sessions } = await parts.open();
  const token = await sessions.open(personId, workspaceId, sessionToken(context, parts));
  return enterAccount(context, parts, token, sessionSeconds);
}

/** Keeps the session's token in the browser, and sends it to the account. */
export function enterAccount(
  context: Context<AppEnvironment>,
  { baseUrl }: PageParts,
  token: string,
  maxAge: number,
): Response {
  const { name, options } = cookieOf(baseUrl);
  setCookie(context, name, token, { ...options, maxAge });
  return context.redirect('/account', 303);
}

export async function findSession(context: Context<AppEnvironment>, parts: PageParts): Promise<Session | undefined> {
  const token = sessionToken(context, parts);
  if (token === undefined) return undefined;
  const { sessions, localSessions } = await parts.open();
  return localSessions.find(token) ?? (await sessions.find(token));
}

export function forgetSession(context: Context<AppEnvironment>, { baseUrl }: PageParts): void {
  const { name, options } = cookieOf(baseUrl);
  deleteCookie(context, name, options);
}

/** Reads the form of a page of this session. Rejects with HumanError 403 if it lacks the session's token. */
export async function readSessionForm(
  context: Context<AppEnvironment>,
  sessions: Sessions,
  session: Session,
): Promise<URLSearchParams> {
  const form = await readForm(context.req.raw);
  if (!sessions.isFormToken(session, form.get('csrf') ?? '')) {
    throw new HumanError(
      "This form is out of date, or isn't from your account page. Open your account page, then try again.",
      { status: 403, code: 'wrong_form' },
    );
  }
  return form;
}
