import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

const groups: readonly (readonly [title: string, path: RegExp])[] = [
  ['Mapping', /^\/mapping/], ['Testing', /^\/(?:testing|compliance)/], ['Workspace', /^\/(?:workspace|claim|profiles)/], ['Guides', /^\/guides/],
];

/** The interface for a person to read: a page without script, made from the operations table. */
export function docsPage(baseUrl: string, nonce: string): Html {
  const rows = Object.entries<Operation>(operations);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Dialtree interface</title>
<style nonce="${nonce}">
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:0 auto;padding:1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{overflow:auto;padding:.5rem;border:1px solid;border-radius:4px}
details{border-top:1px solid;padding:.4rem 0}summary{cursor:pointer}.method{display:inline-block;min-width:4.5em;font-weight:bold}
</style></head><body>
<h1>Dialtree interface</h1>
<p>REST at <code>${baseUrl}</code>, MCP over streamable HTTP at <code>${baseUrl.replace(/\/v1$/, '/mcp')}</code>. Send the key in the header <code>x-api-key</code>. The machine-readable form is <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${groups.map(([title, path]) => html`<h2>${title}</h2>${rows.filter(([, { rest }]) => path.test(rest.path)).map(([name, row]) => entry(name, row))}`)}
</body></html>`;
}

function entry(name: string, { title, description, input, output, rest, scope, tool }: Operation): Html {
  return html`<details><summary><span class="method">${rest.method.toUpperCase()}</span> <code>${rest.path}</code> ${title}</summary>
<p>${description}</p>
<p>Operation <code>${name}</code>${tool ? ', also an MCP tool' : ''}. ${scope === 'open' ? 'Needs no key.' : html`Scope <code>${scope}</code>.`} Answers ${String(rest.status)}.</p>
<h3>Arguments</h3><pre>${schemaText(input, 'input')}</pre><h3>Answer</h3><pre>${schemaText(output, 'output')}</pre></details>`;
}

function schemaText(schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return JSON.stringify(rest, null, 2);
}
