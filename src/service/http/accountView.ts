import { html } from 'hono/html';
import { limits, mobileExample } from '../../contract/limits.ts';
import { scopes, type Scope } from '../../contract/scopes.ts';
import {
  poolSchema,
  type ApiKey,
  type FreeGrantOutcome,
  type Pool,
  type WorkspaceUsage,
} from '../../contract/workspace.ts';
import { grantsMinutes, type OperatorContact } from '../workspaces/operatorContact.ts';
import { fieldsOf } from './forms.ts';
import type { Html, HtmlPage } from './pageShell.ts';

interface AccountContent {
  readonly email: string;
  readonly formToken: string;
  /** Ids of all the person's workspaces. */
  readonly workspaces: readonly string[];
  readonly usage: WorkspaceUsage;
  readonly keys: readonly ApiKey[];
  /** Whether mobiles can be verified. */
  readonly sendsCodes: boolean;
  /** What was wrong with the form for a new key, or for a person to verify. */
  readonly wrong?: {
    readonly name?: string | undefined;
    readonly scopes?: string | undefined;
    readonly phoneNumber?: string;
  };
  /** The typed values of the form for a person. */
  readonly given?: PhoneForm;
}

interface PhoneForm {
  readonly phoneNumber: string;
  readonly replaces?: string | undefined;
}

const poolNames: Readonly<Record<Pool, string>> = {
  testing: 'Tests',
  loadTesting: 'Load tests',
  mapping: 'Mapping',
  s2s: 'Speech to speech',
  s2stest: 'Speech-to-speech tests',
};
const scopeNames: Readonly<Record<Scope, string>> = {
  'mapping:read': 'Read mappings',
  'mapping:write': 'Map phone menus',
  'testing:read': 'Read tests',
  'testing:write': 'Run tests',
  'compliance:run': 'Run compliance tests',
  'workspace:read': "Read the workspace's usage",
  'workspace:admin': 'Administer the workspace and its keys',
  'billing:write': 'Change billing (not used on this server yet)',
};

export function accountPage({
  email,
  formToken,
  workspaces,
  usage,
  keys,
  sendsCodes,
  wrong = {},
  given,
}: AccountContent): HtmlPage {
  const others = workspaces.filter((id) => id !== usage.workspaceId);
  const token = html`<input type="hidden" name="csrf" value="${formToken}">`;
  const live = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const failed = Object.values(wrong).some((error) => error !== undefined);
  return {
    title: 'Your account',
    status: failed ? 400 : 200,
    body: html`<p>Signed in as ${email}.</p>
<form method="post" action="/signout">${token}<button class="plain">Sign out</button></form>
<h2>Workspace</h2>
<p><code>${usage.workspaceId}</code></p>
<p>Tier: ${usage.tier}. ${usage.capacity === 'unlimited' ? 'Minutes are counted, but not limited.' : ''} Enrichment tokens left: ${String(usage.enrichmentTokens.remaining)}.</p>
${others.length === 0 ? '' : html`<ul class="cards">${others.map((id) => html`<li><form method="post" action="/account/workspace">${token}<input type="hidden" name="id" value="${id}"><button class="plain">Go to workspace ${id}</button></form></li>`)}</ul>`}
<h2>Minutes</h2>
${minutesTable(usage)}
${usage.capacity === 'unlimited' ? '' : html`<p>${sendsCodes && usage.tier === 'free' ? 'You get free minutes once for each mobile number that you verify. ' : ''}${grantsMinutes(usage.contact)}</p>`}
<p>Runs in progress: ${String(usage.runsInFlight)} of ${String(usage.limits.runs)}. Requests per minute: up to ${String(usage.limits.requestsPerMinute)}.</p>
<h2>Verified people</h2>
${verifiedPeople(usage)}
${sendsCodes ? phoneForm(usage, token, given, wrong.phoneNumber) : html`<p>This server doesn't send text messages, so you can't verify a number here.</p>`}
<h2>API keys</h2>
${live.length === 0 ? html`<p>You have no keys yet.</p>` : html`<ul class="cards">${live.map((key) => keyCard(key, token))}</ul>`}
<h2>New API key</h2>
<form method="post" action="/account/keys">${token}
${fieldsOf({ name: 'name', label: 'Name of the key', type: 'text', autocomplete: 'off', error: wrong.name })}
<fieldset${wrong.scopes === undefined ? '' : html` aria-describedby="scopes-error"`}>
<legend>What the key may do</legend>
${wrong.scopes === undefined ? '' : html`<p class="wrong" id="scopes-error">Error: ${wrong.scopes}</p>`}
${scopes.map((scope) => html`<label><input type="checkbox" name="scope" value="${scope}"${scope === 'billing:write' ? '' : html` checked`}> ${scopeNames[scope]}</label>`)}
</fieldset>
<button>Create key</button>
</form>`,
  };
}

/** The only page that ever shows a complete key. */
export const newKeyPage = (name: string, apiKey: string): HtmlPage => ({
  title: 'Your new API key',
  status: 201,
  body: html`<p>This is the key <strong>${name}</strong>. Copy it now. You won't see it again.</p><code class="secret">${apiKey}</code><p><a href="/account">Back to your account</a></p>`,
});

