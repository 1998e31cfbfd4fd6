import { Uri, window, workspace } from 'vscode';
import { parseFile, type ParsedFile } from '../../folders/parsedFile.ts';
import { rangeOf } from '../reading/openFiles.ts';
import type { TextSpan } from '../reading/span.ts';

export async function openIvr(path: string, part: (file: ParsedFile) => TextSpan): Promise<void> {
  const document = await workspace.openTextDocument(Uri.file(path));
  const file = parseFile('ivr', document.uri.toString(), document.getText());
  await window.showTextDocument(document, { selection: rangeOf(document, part(file)) });
}
