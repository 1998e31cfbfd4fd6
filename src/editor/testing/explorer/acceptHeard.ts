import { applyEdits, findNodeAtLocation, parseTree, type Edit } from 'jsonc-parser';
import { commands, l10n, Range, Uri, workspace, WorkspaceEdit } from 'vscode';
import type { HeardInstead } from '../../../model/tests/heardInstead.ts';
import type { DialogOptions, Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { DisposableStore } from '../../basics/lifetime.ts';

const scheme = 'dialtree-heard';

/** The file as it would be, for the diff editor. The query is the whole text. */
export function registerHeardDocuments(held: DisposableStore): void {
  held.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: ({ query }) => query }));
}

/** Returns the edits of a file with this text, or undefined if they don't fit. */
type EditsOf = (text: string) => readonly Edit[] | undefined;

/** Shows what would change in a file. Edits it if the user accepts that. Returns false if the edits don't fit by now. */
export async function offerEdits(
  uri: Uri,
  editsOf: EditsOf,
  { detail = '', ...asking }: Pick<DialogOptions, 'title' | 'placeHolder'> & { readonly detail?: string },
  dialogs: Pick<Dialogs, 'pick'>,
): Promise<boolean> {
  const document = await workspace.openTextDocument(uri);
  const before = document.getText();
  const shown = editsOf(before);
  if (!shown) return false;
  const changed = Uri.from({ scheme, path: uri.path, query: applyEdits(before, [...shown]) });
  await commands.executeCommand('vscode.diff', uri, changed, asking.title, { preview: true });
  // A notification would disappear while the user still reads.
  const choices = [{ label: l10n.t('Accept'), detail, value: true }];
  if ((await dialogs.pick(choices, { ...asking, ignoreFocusOut: true })) !== true) return true;
  const edits = editsOf(document.getText());
  if (!edits) return false;
  const edit = new WorkspaceEdit();
  for (const { offset, length, content } of edits)
    edit.replace(uri, new Range(document.positionAt(offset), document.positionAt(offset + length)), content);
  // The user saves their own unsaved changes.
  const wasSaved = !document.isDirty;
  const isApplied = await workspace.applyEdit(edit);
  // VS Code itself reports why it can't save, for example because the file was changed in the meantime.
  if (isApplied && wasSaved) await document.save();
  return isApplied;
}

/** Replaces the words of a step, if the file still expects them. */
export const acceptedWords =
  ({ step, expected }: HeardInstead, words: string): EditsOf =>
  (text) => {
    const root = parseTree(text, [], { allowTrailingComma: true });
    const node = root && findNodeAtLocation(root, ['steps', step, 'expectedTranscript']);
    return node?.value === expected ? [{ ...node, content: JSON.stringify(words) }] : undefined;
  };
