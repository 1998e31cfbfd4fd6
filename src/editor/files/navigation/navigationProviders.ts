import { DocumentLink, DocumentSymbol, l10n, languages, Location, SymbolKind, Uri, WorkspaceEdit } from 'vscode';
import type { DocumentSymbolProvider, LocationLink, TextDocument } from 'vscode';
import type { DisposableStore } from '../../basics/lifetime.ts';
import { fileOf, ourFiles, fileUriOf, rangeOf } from '../reading/openFiles.ts';
import type { ParsedFile } from '../../folders/parsedFile.ts';
import { fileLinks } from './fileLinks.ts';
import { outlineOf, type OutlineEntry } from './outline.ts';
import { renamed, renameState, stateDefinition, stateReferences } from './stateNavigation.ts';

const icons: Readonly<Record<OutlineEntry['icon'], SymbolKind>> = {
  state: SymbolKind.Object,
  way: SymbolKind.Key,
  step: SymbolKind.Event,
  row: SymbolKind.Array,
  text: SymbolKind.String,
  menu: SymbolKind.Object,
};

export function registerNavigation(held: DisposableStore): void {
  const states = { pattern: '**/*.ivr.json' };
  held.add(
    languages.registerDefinitionProvider(states, {
      provideDefinition: (document, position): LocationLink[] => {
        const file = fileOf(document);
        const found = file && stateDefinition(file, document.offsetAt(position));
        return found
          ? [
              {
                originSelectionRange: rangeOf(document, found.origin),
                targetUri: document.uri,
                targetRange: rangeOf(document, found.whole),
                targetSelectionRange: rangeOf(document, found.target),
              },
            ]
          : [];
      },
    }),
  );
  held.add(
    languages.registerReferenceProvider(states, {
      provideReferences: (document, position, { includeDeclaration }) =>
        within(document, (file) =>
          stateReferences(file, document.offsetAt(position), includeDeclaration).map(
            (span) => new Location(document.uri, rangeOf(document, span)),
          ),
        ),
    }),
  );
  held.add(
    languages.registerRenameProvider(states, {
      prepareRename(document, position) {
        const file = fileOf(document);
        const found = file && renamed(file, document.offsetAt(position), l10n);
        return found && { range: rangeOf(document, found), placeholder: found.name };
      },
      provideRenameEdits(document, position, name) {
        const edit = new WorkspaceEdit();
        const file = fileOf(document);
        for (const { content, ...span } of file ? renameState(file, document.offsetAt(position), name, l10n) : [])
          edit.replace(document.uri, rangeOf(document, span), content);
        return edit;
      },
    }),
  );
  const symbols: DocumentSymbolProvider = {
    provideDocumentSymbols: (document) =>
      within(document, (file) => outlineOf(file, l10n).map((entry) => symbolOf(document, entry))),
  };
  held.add(languages.registerDocumentSymbolProvider(ourFiles, symbols, { label: 'Dialtree' }));
  held.add(
    languages.registerDocumentLinkProvider(ourFiles, {
      provideDocumentLinks: (document) =>
        within(document, (file) =>
          fileLinks(file).map(
            ({ path, ...span }) =>
              new DocumentLink(rangeOf(document, span), Uri.joinPath(fileUriOf(document.uri), '..', path)),
          ),
        ),
    }),
  );
}

function within<T>(document: TextDocument, look: (file: ParsedFile) => T[]): T[] {
  const file = fileOf(document);
  return file ? look(file) : [];
}

function symbolOf(
  document: TextDocument,
  { name, detail, icon, whole, named, children }: OutlineEntry,
): DocumentSymbol {
  const symbol = new DocumentSymbol(name, detail, icons[icon], rangeOf(document, whole), rangeOf(document, named));
  symbol.children = children.map((child) => symbolOf(document, child));
  return symbol;
}
