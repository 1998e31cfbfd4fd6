import type { Location } from 'jsonc-parser';
import type { L10n } from '../../basics/localise.ts';
import type { FolderContent } from '../index/surroundings.ts';
import type { IndexedFile } from '../index/workspaceIndex.ts';
import type { ParsedFile } from '../reading/parsedFile.ts';
import type { DialPlan } from '../reading/phoneNumbers.ts';
import type { Slot } from './slot.ts';

export interface Suggestion {
  readonly label: string;
  readonly icon: 'state' | 'number' | 'tag' | 'file' | 'folder' | 'column' | 'snippet' | 'language' | 'key';
  /** What is put in the place of `offset` … `offset + length`. */
  readonly text: string;
  readonly isSnippet?: boolean;
  readonly offset: number;
  readonly length: number;
  readonly detail?: string;
  readonly documentation?: string;
  /** Suggestions are listed by it. */
  readonly sortText?: string;
  /** More is chosen after it, as what is in a folder. */
  readonly goesOn?: boolean;
}

/** A place in a file where something is typed, and what is known there. */
export interface Cursor {
  readonly file: ParsedFile;
  readonly offset: number;
  readonly location: Location;
  readonly slot: Slot;
  readonly source: SuggestionSource;
  readonly l10n: L10n;
}

export type Suggester = (cursor: Cursor) => Suggestion[] | Promise<Suggestion[]>;

/** What is known beside the file. */
export interface SuggestionSource {
  readonly routes: DialPlan | undefined;
  readonly files: readonly IndexedFile[];
  /** BCP 47, of the editor. */
  readonly language: string;
  readonly list: (folder: string) => Promise<FolderContent | undefined>;
  readonly read: (path: string) => Promise<string>;
}