function verifiedPeople({ anchors }: WorkspaceUsage): Html {
  if (anchors.length === 0) return html`<p>No person is verified for this workspace yet.</p>`;
  return html`<ul class="cards">${anchors.map(
    ({ phoneNumber, verifiedAt }) =>
      html`<li><p><strong>${phoneNumber}</strong><br><span class="quiet">Verified ${timeOf(verifiedAt)}</span></p></li>`,
  )}</ul>`;
}

function phoneForm(
  { anchors }: WorkspaceUsage,
  token: Html,
  given: PhoneForm | undefined,
  error: string | undefined,
): Html {
  const full = anchors.length >= limits.anchors.max;
  return html`<h3>Verify a person</h3>
<form method="post" action="/account/people/code">${token}
${fieldsOf({ name: 'phoneNumber', label: 'Mobile number', type: 'tel', autocomplete: 'tel', value: given?.phoneNumber ?? '', hint: `Use the international format, such as ${mobileExample}. This number gets a code by SMS, so ask the person first.`, error })}
${
  anchors.length > 0
    ? html`<fieldset>
<legend>Number to replace</legend>
<p class="quiet">A workspace can have up to ${String(limits.anchors.max)} verified people.</p>
${full ? '' : html`<label><input type="radio" name="replaces" value="" checked> Replace no number</label>`}
${anchors.map(({ phoneNumber }) => html`<label><input type="radio" name="replaces" value="${phoneNumber}" required${given?.replaces === phoneNumber ? html` checked` : ''}> ${phoneNumber}</label>`)}
</fieldset>`
    : ''
}
<button>Send code</button>
</form>`;
}

/** Asks for the code that was sent to a person's mobile. */
export function phoneCodePage(
  { formToken, phoneNumber, replaces }: PhoneForm & { readonly formToken: string },
  error?: string,
): HtmlPage {
  return {
    title: 'Enter the code',
    status: error === undefined ? 200 : 400,
    body: html`<p>A text message is on its way to <strong>${phoneNumber}</strong>. Its code is valid for ${String(limits.anchors.codeSeconds / 60)} minutes.</p>
<form method="post" action="/account/people"><input type="hidden" name="csrf" value="${formToken}"><input type="hidden" name="phoneNumber" value="${phoneNumber}">
${replaces === undefined ? '' : html`<input type="hidden" name="replaces" value="${replaces}">`}
${fieldsOf({ name: 'code', label: 'Code', type: 'text', autocomplete: 'one-time-code', numeric: true, hint: `The ${String(limits.anchors.codeDigits)} digits in the text message.`, error })}
<button>Verify number</button>
</form>
<p><a href="/account">Back to your account</a></p>`,
  };
}

const outcomes: Readonly<Record<FreeGrantOutcome, string>> = {
  granted: 'The workspace got its free minutes.',
  'already-granted': 'This workspace already got the free minutes for this number.',
  'not-owed': 'There are no free minutes for this number.',
  refused: 'There are no free minutes for this number.',
  unavailable:
    "The free minutes couldn't be granted right now. Send another code in a minute and verify the number again.",
};

export const verifiedPage = (phoneNumber: string, outcome: FreeGrantOutcome, contact: OperatorContact): HtmlPage => ({
  title: 'The number is verified',
  body: html`<p><strong>${phoneNumber}</strong> is now a verified person of this workspace. ${outcomes[outcome]}${outcome === 'not-owed' || outcome === 'refused' ? ` ${grantsMinutes(contact)}` : ''}</p>
<p><a href="/account">Back to your account</a></p>`,
});

function minutesTable({ freeMinutes, packs, period, capacity }: WorkspaceUsage): Html {
  const remainingMinutes = (pool: Pool): number =>
    freeMinutes[pool].remaining +
    packs.filter((pack) => pack.pool === pool).reduce((sum, { remaining }) => sum + remaining, 0);
  return html`<table>
<caption class="quiet">From ${dayOf(period.startedAt)} to ${dayOf(period.endsAt)}, UTC</caption>
<thead><tr><th scope="col">Use</th><th scope="col">Left</th><th scope="col">Used this month</th></tr></thead>
<tbody>${poolSchema.options.map((pool) => html`<tr><th scope="row">${poolNames[pool]}</th><td>${capacity === 'unlimited' ? 'Unlimited' : minutes(remainingMinutes(pool))}</td><td>${minutes(period.minutes[pool])}</td></tr>`)}</tbody>
</table>`;
}

function keyCard({ id, name, keyPrefix, scopes: allowed, lastUsedAt, createdAt }: ApiKey, token: Html): Html {
  return html`<li><p><strong>${name}</strong><br><code>${keyPrefix}_…</code></p>
<p class="quiet">Created ${timeOf(createdAt)}. ${lastUsedAt === undefined ? 'Not used yet.' : html`Last used ${timeOf(lastUsedAt)}.`} Allows ${allowed.join(', ')}.</p>
<form method="post" action="/account/keys/revoke">${token}<input type="hidden" name="id" value="${id}"><button class="plain">Revoke ${name}</button></form></li>`;
}

const minutes = (value: number): string => String(Math.round(value * 100) / 100);
const dayOf = (iso: string): string => iso.slice(0, 10);
const timeOf = (iso: string): Html => html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
