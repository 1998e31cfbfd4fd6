import type { PlannedCalls } from '../../../contract/callPlan.ts';
import type { EnvironmentChoice } from '../../../model/tests/environment.ts';
import type { DialPlan } from './phoneNumbers.ts';
import type { IndexedFile } from '../../folders/workspaceIndex.ts';

/** The content of a folder: names, and whether each is a folder. */
export type FolderContent = ReadonlyMap<string, 'file' | 'folder'>;

export interface FileContext {
  /** The dial plan, or undefined if it is on another machine. */
  readonly routes: DialPlan | undefined;
  /**
   * Lists a folder, by its path from the file, or returns undefined if it doesn't exist. Rejects if it can't be read,
   * as for an unsaved file.
   */
  readonly list: (folder: string) => Promise<FolderContent | undefined>;
  readonly read: (path: string) => Promise<string>;
  readonly environment?: EnvironmentChoice | undefined;
  /** Returns true if a path from the file stays within the folders that the user has opened. */
  readonly reaches: (path: string) => boolean;
  readonly filesWithId: (id: string) => readonly IndexedFile[];
  readonly newId: () => string;
  /** Returns which parts of an acceptance criterion only a language model could judge, if the service has none. */
  readonly criterion: (acceptance: string) => Pick<PlannedCalls, 'unjudged' | 'asChecks'>;
}
