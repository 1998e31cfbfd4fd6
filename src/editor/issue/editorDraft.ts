import { Selection, window, workspace } from 'vscode';

/** A text that the user reads and can change. */
interface Draft {
  text(): string;
  save(): unknown;
}

/** Opens text as an unsaved Markdown document, with the cursor at its first gap. */
export async function openDraft(text: string): Promise<Draft> {
  const document = await workspace.openTextDocument({ language: 'markdown', content: text });
  const editor = await window.showTextDocument(document, { preview: false });
  const room = document.positionAt(Math.max(0, text.indexOf('\n…')) + 1);
  editor.selection = new Selection(room, room.translate(0, 1));
  return { text: () => document.getText(), save: () => document.save() };
}
