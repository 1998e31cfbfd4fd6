import { commands, EventEmitter, l10n, Uri, workspace, type TextDocumentContentProvider } from 'vscode';
import { shownMessage } from '../basics/errors.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import type { MappingStore } from '../store/mappingStore.ts';
import type { ComparedTrees } from './compareTrees.ts';
import { outlineQuery, outlineText, readOutlineQuery, type OutlineDocument } from './comparedTrees.ts';
import type { TreePlace, TreeSource } from './treeSource.ts';

const outlineScheme = 'dialtree-outline';

/**
 * The two sides of a comparison as read-only documents, `dialtree-outline:/NAME.txt`. An open one follows its run, or
 * its file when that is saved.
 */
export class OutlineDocuments implements TextDocumentContentProvider {
  readonly #read: (place: TreePlace) => Promise<TreeSource>;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;

  constructor(store: Pick<MappingStore, 'onDidChange'>, read: (place: TreePlace) => Promise<TreeSource>) {
    this.#read = read;
    this.#disposables.add(workspace.registerTextDocumentContentProvider(outlineScheme, this));
    this.#disposables.add(
      store.onDidChange((change) =>
        this.#follow((place) => 'jobId' in place && (change === undefined || place.jobId === change.jobId)),
      ),
    );
    this.#disposables.add(
      workspace.onDidSaveTextDocument(({ uri }) =>
        this.#follow((place) => 'uri' in place && place.uri === uri.toString()),
      ),
    );
  }

  /** Shows both sides in the editor's own diff editor. */
  async open(
    base: TreePlace,
    current: TreePlace,
    { baseTitle, currentTitle }: Pick<ComparedTrees, 'baseTitle' | 'currentTitle'>,
  ): Promise<void> {
    await commands.executeCommand(
      'vscode.diff',
      uriOf(baseTitle, { base, current, side: 'base' }),
      uriOf(currentTitle, { base, current, side: 'current' }),
      `${baseTitle} ↔ ${currentTitle}`,
    );
  }

  async provideTextDocumentContent({ query }: Uri): Promise<string> {
    const document = readOutlineQuery(query);
    if (!document) return '';
    try {
      return await outlineText(document, this.#read);
    } catch (error) {
      // A restored editor can show the error only as its text.
      return shownMessage(error, l10n);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #follow(isAbout: (place: TreePlace) => boolean): void {
    for (const { uri } of workspace.textDocuments) {
      const document = uri.scheme === outlineScheme ? readOutlineQuery(uri.query) : undefined;
      if (document && [document.base, document.current].some(isAbout)) this.#changed.fire(uri);
    }
  }
}

/** Slashes would be read as folders. */
const uriOf = (title: string, document: OutlineDocument): Uri =>
  Uri.from({ scheme: outlineScheme, path: `/${title.replaceAll(/[/\\?#]/g, '-')}.txt`, query: outlineQuery(document) });
