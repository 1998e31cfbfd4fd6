import type { ReadBeside } from '../../model/tests/testFile.ts';

/** A file of the workspace, as a run needs it. */
export interface TestSource {
  /** Names it in problems; its end tells its kind. */
  readonly file: string;
  /** Its text, as it stands in the editor where it is open. */
  read(): Promise<string>;
  /** Puts another text in its place, on the disk too. */
  write(text: string): Promise<void>;
  readonly readBeside: ReadBeside;
}
