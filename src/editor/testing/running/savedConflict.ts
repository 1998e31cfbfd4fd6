import { commands, EventEmitter, l10n, Uri, window, workspace, type Disposable } from 'vscode';
import type { StoredTest } from '../../../client/savedTestApi.ts';
import { DisposableStore } from '../../basics/lifetime.ts';

const scheme = 'dialtree-saved';

/** Asks before a file replaces a test that was changed on the service, and shows the differences. */
export class SavedConflict implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<Uri>());
  readonly #texts = new Map<string, string>();
  #registered = false;

  async mayReplace(theirs: StoredTest, file: string): Promise<boolean> {
    const replace = l10n.t('Replace with File');
    const compare = l10n.t('Compare');
    const question = l10n.t(
      "The version of “{0}” on the service differs from the file, and it wasn't saved from this editor.",
      theirs.name,
    );
    const detail = l10n.t(
      "If you replace the version on the service, you lose the changes made there. If you keep it, the test doesn't run.",
    );
    const answer = await window.showWarningMessage(question, { modal: true, detail }, replace, compare);
    if (answer !== compare) return answer === replace;
    await this.#compare(theirs, Uri.parse(file));
    // Asked while the difference is visible.
    return (await window.showWarningMessage(question, replace, l10n.t('Keep Service Version'))) === replace;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #compare(theirs: StoredTest, file: Uri): Promise<void> {
    if (!this.#registered) {
      this.#registered = true;
      this.#disposables.add(
        workspace.registerTextDocumentContentProvider(scheme, {
          onDidChange: this.#changed.event,
          provideTextDocumentContent: ({ path }) => this.#texts.get(path) ?? '',
        }),
      );
    }
    const { createdAt: _createdAt, updatedAt: _updatedAt, profileId: _profileId, ...shown } = theirs;
    const uri = Uri.from({ scheme, path: `/${theirs.id}.json` });
    this.#texts.set(uri.path, `${JSON.stringify(shown, undefined, 2)}\n`);
    this.#changed.fire(uri);
    await commands.executeCommand('vscode.diff', uri, file, l10n.t('{0}: service ↔ file', theirs.name), {
      preview: true,
    });
  }
}
