import type { Context, Hono } from 'hono';
import { HumanError } from '../../contract/errors.ts';
import { createApiKeySchema } from '../../contract/workspace.ts';
import { workspacesOf } from '../people/people.ts';
import { principalOf, type Session } from '../people/sessions.ts';
import { readUsage } from '../workspaces/usage.ts';
import { accountPage, newKeyPage, phoneCodePage, verifiedPage } from './accountView.ts';
import { findSession, forgetSession, readSessionForm, type OpenPageParts, type PageParts } from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { sendPage } from './pageShell.ts';

type SignedIn = (context: Context<AppEnvironment>, session: Session, open: OpenPageParts) => Promise<Response>;
type Posted = (form: URLSearchParams, ...signedIn: Parameters<SignedIn>) => ReturnType<SignedIn>;

/** The page of what a person owns, with forms to change it. Without a session, each form leads to the sign-in. */
export function addAccountRoutes(app: Hono<AppEnvironment>, parts: PageParts): void {
  const signedIn = (handler: SignedIn) => async (context: Context<AppEnvironment>) => {
    const session = await findSession(context, parts);
    if (session) return await handler(context, session, await parts.open());
    forgetSession(context, parts);
    return context.redirect('/signin', 303);
  };
  const post = (path: string, handler: Posted) =>
    app.post(
      path,
      signedIn(async (context, session, open) =>
        handler(await readSessionForm(context, open.sessions, session), context, session, open),
      ),
    );

  const contentOf = async (session: Session, { store, keys, sessions, anchors }: OpenPageParts) => ({
    email: session.email,
    formToken: sessions.formToken(session),
    workspaces: await workspacesOf(store, session.personId),
    usage: await readUsage(store, principalOf(session), parts.now(), parts.contact),
    keys: await keys.list(session.workspaceId),
    sendsCodes: anchors.sendsCodes,
  });

  app.get(
    '/account',
    signedIn(async (context, session, open) => sendPage(context, accountPage(await contentOf(session, open)))),
  );

  post('/account/keys', async (form, context, session, open) => {
    const wanted = createApiKeySchema.safeParse({ name: form.get('name') ?? '', scopes: form.getAll('scope') });
    if (!wanted.success) {
      const wrongIn = (field: string): boolean => wanted.error.issues.some(({ path }) => path[0] === field);
      const wrong = {
        name: wrongIn('name') ? 'Give the key a name of 1 to 200 characters.' : undefined,
        scopes: wrongIn('scopes') ? 'Choose at least one scope for the key.' : undefined,
      };
      return await sendPage(context, accountPage({ ...(await contentOf(session, open)), wrong }));
    }
    const { apiKey, name } = await open.keys.create(principalOf(session), wanted.data);
    return await sendPage(context, newKeyPage(name, apiKey));
  });

  post('/account/keys/revoke', async (form, context, session, open) => {
    await open.keys.revoke(principalOf(session), form.get('id') ?? '');
    return context.redirect('/account', 303);
  });

  post('/account/people/code', async (form, context, session, open) => {
    const given = phoneIn(form);
    try {
      await open.anchors.request(session.workspaceId, given, context.env.address);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const wrong = { phoneNumber: error.message };
      return await sendPage(context, accountPage({ ...(await contentOf(session, open)), wrong, given }));
    }
    return await sendPage(context, phoneCodePage({ formToken: open.sessions.formToken(session), ...given }));
  });

  post('/account/people', async (form, context, session, open) => {
    const given = phoneIn(form);
    const code = form.get('code') ?? '';
    try {
      const { freeGrantOutcome } = await open.anchors.verify(session.workspaceId, { ...given, code });
      return await sendPage(context, verifiedPage(given.phoneNumber, freeGrantOutcome, parts.contact));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const formToken = open.sessions.formToken(session);
      return await sendPage(context, phoneCodePage({ formToken, ...given }, error.message));
    }
  });

  post('/account/workspace', async (form, context, session, open) => {
    const wanted = form.get('id') ?? '';
    if (wanted === '') throw new HumanError('Choose a workspace.', { status: 400, code: 'invalid_request' });
    await open.sessions.enter(session, wanted);
    return context.redirect('/account', 303);
  });
}

/** Returns the number of a person, and the number to replace if one was chosen. */
function phoneIn(form: URLSearchParams) {
  const replaces = form.get('replaces') ?? '';
  return { phoneNumber: form.get('phoneNumber') ?? '', ...(replaces !== '' && { replaces }) };
}

/** An error that the person can correct in the form. */
const isRefusal = (error: unknown): error is HumanError => error instanceof HumanError && error.status < 500;
