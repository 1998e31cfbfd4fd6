import type { Context, Hono } from 'hono';
import { HumanError } from '../../contract/errors.ts';
import { createApiKeySchema } from '../../contract/workspace.ts';
import { workspacesOf } from '../people/people.ts';
import { principalOf } from '../people/sessions.ts';
import type { Session } from '../people/sessions.ts';
import { readUsage } from '../workspaces/usage.ts';
import { accountPage, newKeyPage, phoneCodePage, verifiedPage } from './accountView.ts';
import { findSession, forgetSession, readSessionForm } from './browserSession.ts';
import type { OpenPageParts, PageParts } from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { answerPage, sendPage } from './pageShell.ts';

type SignedIn = (context: Context<AppEnvironment>, session: Session, open: OpenPageParts) => Promise<Response>;
type Posted = (
  context: Context<AppEnvironment>,
  form: URLSearchParams,
  session: Session,
  open: OpenPageParts,
) => Promise<Response>;

/** The page of what a person owns, with forms to change it. Without a session, each form leads to the sign-in. */
export function addAccountRoutes(app: Hono<AppEnvironment>, parts: PageParts): void {
  const signedIn = (handler: SignedIn) =>
    answerPage(parts.log, async (context) => {
      const session = await findSession(context, parts);
      if (session) return await handler(context, session, await parts.open());
      forgetSession(context, parts);
      return context.redirect('/signin', 303);
    });
  const posted = (handler: Posted) =>
    signedIn(
      async (context, session, open) =>
        await handler(context, await readSessionForm(context, open.sessions, session), session, open),
    );

  const show: SignedIn = async (context, session, open) =>
    await sendPage(context, accountPage(await contentOf(session, open)));
  const contentOf = async (session: Session, { store, keys, sessions, anchors }: OpenPageParts) => ({
    email: session.email,
    formToken: sessions.formToken(session),
    workspaces: await workspacesOf(store, session.personId),
    usage: await readUsage(store, principalOf(session), parts.now(), parts.contact),
    keys: await keys.list(session.workspaceId),
    sendsCodes: anchors.sendsCodes,
  });

  app.get('/account', signedIn(show));

  app.post(
    '/account/keys',
    posted(async (context, form, session, open) => {
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
    }),
  );

  app.post(
    '/account/keys/revoke',
    posted(async (context, form, session, open) => {
      await open.keys.revoke(principalOf(session), form.get('id') ?? '');
      return context.redirect('/account', 303);
    }),
  );

  app.post(
    '/account/people/code',
    posted(async (context, form, session, open) => {
      const phoneNumber = form.get('phoneNumber') ?? '';
      const replaces = replacedIn(form);
      try {
        await open.anchors.request(
          session.workspaceId,
          { phoneNumber, ...(replaces !== undefined && { replaces }) },
          context.env.address,
        );
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return await sendPage(
          context,
          accountPage({
            ...(await contentOf(session, open)),
            wrong: { phoneNumber: error.message },
            given: { phoneNumber, replaces },
          }),
        );
      }
      return await sendPage(
        context,
        phoneCodePage({ formToken: open.sessions.formToken(session), phoneNumber, replaces }),
      );
    }),
  );

  app.post(
    '/account/people',
    posted(async (context, form, session, open) => {
      const [phoneNumber, code, replaces] = [form.get('phoneNumber') ?? '', form.get('code') ?? '', replacedIn(form)];
      try {
        const { freeGrantOutcome } = await open.anchors.verify(session.workspaceId, {
          phoneNumber,
          code,
          ...(replaces !== undefined && { replaces }),
        });
        return await sendPage(context, verifiedPage(phoneNumber, freeGrantOutcome, parts.contact));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return await sendPage(
          context,
          phoneCodePage({ formToken: open.sessions.formToken(session), phoneNumber, replaces }, error.message),
        );
      }
    }),
  );

  app.post(
    '/account/workspace',
    posted(async (context, form, session, open) => {
      const wanted = form.get('id') ?? '';
      if (wanted === '') throw new HumanError('Choose a workspace.', { status: 400, code: 'invalid_request' });
      await open.sessions.enter(session, wanted);
      return context.redirect('/account', 303);
    }),
  );
}

/** Returns the number to replace, if one was chosen. */
function replacedIn(form: URLSearchParams): string | undefined {
  const chosen = form.get('replaces') ?? '';
  return chosen === '' ? undefined : chosen;
}

/** An error that the person can correct in the form. */
const isRefusal = (error: unknown): error is HumanError => error instanceof HumanError && error.status < 500;
