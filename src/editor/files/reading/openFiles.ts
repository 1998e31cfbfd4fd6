import { Position, Range, workspace } from 'vscode';
import type { DocumentSelector, TextDocument, Uri } from 'vscode';
import { kindOf, parseFile } from './parsedFile.ts';
import type { ParsedFile } from './parsedFile.ts';
import type { Span } from './span.ts';

/** By name alone: the language of a file may be another where somebody chose so. */
export const ourFiles: DocumentSelector = { pattern: '**/*.{mission,calltest,ivr,calltree}.json' };

const parsed = new WeakMap<TextDocument, { readonly version: number; readonly file: ParsedFile }>();

/** A document as a file of ours, read once for each of its versions. */
export function fileOf(document: TextDocument): ParsedFile | undefined {
  const kind = kindOf(document.uri.path);
  if (!kind) return undefined;
  const known = parsed.get(document);
  if (known?.version === document.version) return known.file;
  const file = parseFile(kind, document.uri.toString(), document.getText());
  parsed.set(document, { version: document.version, file });
  return file;
}

/** Files that somebody works on: not the other side of a difference, nor what lies in packages. */
export const isWorkedOn = (uri: Uri): boolean =>
  kindOf(uri.path) !== undefined &&
  !uri.path.includes('/node_modules/') &&
  (uri.scheme === 'file' || uri.scheme === 'untitled' || workspace.getWorkspaceFolder(uri) !== undefined);

export const rangeOf = (document: TextDocument, { offset, length }: Span): Range =>
  new Range(document.positionAt(offset), document.positionAt(offset + length));

/** Where a file lies, or will when it is saved. */
export const placeOf = (uri: Uri): Uri =>
  uri.scheme === 'untitled' && uri.path.startsWith('/') ? uri.with({ scheme: 'file' }) : uri;

/** The first characters of a file that is not open. */
export const fileStart = new Range(new Position(0, 0), new Position(0, 0));
