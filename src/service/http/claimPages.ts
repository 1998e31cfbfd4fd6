import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { limits } from '../../contract/limits.ts';
import type { DeadLink } from '../workspaces/claims.ts';
import { grantsMinutes } from '../workspaces/operatorContact.ts';
import type { OperatorContact } from '../workspaces/operatorContact.ts';
import { passwordLength, passwordTrouble } from '../workspaces/passwords.ts';
import { readEmail } from '../workspaces/people.ts';
import { beginSession } from './browserSession.ts';
import type { PageParts } from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { fieldsOf, readForm } from './forms.ts';
import { answerPage, sendPage } from './pageShell.ts';
import type { Page } from './pageShell.ts';

/** The page on which a person takes over a workspace that a program registered. */
export function addClaimRoutes(app: Hono<AppEnvironment>, parts: PageParts): void {
  const tokenOf = (context: Context<AppEnvironment>): string => context.req.param('token') ?? '';

  app.get(
    '/claim/:token',
    answerPage(parts.log, async (context) => {
      const look = await (await parts.open()).claims.look(tokenOf(context));
      return await sendPage(
        context,
        look.state === 'open' ? claimPage(look.workspaceId, parts.contact) : deadLinkPage(look.state),
      );
    }),
  );

  app.post(
    '/claim/:token',
    answerPage(parts.log, async (context) => {
      const { claims } = await parts.open();
      const look = await claims.look(tokenOf(context));
      if (look.state !== 'open') return await sendPage(context, deadLinkPage(look.state));
      const form = await readForm(context.req.raw);
      const given = form.get('email') ?? '';
      const password = form.get('password') ?? '';
      const email = readEmail(given);
      const wrong = {
        email: email === undefined ? 'Give an e-mail address such as ann@example.com.' : undefined,
        password: passwordTrouble(password),
      };
      if (email === undefined || wrong.password !== undefined)
        return await sendPage(context, claimPage(look.workspaceId, parts.contact, given, wrong));
      await parts.tries.count(context.env.address, email);
      const outcome = await claims.complete(tokenOf(context), email, password);
      if (outcome.state === 'wrong-password') {
        const explained =
          'This e-mail address has an account already, with another password. Give the password of that account, or another e-mail address.';
        return await sendPage(context, {
          ...claimPage(look.workspaceId, parts.contact, given, { password: explained }),
          status: 403,
        });
      }
      await parts.tries.forgive(context.env.address, email);
      return outcome.state === 'done'
        ? await beginSession(context, parts, outcome)
        : await sendPage(context, deadLinkPage(outcome.state));
    }),
  );
}

interface Wrong {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

function claimPage(workspaceId: string, contact: OperatorContact, email = '', wrong: Wrong = {}): Page {
  const failed = wrong.email !== undefined || wrong.password !== undefined;
  return {
    title: 'Claim this workspace',
    status: failed ? 400 : 200,
    body: html`<p>A program registered the workspace <code>${workspaceId}</code> and asks you to take it over.</p>
<p>When you claim it, you own it: you see what it uses, and make and revoke its API keys. The program's key goes on working until you revoke it.
Claim it only if you know who sent you this link.</p>
<p>Claiming costs nothing and brings no minutes of calls. ${grantsMinutes(contact)}</p>
<form method="post">
${fieldsOf(
  { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, error: wrong.email },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${String(passwordLength.min)} characters. If you have an account already, give its password.`,
    error: wrong.password,
  },
)}
<button>Claim the workspace</button>
</form>`,
  };
}

const anotherLink =
  'Ask the person who sent it for another one: the program that registered the workspace gets it with its tool getClaimLink.';

function deadLinkPage(state: DeadLink): Page {
  if (state === 'unknown')
    return {
      title: 'There is no such link',
      status: 404,
      body: html`<p>This link does not exist, or is long gone. Check that you copied all of it.</p><p>${anotherLink}</p>`,
    };
  if (state === 'late')
    return {
      title: 'This link is too old',
      status: 410,
      body: html`<p>A claim link is valid for ${String(limits.claimLinkSeconds / 60)} minutes, and this one is past that. Nothing was changed.</p><p>${anotherLink}</p>`,
    };
  return {
    title: 'This link was used',
    status: 410,
    body: html`<p>A claim link works once, and its workspace has an owner now.</p><p>If that is you, <a href="/signin">sign in</a>. If it should be you, ask whoever sent you the link who claimed it.</p>`,
  };
}
