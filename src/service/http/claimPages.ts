import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { serverLimits } from '../../contract/limits.ts';
import { claimHash, type DeadLink } from '../people/claims.ts';
import { isInvited, useInvitation } from '../people/invitations.ts';
import { grantsMinutes } from '../workspaces/operatorContact.ts';
import { passwordLength, passwordTrouble } from '../people/passwords.ts';
import { readEmail } from '../people/people.ts';
import { beginSession, type PageParts } from './browserSession.ts';
import type { AppEnvironment } from './environment.ts';
import { fieldsOf, readForm, type FormField } from './forms.ts';
import { sendPage, type HtmlPage } from './pageShell.ts';

/** The page on which a person takes over a workspace that a program registered. */
export function addClaimRoutes(app: Hono<AppEnvironment>, parts: PageParts): void {
  const tokenOf = (context: Context<AppEnvironment>): string => context.req.param('token') ?? '';

  app.get('/claim/:token', async (context) => {
    const look = await (await parts.open()).claims.look(claimHash(tokenOf(context)));
    return await sendPage(
      context,
      look.state === 'open' ? claimPage(look.workspaceId, parts) : deadLinkPage(look.state),
    );
  });

  app.post('/claim/:token', async (context) => {
    const { claims, signUps, store } = await parts.open();
    const link = claimHash(tokenOf(context));
    const look = await claims.look(link);
    if (look.state !== 'open') return await sendPage(context, deadLinkPage(look.state));
    const form = await readForm(context.req.raw);
    const enteredEmail = form.get('email') ?? '';
    const password = form.get('password') ?? '';
    const email = readEmail(enteredEmail);
    const wrong = {
      email: email === undefined ? 'Enter an e-mail address such as ann@example.com.' : undefined,
      password: parts.signsUp ? undefined : passwordTrouble(password),
    };
    if (email === undefined || wrong.password !== undefined)
      return await sendPage(context, claimPage(look.workspaceId, parts, enteredEmail, wrong));
    if (parts.signsUp)
      return context.redirect(`/signup/${await signUps.begin(context.env.address, email, tokenOf(context))}`, 303);
    const invitation = form.get('invitation') ?? '';
    await parts.tries.count(context.env.address, email);
    const outcome = await claims.complete(
      link,
      { email, password },
      {
        mayBeNew: await isInvited(store, invitation, email, parts.now()),
        use: async (transaction, isNew) => !isNew || (await useInvitation(transaction, invitation, email, parts.now())),
      },
    );
    if (outcome.state === 'wrong-password' || outcome.state === 'unproven')
      return await sendPage(context, {
        ...claimPage(look.workspaceId, parts, enteredEmail, { password: refused }),
        status: 403,
      });
    await parts.tries.forgive(context.env.address, email);
    return outcome.state === 'done'
      ? await beginSession(context, parts, outcome)
      : await sendPage(context, deadLinkPage(outcome.state));
  });
}

const refused =
  'This password, or this invitation code, is wrong. If you have an account, enter its password. If you have none, enter the invitation code for this e-mail address.';

interface Wrong {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

function claimPage(
  workspaceId: string,
  { contact, signsUp }: Pick<PageParts, 'contact' | 'signsUp'>,
  email = '',
  wrong: Wrong = {},
): HtmlPage {
  const failed = wrong.email !== undefined || wrong.password !== undefined;
  const hint = signsUp ? 'This address gets a code.' : undefined;
  return {
    title: 'Claim this workspace',
    status: failed ? 400 : 200,
    body: html`<p>A program registered the workspace <code>${workspaceId}</code> and asks you to become its owner.</p>
<p>The owner sees the usage of the workspace, and creates and revokes its API keys. The program's key keeps working until you revoke it.
Claim the workspace only if you know who sent you this link.</p>
<p>Claiming is free and doesn't add minutes. ${grantsMinutes(contact)}</p>
${signsUp ? '' : html`<p>This server doesn't send mail, so it can't check your address. If you don't have an account yet, ask the operator of this server for an invitation code${contact === undefined ? '' : `: ${contact}`}.</p>`}
<form method="post">
${fieldsOf({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, hint, error: wrong.email }, ...(signsUp ? [] : secretFields(wrong.password)))}
<button>${signsUp ? 'Send code' : 'Claim workspace'}</button>
</form>`,
  };
}

/** For a server without mail. */
const secretFields = (error: string | undefined): readonly FormField[] => [
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${String(passwordLength.min)} characters. If you already have an account, enter its password.`,
    error,
  },
  {
    name: 'invitation',
    label: 'Invitation code',
    type: 'text',
    autocomplete: 'off',
    hint: 'If you already have an account, leave this empty.',
    optional: true,
  },
];

const anotherLink =
  'Ask the person who sent you the link for a new one. The program that registered the workspace can get one with the tool getClaimLink.';

export function deadLinkPage(state: DeadLink): HtmlPage {
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
      body: html`<p>A claim link is valid for ${String(serverLimits.claimLinkSeconds / 60)} minutes. Nothing was changed.</p><p>${anotherLink}</p>`,
    };
  const used = state === 'used';
  return {
    title: used ? 'This link has been used' : 'This link is no longer valid',
    status: 410,
    body: html`<p>${used ? 'A claim link works only once, and the workspace now has an owner.' : 'The workspace was claimed with another link, so this one was not used and can no longer be.'}</p><p>If you are the owner, <a href="/signin">sign in</a>. If you aren't, ask the sender of the link who claimed the workspace.</p>`,
  };
}
