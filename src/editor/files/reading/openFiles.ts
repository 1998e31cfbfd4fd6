import { Position, Range, type DocumentSelector, type TextDocument, type Uri } from 'vscode';
import { kindOf, parseFile, type ParsedFile } from '../../folders/parsedFile.ts';
import type { TextSpan } from './span.ts';

/** By name only, because the user can choose another language for a file. */
export const ourFiles: DocumentSelector = { pattern: '**/*.{mission,calltest,probe,ivr,calltree}.json' };

const parsed = new WeakMap<TextDocument, { readonly version: number; readonly file: ParsedFile }>();

/** Returns a document as a Dialtree file, parsed once per version. */
export function fileOf(document: TextDocument): ParsedFile | undefined {
  const kind = kindOf(document.uri.path);
  if (!kind) return undefined;
  const known = parsed.get(document);
  if (known?.version === document.version) return known.file;
  const file = parseFile(kind, document.uri.toString(), document.getText());
  parsed.set(document, { version: document.version, file });
  return file;
}

export const rangeOf = (document: TextDocument, { offset, length }: TextSpan): Range =>
  new Range(document.positionAt(offset), document.positionAt(offset + length));

/** Returns where a file is, or will be when it is saved. */
export const fileUriOf = (uri: Uri): Uri =>
  uri.scheme === 'untitled' && uri.path.startsWith('/') ? uri.with({ scheme: 'file' }) : uri;

/** The beginning of a file that isn't open. */
export const fileStart = new Range(new Position(0, 0), new Position(0, 0));
