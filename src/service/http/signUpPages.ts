import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { serverLimits } from '../../contract/limits.ts';
import type { SignUpLook, SignUps } from '../people/signUps.ts';
import { passwordLength, passwordTrouble } from '../people/passwords.ts';
import { readEmail } from '../people/people.ts';
import { deadLinkPage } from './claimPages.ts';
import { beginSession, findSession, type PageParts } from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { fieldsOf, readForm } from './forms.ts';
import { sendPage, type HtmlPage } from './pageShell.ts';

const { codeDigits, codeSeconds } = serverLimits.signUp;

/** Signing up: an e-mail address, then a code that was sent there and a password. */
export function addSignUpRoutes(app: Hono<AppEnvironment>, parts: PageParts): void {
  const tokenOf = (context: Context<AppEnvironment>): string => context.req.param('token') ?? '';

  app.get('/signup', async (context) => {
    if (!parts.signsUp) return await sendPage(context, notOfferedPage(parts));
    return (await findSession(context, parts))
      ? context.redirect('/account', 303)
      : await sendPage(context, addressPage());
  });

  app.post('/signup', async (context) => {
    if (!parts.signsUp) return await sendPage(context, notOfferedPage(parts));
    const enteredEmail = (await readForm(context.req.raw)).get('email') ?? '';
    const email = readEmail(enteredEmail);
    if (email === undefined)
      return await sendPage(context, addressPage(enteredEmail, 'Enter an e-mail address such as ann@example.com.'));
    const { signUps } = await parts.open();
    return context.redirect(`/signup/${await signUps.begin(context.env.address, email)}`, 303);
  });

  app.get('/signup/:token', async (context) => {
    const look = await (await parts.open()).signUps.look(tokenOf(context));
    return await sendPage(context, look.state === 'open' ? codePage(look) : overPage);
  });

  app.post('/signup/:token', async (context) => {
    const { signUps } = await parts.open();
    const look = await signUps.look(tokenOf(context));
    if (look.state === 'over') return await sendPage(context, overPage);
    const form = await readForm(context.req.raw);
    const code = form.get('code') ?? '';
    const password = form.get('password') ?? '';
    // An incomplete form doesn't count as an attempt.
    const wrong = {
      code: code.replaceAll(/\D/g, '').length === codeDigits ? undefined : `The code has ${String(codeDigits)} digits.`,
      password: passwordTrouble(password),
    };
    if (wrong.code !== undefined || wrong.password !== undefined)
      return await sendPage(context, codePage(look, code, wrong));
    const outcome = await signUps.complete(tokenOf(context), { address: context.env.address, code, password });
    return outcome.state === 'done'
      ? await beginSession(context, parts, outcome)
      : await sendPage(context, refusedPage(outcome.state, look, code));
  });
}

const notOfferedPage = ({ contact }: PageParts): HtmlPage => ({
  title: 'Sign-up is off on this server',
  status: 503,
  body: html`<p>This server doesn't send mail, so it can't check your address. If a program gave you a claim link, open it. If you have an account, <a href="/signin">sign in</a>.</p>
${contact === undefined ? '' : html`<p>The operator of this server: ${contact}</p>`}`,
});

function addressPage(email = '', error?: string): HtmlPage {
  return {
    title: 'Sign up',
    status: error === undefined ? 200 : 400,
    body: html`<p>You get a workspace on the free tier, where you can create API keys. The workspace can place calls after you verify a mobile number.</p>
<form method="post">
${fieldsOf({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, hint: 'This address gets a code.', error })}
<button>Send code</button>
</form>
<p class="quiet">Already have an account? <a href="/signin">Sign in</a>.</p>`,
  };
}

interface Wrong {
  readonly code?: string | undefined;
  readonly password?: string | undefined;
}

type SignUpState = Awaited<ReturnType<SignUps['complete']>>['state'];
type OpenSignUp = Extract<SignUpLook, { state: 'open' }>;

function codePage({ email, claims }: OpenSignUp, code = '', wrong: Wrong = {}): HtmlPage {
  const failed = wrong.code !== undefined || wrong.password !== undefined;
  return {
    title: 'Check your mail',
    status: failed ? 400 : 200,
    body: html`<p>A mail is on its way to <strong>${email}</strong>. Its code is valid for ${String(codeSeconds / 60)} minutes.</p>
<form method="post">
<input type="email" name="username" autocomplete="username" value="${email}" readonly hidden>
${fieldsOf(
  {
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    numeric: true,
    value: code,
    hint: `The ${String(codeDigits)} digits in the mail.`,
    error: wrong.code,
  },
  {
    name: 'password',
    label: claims ? 'Password' : 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${String(passwordLength.min)} characters.${claims ? ' If you already have an account, enter its password.' : ''}`,
    error: wrong.password,
  },
)}
<button>${claims ? 'Claim workspace' : 'Create account'}</button>
</form>
<p class="quiet">No mail? Check your junk mail, or ${claims ? 'open the claim link again' : html`<a href="/signup">send another code</a>`}.</p>`,
  };
}

function refusedPage(state: Exclude<SignUpState, 'done'>, look: OpenSignUp, code: string): HtmlPage {
  switch (state) {
    case 'known':
      return knownPage;
    case 'over':
      return overPage;
    case 'wrong-code':
      return codePage(look, '', { code: 'The code is wrong. Use the code in the newest mail.' });
    case 'wrong-password':
      return codePage(look, code, {
        password: 'This address already has an account. Enter the password of that account.',
      });
    default:
      return deadLinkPage(state);
  }
}

const overPage: HtmlPage = {
  title: 'This sign-up has ended',
  status: 410,
  body: html`<p>The code was already used, is older than ${String(codeSeconds / 60)} minutes, or was entered incorrectly too many times.</p><p><a href="/signup">Sign up again</a>, open your claim link again, or <a href="/signin">sign in</a> if you have an account.</p>`,
};

const knownPage: HtmlPage = {
  title: 'You already have an account',
  status: 409,
  body: html`<p>An account for this e-mail address was created in the meantime. <a href="/signin">Sign in</a> with its password.</p>`,
};
