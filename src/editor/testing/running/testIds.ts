import { withId } from '../../../model/files/fileId.ts';
import type { FileProblem } from '../../../model/files/fileProblem.ts';
import { readTestFile, type TestFile } from '../../../model/tests/testFile.ts';
import type { TestSource } from '../../folders/testSource.ts';

type IdentifiedFile = { readonly file: TestFile; readonly id: string } | { readonly problems: readonly FileProblem[] };

/**
 * Reads files whose tests will run. A file without an id gets one, which identifies the test for the service, reports
 * and baselines.
 */
export class TestIds {
  readonly #newId: () => string;
  readonly #reading = new Map<string, Promise<unknown>>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Rejects as reading and writing the file do. */
  async read(source: TestSource): Promise<IdentifiedFile> {
    // One after the other: if two runs begin at the same time, the second finds the id that the first has written.
    const before = this.#reading.get(source.file) ?? Promise.resolve();
    const reading = before.then(() => this.#read(source));
    const settled = reading.then(
      () => undefined,
      () => undefined,
    );
    this.#reading.set(source.file, settled);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(source.file) === settled) this.#reading.delete(source.file);
    }
  }

  async #read(source: TestSource): Promise<IdentifiedFile> {
    const text = await source.read();
    const read = await readTestFile(text, source.file, source.readBeside);
    if ('problems' in read) return read;
    if (read.test.id !== undefined) return { file: read, id: read.test.id };
    const id = this.#newId();
    const changed = withId(text, id);
    await source.write(changed);
    // The text after the id has moved.
    const again = await readTestFile(changed, source.file, source.readBeside);
    return 'problems' in again ? again : { file: again, id };
  }
}
