import { html } from 'hono/html';
import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import { interfaceSchema } from './jsonSchema.ts';
import type { Html, HtmlPage } from './pageShell.ts';

const groups: readonly (readonly [title: string, path: RegExp])[] = [
  ['Mapping', /^\/mapping/],
  ['Testing', /^\/(?:testing|compliance|runs)/],
  ['Lines', /^\/(?:lines|targets)/],
  ['Workspace', /^\/(?:workspace|account|claim|profiles)/],
  ['Guides', /^\/guides/],
];

/** Returns the interface's documentation for people, generated from the operations table. */
export function docsPage(baseUrl: string): HtmlPage {
  const rows = Object.entries<Operation>(operations);
  return {
    title: 'API reference',
    body: html`<p>REST at <code>${baseUrl}</code>, MCP over streamable HTTP at <code>${baseUrl.replace(/\/v1$/, '/mcp')}</code>. Send the key in the header <code>x-api-key</code>. The machine-readable version is <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${groups.map(([title, path]) => html`<h2>${title}</h2>${rows.filter(([, { rest }]) => path.test(rest.path)).map(([name, row]) => entry(name, row))}`)}`,
  };
}

function entry(name: string, { title, description, input, output, rest, scope, tool }: Operation): Html {
  return html`<details><summary><b>${rest.method.toUpperCase()}</b> <code>${rest.path}</code> <span class="quiet">${title}</span></summary>
<p>${description}</p>
<p>Operation <code>${name}</code>${tool ? ', also an MCP tool' : ''}. ${scope === 'open' ? 'Needs no key.' : html`Scope <code>${scope}</code>.`} Responds with ${String(rest.status)}.</p>
<h3>Arguments</h3><pre>${schemaText(input, 'input')}</pre><h3>Response</h3><pre>${schemaText(output, 'output')}</pre></details>`;
}

const schemaText = (schema: z.ZodType, io: 'input' | 'output'): string =>
  JSON.stringify(interfaceSchema(schema, io), null, 2);
