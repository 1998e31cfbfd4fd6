import type { Hono } from 'hono';
import { html } from 'hono/html';
import { findPerson, readEmail } from '../people/people.ts';
import { beginSession, findSession, forgetSession, readSessionForm, type PageParts } from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { fieldsOf, readForm } from './forms.ts';
import { sendPage, type Page } from './pageShell.ts';

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

  app.post('/signout', async (context) => {
    const session = await findSession(context, parts);
    if (session) {
      const { sessions } = await parts.open();
      await readSessionForm(context, sessions, session);
      await sessions.close(session.token);
    }
    forgetSession(context, parts);
    return context.redirect('/signin', 303);
  });
}

function signInPage({ signsUp }: PageParts, email = '', error?: string): Page {
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
