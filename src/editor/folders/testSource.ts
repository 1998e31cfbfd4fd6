import type { EnvironmentChoice, ReadBeside } from '../../model/tests/environment.ts';
import { readTestFile } from '../../model/tests/testFile.ts';

export interface TestSource {
  /** The name in problems. Its extension shows the kind. */
  readonly file: string;
  /** Its absolute path, or its URI if it isn't on a disk. */
  readonly path: string;
  /** Returns its text, as it is in the editor if it is open. */
  read(): Promise<string>;
  /** Replaces its text, also on the disk. */
  write(text: string): Promise<void>;
  readonly readBeside: ReadBeside;
  /** Undefined: the defaults, and no secrets. */
  readonly environment?: EnvironmentChoice | undefined;
}

/** Reads a test file in its environment. Rejects if its text can't be read. */
export const readTest = async ({
  file,
  read,
  readBeside,
  environment,
}: Pick<TestSource, 'file' | 'read' | 'readBeside' | 'environment'>): ReturnType<typeof readTestFile> =>
  readTestFile(await read(), file, readBeside, environment);
