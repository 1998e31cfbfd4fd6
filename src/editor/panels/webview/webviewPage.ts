import { randomBytes } from 'node:crypto';
import { env, l10n, Uri, workspace, type WebviewPanel } from 'vscode';
import type { PageFiles } from '../../../base/savedPage.ts';
import { panelHtml } from './panelHtml.ts';
import type { PageName } from './sentMessages.ts';

interface ShownPage {
  readonly page: PageName;
  readonly title: string;
  /** The id of what it shows, which the page keeps for a restored window. */
  readonly subject: string;
}

export const pageOptions = (extensionUri: Uri): { enableScripts: boolean; localResourceRoots: Uri[] } => ({
  enableScripts: true,
  localResourceRoots: [folderOf(extensionUri)],
});

const folderOf = (extensionUri: Uri): Uri => Uri.joinPath(extensionUri, 'dist', 'webview');

/** Shows a page in a panel. Its host must already listen, because the page speaks immediately. */
export function showPage(
  { webview }: Pick<WebviewPanel, 'webview'>,
  extensionUri: Uri,
  { page, title, subject }: ShownPage,
): void {
  const part = (name: string): string => webview.asWebviewUri(Uri.joinPath(folderOf(extensionUri), name)).toString();
  webview.html = panelHtml({
    cspSource: webview.cspSource,
    script: part(`${page}.js`),
    style: part(`${page}.css`),
    nonce: randomBytes(16).toString('hex'),
    language: env.language,
    texts: l10n.bundle,
    title,
    subject,
  });
}

/** Reads what a page saved as a file needs. */
export async function readPageFiles(extensionUri: Uri, page: PageName): Promise<PageFiles> {
  const read = async (name: string): Promise<string> =>
    new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(folderOf(extensionUri), name)));
  const [script, style] = await Promise.all([read(`${page}.js`), read(`${page}.css`)]);
  return { script, style, language: env.language, texts: l10n.bundle };
}
