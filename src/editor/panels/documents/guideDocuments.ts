import { commands, EventEmitter, l10n, Uri, window, workspace, type TextDocumentContentProvider } from 'vscode';
import { shownMessage } from '../../basics/errors.ts';
import { DisposableStore } from '../../basics/lifetime.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

const guideScheme = 'dialtree-page';

/**
 * Guides as read-only Markdown documents, `dialtree-page:/guides/SLUG/NAME.md`, in the editor's own preview.
 */
export class GuideDocuments implements TextDocumentContentProvider {
  readonly #client: Pick<ServiceClient, 'call'>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;

  constructor(client: Pick<ServiceClient, 'call'>) {
    this.#client = client;
    this.#disposables.add(workspace.registerTextDocumentContentProvider(guideScheme, this));
  }

  /** Shows a guide as it is now. Rejects, and shows nothing, if it can't be read. */
  async open(slug: string): Promise<void> {
    const { title } = await this.#client.call('getGuide', { slug });
    // The tab has the last part of the path as its name. Slashes would be read as folders.
    const name = title.replaceAll(/[/\\?#%]/g, '-');
    const uri = Uri.from({ scheme: guideScheme, path: `/guides/${slug}/${name}.md` });
    this.#changed.fire(uri);
    try {
      await commands.executeCommand('markdown.showPreview', uri);
    } catch {
      // The user can disable the editor's Markdown extension.
      await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    }
  }

  async provideTextDocumentContent({ path }: Uri): Promise<string> {
    const [, , slug = ''] = path.split('/');
    try {
      const { writeGuide } = await import('./guidePage.ts');
      return writeGuide(await this.#client.call('getGuide', { slug }), l10n);
    } catch (error) {
      // A preview that the editor restores can show the error only as its text.
      return shownMessage(error, l10n);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
