import { commands, EventEmitter, l10n, Uri, window, workspace, type TextDocumentContentProvider } from 'vscode';
import { shownMessage } from '../../basics/errors.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';
import { guidePageOf, guidePathOf, type GuidePage } from './page.ts';

const pageScheme = 'dialtree-page';

interface Written {
  readonly title: string;
  readonly text: string;
}

/**
 * Guides as read-only Markdown documents, `dialtree-page:/guides/SLUG/NAME.md`, in the editor's own preview.
 */
export class PageDocuments implements TextDocumentContentProvider {
  readonly #client: Pick<ServiceClient, 'call'>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;
  /** The latest content, by address. */
  readonly #texts = new Map<string, string>();

  constructor(client: Pick<ServiceClient, 'call'>) {
    this.#client = client;
    this.#disposables.add(workspace.registerTextDocumentContentProvider(pageScheme, this));
  }

  /** Reads the page again and shows it. Rejects, and shows nothing, if it can't be read. */
  async open(page: GuidePage): Promise<void> {
    const { title, text } = await this.#write(page);
    const uri = Uri.from({ scheme: pageScheme, path: guidePathOf(page, title) });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    try {
      await commands.executeCommand('markdown.showPreview', uri);
    } catch {
      // The user can disable the editor's Markdown extension.
      await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    }
  }

  /** Call this if another service is in use from now on. */
  forget(): void {
    this.#texts.clear();
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const known = this.#texts.get(uri.toString());
    if (known !== undefined) return known;
    const page = guidePageOf(uri.path);
    if (!page) return '';
    try {
      return (await this.#write(page)).text;
    } catch (error) {
      // A preview that the editor restores can show the error only as its text.
      return shownMessage(error, l10n);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #write(page: GuidePage): Promise<Written> {
    const { writeGuide } = await import('./guidePage.ts');
    const guide = await this.#client.call('getGuide', { slug: page.slug });
    return { title: guide.title, text: writeGuide(guide, l10n) };
  }
}
