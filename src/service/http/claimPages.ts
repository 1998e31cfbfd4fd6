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
        email: email === undefined ? 'Enter an e-mail address such as ann@example.com.' : undefined,
        password: passwordTrouble(password),
      };
      if (email === undefined || wrong.password !== undefined)
        return await sendPage(context, claimPage(look.workspaceId, parts.contact, given, wrong));
      await parts.tries.count(context.env.address, email);
      const outcome = await claims.complete(tokenOf(context), email, password);
      if (outcome.state === 'wrong-password') {
        const explained =
          'This e-mail address already has an account with another password. Enter the password of that account, or another e-mail address.';
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
    body: html`<p>A program registered the workspace <code>${workspaceId}</code> and asks you to become its owner.</p>
<p>The owner sees the usage of the workspace, and creates and revokes its API keys. The program's key keeps working until you revoke it.
Claim the workspace only if you know who sent you this link.</p>
<p>Claiming is free and doesn't add minutes. ${grantsMinutes(contact)}</p>
<form method="post">
${fieldsOf(
  { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, error: wrong.email },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${String(passwordLength.min)} characters. If you already have an account, enter its password.`,
    error: wrong.password,
  },
)}
<button>Claim workspace</button>
</form>`,
  };
}

const anotherLink =
  'Ask the person who sent you the link for a new one. The program that registered the workspace can get one with the tool getClaimLink.';

function deadLinkPage(state: DeadLink): Page {
  if (state === 'unknown')
    return {
      title: "This link doesn't exist",
      status: 404,
      body: html`<p>The link is wrong or was deleted. Check that you copied all of it.</p><p>${anotherLink}</p>`,
    };
  if (state === 'late')
    return {
      title: 'This link has expired',
      status: 410,
      body: html`<p>A claim link is valid for ${String(limits.claimLinkSeconds / 60)} minutes. Nothing was changed.</p><p>${anotherLink}</p>`,
    };
  return {
    title: 'This link has been used',
    status: 410,
    body: html`<p>A claim link works only once, and the workspace now has an owner.</p><p>If you are the owner, <a href="/signin">sign in</a>. If you aren't, ask the sender of the link who claimed the workspace.</p>`,
  };
}
