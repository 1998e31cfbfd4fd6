import type { JSONPath, Location } from 'jsonc-parser';
import type { L10n } from '../../basics/localise.ts';
import type { FolderContent } from '../reading/fileContext.ts';
import type { IndexedFile } from '../../folders/workspaceIndex.ts';
import type { ParsedFile } from '../../folders/parsedFile.ts';
import type { DialPlan } from '../reading/phoneNumbers.ts';
import type { TemplateName } from '../newFile.ts';

export interface Suggestion {
  readonly label: string;
  readonly icon: 'state' | 'number' | 'tag' | 'file' | 'folder' | 'column' | 'snippet' | 'language' | 'key';
  /** Replaces the text from `offset` to `offset + length`. */
  readonly text: string;
  readonly isSnippet?: boolean;
  readonly offset: number;
  readonly length: number;
  readonly detail?: string;
  readonly documentation?: string;
  readonly sortText?: string;
  /** Completion continues after it, for example inside a folder. */
  readonly goesOn?: boolean;
}

/** The range to replace: the typed text, or nothing. */
export interface ReplacedRange {
  readonly offset: number;
  readonly length: number;
  readonly path: JSONPath;
}

export interface Cursor {
  readonly file: ParsedFile;
  readonly offset: number;
  readonly location: Location;
  readonly slot: ReplacedRange;
  readonly source: SuggestionSource;
  readonly l10n: L10n;
}

export type Suggester = (cursor: Cursor) => Suggestion[] | Promise<Suggestion[]>;

/** What is known apart from the file. */
export interface SuggestionSource {
  readonly routes: DialPlan | undefined;
  readonly files: readonly IndexedFile[];
  /** The editor's language, BCP 47. */
  readonly language: string;
  readonly list: (folder: string) => Promise<FolderContent | undefined>;
  readonly read: (path: string) => Promise<string>;
  readonly template: (name: TemplateName) => Promise<string>;
}
