import type { TestSource } from '../folders/testSource.ts';

/** What a file of the editor's menus is, and what commands may name. */
export type FileArgument =
  { readonly file: string } | { readonly scheme: string; readonly authority: string; readonly path: string };
/** Kinds of files by the end of their names. */
export type FileSuffix = '.calltree.json' | '.ivr.json' | '.calltest.json' | '.mission.json';

/** What trees are exported as. */
export type ExportSuffix = '.mmd' | '.dot' | '.csv' | '.svg' | '.png';

/** The path with this suffix in the place of the file type that a dialog has put there. */
export function withSuffix(path: string, suffix: FileSuffix | ExportSuffix): string {
  const type = suffix.slice(suffix.lastIndexOf('.'));
  return path.endsWith(suffix) ? path : `${path.endsWith(type) ? path.slice(0, -type.length) : path}${suffix}`;
}

/** Files by their URIs, as commands on trees find, read and make them. */
export interface TreeFiles {
  /** Files of the workspace. */
  find(...suffixes: readonly FileSuffix[]): Promise<string[]>;
  uriOf(file: FileArgument): string;
  /** As a person reads it: relative to the workspace. */
  label(uri: string): string;
  source(uri: string): TestSource;
  /** The path from a folder to a file, with forward slashes; undefined where there is none. */
  relative(folder: string, uri: string): string | undefined;
  beside(folder: string, name: string): string;
  folderOf(uri: string): string;
  exists(uri: string): Promise<boolean>;
  write(uri: string, content: string | Uint8Array): Promise<void>;
  /** Asks the person for a folder. */
  askFolder(title: string): Promise<string | undefined>;
  /** Asks for a file to be written; whether one that is there may be replaced has been asked too. */
  askNewFile(title: string, name: string, suffix: FileSuffix | ExportSuffix): Promise<string | undefined>;
}
