import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from '../basics/log.ts';
import type { AppEnvironment } from './environment.ts';
import { describeFailure } from './errors.ts';

export type Html = ReturnType<typeof html>;
export interface HtmlPage {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

const styles = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f4f7f7; --text: #16211f; --quiet: #4a5957; --line: #7c8b89; --accent: #0b5e5b; --on-accent: #ffffff; --wrong: #a3160f; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #101716; --panel: #1a2322; --text: #e8efee; --quiet: #b0bfbc; --line: #82918f; --accent: #7fd6cf; --on-accent: #08201f; --wrong: #ff9d94; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
header { padding-bottom: 0; color: var(--quiet); font-weight: 600; }
header p { margin: 0; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1rem 0 0.5rem; }
a { color: var(--accent); }
code { font-family: ui-monospace, monospace; font-size: 0.95em; }
.secret { display: block; padding: 0.75rem; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; user-select: all; }
.quiet { color: var(--quiet); }
.wrong { color: var(--wrong); font-weight: 600; margin: 0.25rem 0; }
label, legend { display: block; font-weight: 600; }
fieldset { border: 1px solid var(--line); border-radius: 4px; margin: 1rem 0; padding: 0.5rem 1rem; }
fieldset label { display: flex; gap: 0.75rem; align-items: center; min-height: 2.5rem; font-weight: 400; }
input[type=checkbox], input[type=radio] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.field { margin: 1rem 0; }
.field p { margin: 0.25rem 0; }
.field input { margin-top: 0.375rem; }
input:not([type=checkbox], [type=radio]) { width: 100%; min-height: 2.75rem; padding: 0.5rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; }
input[aria-invalid=true] { border: 2px solid var(--wrong); }
button { min-height: 2.75rem; padding: 0.5rem 1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 4px; cursor: pointer; }
button.plain { color: var(--accent); background: transparent; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; overflow-wrap: break-word; }
caption { text-align: left; }
th, td { text-align: left; padding: 0.4rem 0.5rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
ul.cards { list-style: none; margin: 0; padding: 0; }
ul.cards li { padding: 0.75rem; margin: 0.5rem 0; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; }
ul.cards p { margin: 0 0 0.5rem; }
details { border-top: 1px solid var(--line); }
summary { padding: 0.4rem 0; cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; }
summary code { margin-right: 0.5rem; }
@media (max-width: 30rem) {
  summary b { min-width: 0; margin-right: 0.5rem; }
  summary .quiet { display: block; padding-left: 1.1rem; }
}
pre { overflow: auto; padding: 0.75rem; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; font: 0.9em/1.4 ui-monospace, monospace; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Sends a page for people, without scripts. Values in `html` templates are escaped. */
export function sendPage(
  context: Context<AppEnvironment>,
  { title, body, status = 200 }: HtmlPage,
): Response | Promise<Response> {
  context.header('content-security-policy', policy);
  // With no-referrer, a browser sends `Origin: null` with a form, which the guard refuses. This value also reveals
  // nothing to other sites.
  context.header('referrer-policy', 'same-origin');
  return context.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Dialtree</title>
<style>${raw(styles)}</style>
</head>
<body>
<header><p>Dialtree</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`,
    status as ContentfulStatusCode,
  );
}

/** Answers an error with a page, at the addresses that people read. */
export function sendFailure(
  context: Context<AppEnvironment>,
  error: unknown,
  log: Logger,
): Response | Promise<Response> {
  const requestId = context.get('requestId');
  const { status, body } = describeFailure(error, requestId, log);
  if (body.retryAfterSeconds !== undefined) context.header('retry-after', String(body.retryAfterSeconds));
  // Details of a full disk are for the operator, who finds them in the log.
  const [title, text] =
    status === 503
      ? [
          'Try again later',
          html`<p>The service can't store anything right now, so nothing was changed. Try again in a few minutes.</p>`,
        ]
      : ["That didn't work", html`<p>${body.message}</p><p><a href="/account">Go to your account</a></p>`];
  return sendPage(context, { status, title, body: html`${text}<p class="quiet">Request ${requestId}</p>` });
}
