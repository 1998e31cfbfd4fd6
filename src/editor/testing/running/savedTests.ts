import * as z from 'zod';
import { savedTestApi, type StoredTest, type SavedTestApi } from '../../../client/savedTestApi.ts';
import { HumanError } from '../../../contract/errors.ts';
import type { TestFile } from '../../../model/tests/testFile.ts';
import { isCode, unlessGone } from '../../basics/errors.ts';
import type { L10n } from '../../basics/localise.ts';
import type { ServiceClient } from '../../host/serviceClient.ts';

export interface Placed {
  readonly file: TestFile;
  readonly id: string;
  readonly phoneNumber: string;
}

interface SavedTestsParts {
  readonly client: Pick<ServiceClient, 'call'>;
  /** The `updatedAt` of what this editor saved last, by id. */
  readonly memento: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  /**
   * The service has another version of the test, which didn't come from here. Returns true if the file may replace it.
   */
  readonly mayReplace: (theirs: StoredTest, file: string) => Promise<boolean>;
  /** Called with the service's current version of a test. */
  readonly onSaved?: (saved: StoredTest) => void;
  readonly l10n: L10n;
}

const memoryKey = 'dialtree.savedTests';
const memorySchema = z.record(z.string(), z.string()).catch({});
const maxRemembered = 500;

/** Another client can keep saving its own version. */
const maxTries = 5;

/**
 * Saves the tests of files on the service. The file is the source of truth, but a change by another client is never
 * lost without asking.
 */
export class SavedTests {
  readonly #parts: SavedTestsParts;

  constructor(parts: SavedTestsParts) {
    this.#parts = parts;
  }

  /**
   * Returns the `updatedAt` of the file's version on the service, or undefined if the service has a change that the
   * user wants to keep. Rejects as the operations do.
   */
  async save({ file, id, phoneNumber }: Placed): Promise<string | undefined> {
    const savedTests = savedTestApi(this.#parts.client, file, id, phoneNumber);
    const { configChanges } = await import('../../../model/tests/configDiff.ts');
    for (let tries = 1; ; tries += 1) {
      const saved = (await unlessGone(savedTests.read())) ?? (await this.#create(savedTests));
      const changes = configChanges(saved, savedTests.mine);
      if (changes.length === 0 && saved.fromFile === true) return await this.#remember(saved);
      // A practice IVR's port changes with every start.
      const isOnlyPort = changes.every(({ path }) => path === 'phoneNumber' && file.test.ivr !== undefined);
      if (
        !isOnlyPort &&
        this.#remembered()[saved.id] !== saved.updatedAt &&
        !(await this.#parts.mayReplace(saved, file.file))
      )
        return undefined;
      try {
        return await this.#remember(await savedTests.update(saved.updatedAt));
      } catch (error) {
        // The user hasn't seen a change that was made in the meantime, so they are asked about it too.
        if (!isCode(error, 'edited_since') || tries === maxTries) throw error;
      }
    }
  }

  async #create(savedTests: SavedTestApi): Promise<StoredTest> {
    try {
      return await savedTests.create();
    } catch (error) {
      if (!isCode(error, 'id_taken')) throw error;
      // Another window may have created it in the meantime.
      const saved = await unlessGone(savedTests.read());
      if (saved) return saved;
      throw new HumanError(
        this.#parts.l10n.t(
          'A test of another kind already has this ID. Delete the ID from the file. The next run adds a new ID.',
        ),
        { status: 409, code: 'id_taken', cause: error },
      );
    }
  }

  #remembered(): Readonly<Record<string, string>> {
    return memorySchema.parse(this.#parts.memento.get(memoryKey));
  }

  async #remember(saved: StoredTest): Promise<string> {
    const { id, updatedAt } = saved;
    this.#parts.onSaved?.(saved);
    const { [id]: before, ...others } = this.#remembered();
    if (before !== updatedAt)
      await this.#parts.memento.update(
        memoryKey,
        Object.fromEntries([...Object.entries(others), [id, updatedAt]].slice(-maxRemembered)),
      );
    return updatedAt;
  }
}
