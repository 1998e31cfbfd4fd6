import { CompletionItem, CompletionItemKind, Hover, l10n, languages, MarkdownString, SnippetString } from 'vscode';
import type { TextDocument } from 'vscode';
import type { DisposableStore } from '../../basics/lifetime.ts';
import { filesBeside } from '../reading/filesBeside.ts';
import type { WorkspaceIndex } from '../../folders/workspaceIndex.ts';
import type { LastRuns } from '../lenses/lastRuns.ts';
import { fileOf, ourFiles, rangeOf } from '../reading/openFiles.ts';
import type { DialPlan } from '../reading/phoneNumbers.ts';
import { suggest } from './completions.ts';
import { hoverAt } from './hovers.ts';
import type { Suggestion, SuggestionSource } from './suggestion.ts';

interface AssistParts extends Pick<SuggestionSource, 'template' | 'language'> {
  readonly index: WorkspaceIndex;
  readonly routes: () => DialPlan | undefined;
  readonly lastRuns: LastRuns;
}

const icons: Readonly<Record<Suggestion['icon'], CompletionItemKind>> = {
  state: CompletionItemKind.Reference,
  number: CompletionItemKind.Value,
  tag: CompletionItemKind.EnumMember,
  file: CompletionItemKind.File,
  folder: CompletionItemKind.Folder,
  column: CompletionItemKind.Variable,
  snippet: CompletionItemKind.Snippet,
  language: CompletionItemKind.EnumMember,
  key: CompletionItemKind.Property,
};

export function registerAssistance(
  { index, routes, lastRuns, template, language }: AssistParts,
  held: DisposableStore,
): void {
  held.add(
    languages.registerCompletionItemProvider(
      ourFiles,
      {
        async provideCompletionItems(document, position) {
          const file = fileOf(document);
          if (!file) return [];
          const found = await suggest(
            file,
            document.offsetAt(position),
            { ...filesBeside(document.uri), routes: routes(), files: await index.ready(), template, language },
            l10n,
          );
          return found.map((suggestion) => itemOf(document, suggestion));
        },
      },
      '"',
      '{',
      '/',
    ),
  );
  held.add(
    languages.registerHoverProvider(ourFiles, {
      async provideHover(document, position) {
        const file = fileOf(document);
        const found =
          file &&
          (await hoverAt(
            file,
            document.offsetAt(position),
            { routes: routes(), lastRuns: () => lastRuns.told(file) },
            l10n,
          ));
        return found && new Hover(new MarkdownString(found.markdown), rangeOf(document, found));
      },
    }),
  );
}

function itemOf(
  document: TextDocument,
  { label, icon, text, isSnippet = false, detail, documentation, sortText, goesOn = false, ...span }: Suggestion,
): CompletionItem {
  const item = new CompletionItem(label, icons[icon]);
  item.insertText = isSnippet ? new SnippetString(text) : text;
  item.range = rangeOf(document, span);
  // The typed text begins with a quote if the replaced text does.
  item.filterText = isSnippet ? label : text;
  if (detail !== undefined) item.detail = detail;
  if (documentation !== undefined) item.documentation = documentation;
  if (sortText !== undefined) item.sortText = sortText;
  if (goesOn) item.command = { title: '', command: 'editor.action.triggerSuggest' };
  return item;
}
