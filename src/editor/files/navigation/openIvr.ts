import { Uri, window, workspace } from 'vscode';
import { parseFile, type ParsedFile } from '../../folders/parsedFile.ts';
import { rangeOf } from '../reading/openFiles.ts';
import type { Span } from '../reading/span.ts';

/** Opens a practice IVR's file, with a part of it selected. */
export async function openIvr(path: string, part: (file: ParsedFile) => Span): Promise<void> {
  const document = await workspace.openTextDocument(Uri.file(path));
  const file = parseFile('ivr', document.uri.toString(), document.getText());
  await window.showTextDocument(document, { selection: rangeOf(document, part(file)) });
}
