import { html } from 'hono/html';
import { scopes } from '../../contract/scopes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { poolSchema } from '../../contract/workspace.ts';
import type { ApiKey, Pool, WorkspaceUsage } from '../../contract/workspace.ts';
import { fieldsOf } from './forms.ts';
import type { Html, Page } from './pageShell.ts';

export interface AccountContent {
  readonly email: string;
  readonly formToken: string;
  /** Ids of all the person's workspaces. */
  readonly workspaces: readonly string[];
  readonly usage: WorkspaceUsage;
  readonly keys: readonly ApiKey[];
  /** What was wrong with the form for a new key. */
  readonly wrong?: { readonly name?: string | undefined; readonly scopes?: string | undefined };
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
  'workspace:read': 'Read what the workspace uses',
  'workspace:admin': 'Administer the workspace and its keys',
  'billing:write': 'Buy capacity',
};

export function accountPage({ email, formToken, workspaces, usage, keys, wrong = {} }: AccountContent): Page {
  const others = workspaces.filter((id) => id !== usage.workspaceId);
  const token = html`<input type="hidden" name="csrf" value="${formToken}">`;
  const failed = wrong.name !== undefined || wrong.scopes !== undefined;
  return {
    title: 'Your account',
    status: failed ? 400 : 200,
    body: html`<p>Signed in as ${email}.</p>
<form method="post" action="/signout">${token}<button class="plain">Sign out</button></form>
<h2>Workspace</h2>
<p><code>${usage.workspaceId}</code></p>
<p>Tier: ${usage.tier}. ${usage.capacity === 'unlimited' ? 'Minutes are counted, and not limited.' : ''} Enrichment tokens left: ${String(usage.enrichmentTokens.remaining)}.</p>
${others.length === 0 ? '' : html`<ul class="cards">${others.map((id) => html`<li><form method="post" action="/account/workspace">${token}<input type="hidden" name="id" value="${id}"><button class="plain">Go to workspace ${id}</button></form></li>`)}</ul>`}
<h2>Minutes</h2>
${minutesTable(usage)}
<h2>API keys</h2>
<ul class="cards">${keys.filter(({ revokedAt }) => revokedAt === undefined).map((key) => keyCard(key, token))}</ul>
<h2>New API key</h2>
<form method="post" action="/account/keys">${token}
${fieldsOf({ name: 'name', label: 'Name of the key', type: 'text', autocomplete: 'off', error: wrong.name })}
<fieldset${wrong.scopes === undefined ? '' : html` aria-describedby="scopes-error"`}>
<legend>What it may do</legend>
${wrong.scopes === undefined ? '' : html`<p class="wrong" id="scopes-error">Error: ${wrong.scopes}</p>`}
${scopes.map((scope) => html`<label><input type="checkbox" name="scope" value="${scope}"${scope === 'billing:write' ? '' : html` checked`}> ${scopeNames[scope]}</label>`)}
</fieldset>
<button>Create the key</button>
</form>`,
  };
}

/** The only page that ever shows a key whole. */
export const newKeyPage = (name: string, apiKey: string): Page => ({
  title: 'Your new API key',
  status: 201,
  body: html`<p>This is the key <strong>${name}</strong>. Copy it now: it is not shown again.</p><code class="secret">${apiKey}</code><p><a href="/account">Back to your account</a></p>`,
});

function minutesTable({ freeMinutes, packs, period, capacity }: WorkspaceUsage): Html {
  const left = (pool: Pool): number =>
    freeMinutes[pool].remaining +
    packs.filter((pack) => pack.pool === pool).reduce((sum, { remaining }) => sum + remaining, 0);
  return html`<table>
<caption class="quiet">Since ${dayOf(period.startedAt)}, counted until ${dayOf(period.endsAt)}, UTC</caption>
<thead><tr><th scope="col">For</th><th scope="col">Left</th><th scope="col">Used this month</th></tr></thead>
<tbody>${poolSchema.options.map((pool) => html`<tr><th scope="row">${poolNames[pool]}</th><td>${capacity === 'unlimited' ? 'Unlimited' : minutes(left(pool))}</td><td>${minutes(period.minutes[pool])}</td></tr>`)}</tbody>
</table>`;
}

function keyCard({ id, name, keyPrefix, lastUsedAt, createdAt }: ApiKey, token: Html): Html {
  return html`<li><p><strong>${name}</strong><br><code>${keyPrefix}_…</code></p>
<p class="quiet">Made ${timeOf(createdAt)}. ${lastUsedAt === undefined ? 'Not used yet.' : html`Last used ${timeOf(lastUsedAt)}.`}</p>
<form method="post" action="/account/keys/revoke">${token}<input type="hidden" name="id" value="${id}"><button class="plain">Revoke ${name}</button></form></li>`;
}

const minutes = (value: number): string => String(Math.round(value * 100) / 100);
const dayOf = (iso: string): string => iso.slice(0, 10);
const timeOf = (iso: string): Html => html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
