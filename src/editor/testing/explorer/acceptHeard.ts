import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { l10n, Range, workspace, WorkspaceEdit, type Uri } from 'vscode';
import type { HeardInstead } from '../../../model/tests/heardInstead.ts';

/** Shows the change of a step's words in the editor's preview. The user applies it there. Comments and layout stay. */
export async function previewAccepted(uri: Uri, { step, expected }: HeardInstead, text: string): Promise<boolean> {
  const document = await workspace.openTextDocument(uri);
  const root = parseTree(document.getText(), [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, ['steps', step, 'expectedTranscript']);
  if (node?.value !== expected) return false;
  const range = new Range(document.positionAt(node.offset), document.positionAt(node.offset + node.length));
  const edit = new WorkspaceEdit();
  edit.replace(uri, range, JSON.stringify(text), {
    needsConfirmation: true,
    label: l10n.t('Accept What Was Heard'),
  });
  return workspace.applyEdit(edit);
}
