import type { DialPlan } from '../reading/phoneNumbers.ts';
import type { IndexedFile } from './workspaceIndex.ts';

/** What a folder holds: names, and whether each is a folder. */
export type FolderContent = ReadonlyMap<string, 'file' | 'folder'>;

/** What is looked at beside the file itself. */
export interface Surroundings {
  /** The dial plan; undefined where another machine has it. */
  readonly routes: DialPlan | undefined;
  /**
   * What lies in a folder, by its path from the file; undefined where there is no such folder. Rejects where that
   * cannot be told, as of a file that was never saved.
   */
  readonly list: (folder: string) => Promise<FolderContent | undefined>;
  readonly read: (path: string) => Promise<string>;
  /** Whether a path from the file stays within what the person has opened. */
  readonly reaches: (path: string) => boolean;
  /** Other files of the workspace whose id this is. */
  readonly filesWithId: (id: string) => readonly IndexedFile[];
  readonly newId: () => string;
}
