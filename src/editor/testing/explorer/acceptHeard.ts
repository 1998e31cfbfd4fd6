import { findNodeAtLocation, parseTree, type Edit } from 'jsonc-parser';
import { commands, l10n, Range, TabInputTextDiff, Uri, window, workspace, WorkspaceEdit, type Tab } from 'vscode';
import type { HeardInstead } from '../../../model/tests/heardInstead.ts';
import type { DialogOptions, Dialogs } from '../../basics/dialogs/dialogs.ts';
import type { DisposableStore } from '../../basics/lifetime.ts';

const scheme = 'dialtree-heard';

/** What would change in a file, for the diff editor. The query is the whole text. */
export function registerHeardDocuments(held: DisposableStore): void {
  held.add(workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: ({ query }) => query }));
}

/** Returns the edits of a file with this text, or undefined if they don't fit. */
type EditsOf = (text: string) => readonly Edit[] | undefined;

/** Shows what would change in a file until the user decides. Returns false if the edits don't fit by now. */
export async function offerEdits(
  uri: Uri,
  editsOf: EditsOf,
  { detail = '', ...asking }: Pick<DialogOptions, 'title' | 'placeHolder'> & { readonly detail?: string },
  dialogs: Pick<Dialogs, 'pick'>,
): Promise<boolean> {
  const before = (await workspace.openTextDocument(uri)).getText();
  const shown = editsOf(before);
  if (!shown) return false;
  // The diff editor doesn't wrap lines.
  const side = (pieces: readonly string[]): Uri =>
    Uri.from({ scheme, path: `${uri.path}.txt`, query: pieces.join('\n\n').replaceAll(/(?<=[.,:;!?]) +/g, '\n') });
  const changed = side(shown.map(({ content }) => content));
  const original = side(shown.map(({ offset, length }) => before.slice(offset, offset + length)));
  // As a preview, it would take the place of the file in front.
  await commands.executeCommand('vscode.diff', original, changed, asking.title, { preview: false });
  // A notification would disappear while the user still reads.
  const choices = [{ label: l10n.t('Accept'), detail, value: true }];
  const accepts = await dialogs.pick(choices, { ...asking, ignoreFocusOut: true });
  const isDiff = ({ input }: Tab): boolean =>
    input instanceof TabInputTextDiff && String(input.modified) === String(changed);
  await window.tabGroups.close(window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isDiff)));
  if (accepts !== true) return true;
  const document = await workspace.openTextDocument(uri);
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
  if (isApplied) window.setStatusBarMessage(l10n.t('$(check) Changed {0}', workspace.asRelativePath(uri)), 5_000);
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
