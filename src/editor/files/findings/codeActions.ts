import { CodeAction, CodeActionKind, languages, Uri, WorkspaceEdit } from 'vscode';
import type { CodeActionContext, TextDocument } from 'vscode';
import type { DisposableStore } from '../../basics/lifetime.ts';
import { ourFiles, fileUriOf, rangeOf } from '../reading/openFiles.ts';
import type { FileDiagnostics } from './fileDiagnostics.ts';
import type { FileFinding, Remedy } from './finding.ts';

/** Registers quick fixes for findings. `template` is the content of a new practice IVR. */
export function registerCodeActions(
  diagnostics: FileDiagnostics,
  template: () => Promise<string>,
  held: DisposableStore,
): void {
  held.add(
    languages.registerCodeActionsProvider(
      ourFiles,
      {
        async provideCodeActions(document, range, context): Promise<CodeAction[]> {
          const hit = diagnostics
            .of(document)
            .filter((finding) => rangeOf(document, finding).intersection(range) !== undefined);
          const actions = hit.flatMap((finding) =>
            (finding.remedies?.() ?? []).map((remedy) => actionOf(document, finding, remedy, context, template)),
          );
          return Promise.all(actions);
        },
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
  );
}

async function actionOf(
  document: TextDocument,
  finding: FileFinding,
  remedy: Remedy,
  { diagnostics }: CodeActionContext,
  template: () => Promise<string>,
): Promise<CodeAction> {
  const action = new CodeAction(remedy.title, CodeActionKind.QuickFix);
  action.diagnostics = diagnostics.filter(
    ({ code, range }) => code === finding.code && range.isEqual(rangeOf(document, finding)),
  );
  if (remedy.kind === 'run') {
    action.command = {
      title: remedy.title,
      command: remedy.command,
      ...(remedy.argument && { arguments: [remedy.argument] }),
    };
    return action;
  }
  action.edit = new WorkspaceEdit();
  if (remedy.kind === 'create') {
    const contents = new TextEncoder().encode(remedy.content ?? (await template()));
    action.edit.createFile(Uri.joinPath(fileUriOf(document.uri), '..', remedy.path), {
      ignoreIfExists: true,
      contents,
    });
  } else {
    action.isPreferred = remedy.isPreferred === true;
    for (const { content, ...span } of remedy.edits)
      action.edit.replace(document.uri, rangeOf(document, span), content);
  }
  return action;
}
