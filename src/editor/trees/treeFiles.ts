import type { FileKindName } from '../folders/parsedFile.ts';
import type { TestSource } from '../folders/testSource.ts';

/** A file from the editor's menus, or from a command's argument. */
export type FileArgument =
  { readonly file: string } | { readonly scheme: string; readonly authority: string; readonly path: string };
export type FileSuffix = `.${FileKindName}.json`;

export type ExportSuffix = '.mmd' | '.dot' | '.csv' | '.svg' | '.png' | '.html';

/** Replaces the file type that a dialog has added with this suffix. */
export function withSuffix(path: string, suffix: FileSuffix | ExportSuffix): string {
  const type = suffix.slice(suffix.lastIndexOf('.'));
  return path.endsWith(suffix) ? path : `${path.endsWith(type) ? path.slice(0, -type.length) : path}${suffix}`;
}

/** How commands on trees find, read and create files, by URI. */
export interface TreeFiles {
  find(...kinds: readonly FileKindName[]): Promise<string[]>;
  uriOf(file: FileArgument): string;
  /** Returns the path for the user, relative to the workspace. */
  label(uri: string): string;
  source(uri: string): TestSource;
  /** Returns the path from a folder to a file, with forward slashes, or undefined if there is none. */
  relative(folder: string, uri: string): string | undefined;
  beside(folder: string, name: string): string;
  folderOf(uri: string): string;
  /** The first folder of the workspace. */
  home(): string | undefined;
  exists(uri: string): Promise<boolean>;
  write(uri: string, content: string | Uint8Array): Promise<void>;
  askFolder(title: string): Promise<string | undefined>;
  /** Asks for a new file, and whether an existing one may be replaced. */
  askNewFile(title: string, name: string, suffix: FileSuffix | ExportSuffix): Promise<string | undefined>;
}
