import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { commands, l10n, Range, Uri, workspace, WorkspaceEdit, type TextDocument } from 'vscode';
import type { HeardInstead } from '../../../model/tests/heardInstead.ts';
import type { Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { DisposableStore } from '../../basics/lifetime.ts';

const scheme = 'dialtree-heard';

/** The file as it would be, for the diff editor. The query is the whole text. */
export function registerHeardDocuments(held: DisposableStore): void {
  held.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: ({ query }) => query }));
}

/**
 * Shows what would change in the file. Changes it if the user accepts that. Returns false if the file expects other words
 * by now.
 */
export async function offerAccepted(
  uri: Uri,
  found: HeardInstead,
  text: string,
  dialogs: Pick<Dialogs, 'pick'>,
): Promise<boolean> {
  const document = await workspace.openTextDocument(uri);
  const node = wordsIn(document, found);
  if (!node) return false;
  const before = document.getText();
  const after = before.slice(0, node.offset) + JSON.stringify(text) + before.slice(node.offset + node.length);
  const changed = Uri.from({ scheme, path: uri.path, query: after });
  await commands.executeCommand('vscode.diff', uri, changed, l10n.t('Accept What Was Heard'), { preview: true });
  // A notification would disappear while the user still reads.
  const accept = await dialogs.pick([{ label: l10n.t('Accept'), value: () => replaceWords(uri, found, text) }], {
    title: l10n.t('Accept What Was Heard'),
    placeHolder: l10n.t('Use these words in the test from now on?'),
    ignoreFocusOut: true,
  });
  return accept === undefined || accept();
}

/** Replaces the words of a step. Comments and layout stay. Returns false if the file expects other words by now. */
export async function replaceWords(uri: Uri, found: HeardInstead, text: string): Promise<boolean> {
  const document = await workspace.openTextDocument(uri);
  const node = wordsIn(document, found);
  if (!node) return false;
  const edit = new WorkspaceEdit();
  const range = new Range(document.positionAt(node.offset), document.positionAt(node.offset + node.length));
  edit.replace(uri, range, JSON.stringify(text));
  // The user saves their own unsaved changes.
  const wasSaved = !document.isDirty;
  const isApplied = await workspace.applyEdit(edit);
  // VS Code itself reports why it can't save, for example because the file was changed in the meantime.
  if (isApplied && wasSaved) await document.save();
  return isApplied;
}

function wordsIn(document: TextDocument, { step, expected }: HeardInstead): Node | undefined {
  const root = parseTree(document.getText(), [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, ['steps', step, 'expectedTranscript']);
  return node?.value === expected ? node : undefined;
}
