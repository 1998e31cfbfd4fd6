import { escapeMarkup } from '../../../base/escape.ts';
import { jsonInElement } from '../../../base/savedPage.ts';

interface PanelPage {
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
  readonly language: string;
  /** The page's texts by their English wording, or undefined if it is in English. */
  readonly texts: Readonly<Record<string, string>> | undefined;
  readonly title: string;
  /** The id of what the page shows. */
  readonly subject: string;
}

/** Returns the HTML around the webview's script. Everything loads from the page's own folder. */
export function panelHtml(page: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource} 'nonce-${page.nonce}'`,
    `font-src ${page.cspSource}`,
    `img-src ${page.cspSource} data:`,
    'media-src blob:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeMarkup(page.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" nonce="${page.nonce}" href="${escapeMarkup(page.style)}">
<title>${escapeMarkup(page.title)}</title>
</head>
<body>
<div id="app" data-subject="${escapeMarkup(page.subject)}"></div>
<script id="l10n" type="application/json">${jsonInElement(page.texts ?? {})}</script>
<script nonce="${page.nonce}" type="module" src="${escapeMarkup(page.script)}"></script>
</body>
</html>
`;
}
