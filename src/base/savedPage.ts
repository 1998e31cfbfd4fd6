import { escapeMarkup } from './escape.ts';
import { pageColours } from './pageColours.ts';

/** A page of the editor as it is built, and its texts. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  readonly language?: string;
  /** By their English wording, if the page isn't in English. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

interface SavedPage extends PageFiles {
  readonly title: string;
  /** The id of what the page shows. */
  readonly subject: string;
  /** What the page receives from the editor. */
  readonly snapshot: object;
  /** Random, for this file only. */
  readonly nonce: string;
  /** The recording that the page can play: a WAV file in Base64. */
  readonly wav?: string | undefined;
}

/** Returns a page of the editor as one HTML file that needs neither the editor nor a network, and can't reach either. */
export function savedPage({ language = 'en', ...page }: SavedPage): string {
  const { nonce } = page;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; media-src blob:; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(page.title)}</title>
<style>${pageColours}
${inElement(page.style)}</style>
</head>
<body>
<div id="app" data-subject="${escapeMarkup(page.subject)}"></div>
<script id="l10n" type="application/json">${jsonInElement(page.texts ?? {})}</script>
<script id="snapshot" type="application/json">${jsonInElement(page.snapshot)}</script>
<script id="wav" type="text/plain">${page.wav ?? ''}</script>
<script nonce="${nonce}">${standIn}</script>
<script nonce="${nonce}">${inElement(page.script)}</script>
</body>
</html>
`;
}

/** Returns JSON that can't end the element around it. */
export const jsonInElement = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A script or style that can't end its element. The backslash has no effect in strings, patterns and CSS. */
const inElement = (text: string): string =>
  text.replaceAll(/<\/(?=script|style)/gi, String.raw`<\/`).replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');

/** Takes the editor's part: it sends the snapshot when the page is ready, and the recording on request. */
const standIn = `
const textOf = (id) => document.getElementById(id).textContent;
const wav = () => {
  const text = atob(textOf('wav'));
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
};
globalThis.acquireVsCodeApi = () => ({
  postMessage: ({ type, text }) => {
    if (type === 'ready') window.postMessage(JSON.parse(textOf('snapshot')), '*');
    if (type === 'requestAudio') window.postMessage({ type: 'audio', wav: wav() }, '*');
    if (type === 'copy') void navigator.clipboard?.writeText(text);
  },
  getState: () => undefined,
  setState: () => undefined,
});
`;
