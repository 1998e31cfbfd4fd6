import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { escapeMarkup } from '../../base/escape.ts';
import { HumanError } from '../../contract/errors.ts';
import type { LoadSnapshot } from '../../contract/loadPanel.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import { findInstallation } from '../../service/basics/installation.ts';
import type { LoadReport } from './report.ts';

/** Formats the load test as one HTML file: the editor's page of it, which needs neither the editor nor a network. */
export async function htmlLoadReport({ name, test }: LoadReport): Promise<string> {
  const [script, style] = await Promise.all(['load.js', 'load.css'].map((file) => readPageFile(file)));
  const nonce = randomBytes(16).toString('base64');
  const snapshot: LoadSnapshot = {
    type: 'snapshot',
    name,
    test: withoutRecordings(test),
    canCancel: false,
    canRunAgain: false,
  };
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeMarkup(name)}</title>
<style>${colours}
${inElement(style ?? '')}</style>
</head>
<body>
<div id="app" data-subject="${escapeMarkup(test.id)}"></div>
<script id="l10n" type="application/json">{}</script>
<script id="snapshot" type="application/json">${JSON.stringify(snapshot).replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">${standIn}</script>
<script nonce="${nonce}">${inElement(script ?? '')}</script>
</body>
</html>
`;
}

/** Their addresses expire. */
function withoutRecordings({ stats, ...test }: LoadTest): LoadTest {
  if (!stats?.tested) return { ...test, ...(stats && { stats }) };
  const { references: _references, failures, ...tested } = stats.tested;
  const listed = failures.map(({ recording: _recording, ...failure }) => failure);
  return { ...test, stats: { ...stats, tested: { ...tested, failures: listed } } };
}

async function readPageFile(name: string): Promise<string> {
  const file = path.join(findInstallation().pagesDir, name);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new HumanError(`Couldn't read ${file}, which the HTML report needs. Reinstall Dialtree.`, {
      status: 503,
      code: 'assets_missing',
      cause,
    });
  }
}

/** A script or style that can't end its element. The backslash has no effect in strings, patterns and CSS. */
const inElement = (text: string): string =>
  text.replaceAll(/<\/(?=script|style)/gi, String.raw`<\/`).replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');

/** Takes the editor's part: it sends the snapshot when the page is ready. */
const standIn = `
const snapshot = JSON.parse(document.getElementById('snapshot').textContent);
globalThis.acquireVsCodeApi = () => ({
  postMessage: ({ type, text }) => {
    if (type === 'ready') window.postMessage(snapshot, '*');
    if (type === 'copy') void navigator.clipboard?.writeText(text);
  },
  getState: () => undefined,
  setState: () => undefined,
});
`;

/** The colours that the page takes from the editor's theme: those of its standard light and dark themes. */
const light = {
  'badge-background': '#cccccc',
  'badge-foreground': '#3b3b3b',
  'button-background': '#005fb8',
  'button-foreground': '#ffffff',
  'button-secondaryBackground': '#e5e5e5',
  'button-secondaryForeground': '#3b3b3b',
  'charts-blue': '#0063d3',
  'charts-green': '#388a34',
  'charts-lines': 'rgba(59, 59, 59, 0.5)',
  'charts-orange': '#d18616',
  'charts-purple': '#652d90',
  'charts-red': '#e51400',
  'charts-yellow': '#bf8803',
  descriptionForeground: '#3b3b3b',
  'editor-background': '#ffffff',
  'editorWidget-background': '#f8f8f8',
  'editorWidget-foreground': '#3b3b3b',
  errorForeground: '#c72e0f',
  focusBorder: '#005fb8',
  foreground: '#3b3b3b',
  'inputValidation-warningBackground': '#f6f5d2',
  'inputValidation-warningBorder': '#b89500',
  'panel-border': '#e5e5e5',
  'progressBar-background': '#005fb8',
  'textCodeBlock-background': '#f8f8f8',
  'textLink-foreground': '#005fb8',
};
const dark: typeof light = {
  'badge-background': '#616161',
  'badge-foreground': '#f8f8f8',
  'button-background': '#0078d4',
  'button-foreground': '#ffffff',
  'button-secondaryBackground': '#313131',
  'button-secondaryForeground': '#cccccc',
  'charts-blue': '#59a4f9',
  'charts-green': '#89d185',
  'charts-lines': 'rgba(204, 204, 204, 0.5)',
  'charts-orange': '#d18616',
  'charts-purple': '#b180d7',
  'charts-red': '#f14c4c',
  'charts-yellow': '#cca700',
  descriptionForeground: '#9d9d9d',
  'editor-background': '#1f1f1f',
  'editorWidget-background': '#202020',
  'editorWidget-foreground': '#cccccc',
  errorForeground: '#f85149',
  focusBorder: '#0078d4',
  foreground: '#cccccc',
  'inputValidation-warningBackground': '#352a05',
  'inputValidation-warningBorder': '#b89500',
  'panel-border': '#2b2b2b',
  'progressBar-background': '#0078d4',
  'textCodeBlock-background': '#2b2b2b',
  'textLink-foreground': '#4daafc',
};
const variables = (theme: typeof light): string =>
  Object.entries(theme)
    .map(([name, value]) => `--vscode-${name}:${value};`)
    .join('');
const colours = `:root{--vscode-font-family:system-ui,sans-serif;--vscode-font-size:13px;color-scheme:light dark;${variables(light)}}
@media (prefers-color-scheme:dark){:root{${variables(dark)}}}
body{margin:0}`;
