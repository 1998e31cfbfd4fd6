import type { Hono } from 'hono';
import { html } from 'hono/html';
import { isLoopback } from '../../base/loopback.ts';
import { serverLimits } from '../../contract/limits.ts';
import { findPerson, readEmail } from '../people/people.ts';
import {
  beginSession,
  enterAccount,
  findSession,
  forgetSession,
  readSessionForm,
  type PageParts,
} from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { fieldsOf, readForm } from './forms.ts';
import { sendPage, type HtmlPage } from './pageShell.ts';
import { isForwarded } from './publicUrl.ts';

export function addSignInRoutes(app: Hono<AppEnvironment>, parts: PageParts): void {
  app.get('/signin', async (context) =>
    (await findSession(context, parts))
      ? context.redirect('/account', 303)
      : await sendPage(context, signInPage(parts)),
  );

  app.post('/signin', async (context) => {
    const form = await readForm(context.req.raw);
    const enteredEmail = form.get('email') ?? '';
    const email = readEmail(enteredEmail);
    const counted = email ?? 'no address';
    await parts.tries.count(context.env.address, counted);
    const person = await findPerson((await parts.open()).store, email, form.get('password') ?? '');
    if (!person)
      return await sendPage(context, {
        ...signInPage(parts, enteredEmail, 'The e-mail address or the password is wrong.'),
        status: 403,
      });
    await parts.tries.forgive(context.env.address, counted);
    return await beginSession(context, parts, person);
  });

  app.get('/account/open/:token', async (context) => {
    const { localSessions } = await parts.open();
    const isHere = isLoopback(context.env.address) && !isForwarded(context.req.raw.headers);
    const token = isHere ? localSessions.enter(context.req.param('token')) : undefined;
    return token === undefined
      ? await sendPage(context, deadAccountLinkPage)
      : enterAccount(context, parts, token, serverLimits.localAccount.sessionSeconds);
  });

  app.post('/signout', async (context) => {
    const session = await findSession(context, parts);
    if (session) {
      const { sessions, localSessions } = await parts.open();
      await readSessionForm(context, sessions, session);
      localSessions.close(session.token);
      await sessions.close(session.token);
    }
    forgetSession(context, parts);
    return context.redirect('/signin', 303);
  });
}

const deadAccountLinkPage: HtmlPage = {
  title: 'This link is no longer valid',
  status: 410,
  body: html`<p>A link to the account page works once, within a minute, and only on this machine. In the editor, run <strong>Dialtree: Open Account Page</strong> again.</p>`,
};

function signInPage({ signsUp }: PageParts, email = '', error?: string): HtmlPage {
  return {
    title: 'Sign in',
    body: html`<form method="post">
${fieldsOf(
  { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email },
  { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', error },
)}
<button>Sign in</button>
</form>
<p class="quiet">No account yet? ${signsUp ? html`<a href="/signup">Sign up</a>, or open` : 'Open'} the claim link that a program gave you.</p>`,
  };
}
