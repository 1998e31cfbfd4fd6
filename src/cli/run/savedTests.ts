import type { DialtreeClient } from '../../client/client.ts';
import { ConflictError, NotFoundError, ServiceError } from '../../client/errors.ts';
import { savedTestApi, type StoredTest, type SavedTestApi } from '../../client/savedTestApi.ts';
import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { changeLines, configChanges, type MemberChange } from '../../model/tests/configDiff.ts';
import type { LoadedTest } from './testFiles.ts';

interface SavedTestsOptions {
  readonly client: Pick<DialtreeClient, 'call' | 'all'>;
  readonly numberOf: (test: LoadedTest) => string;
  /** The file can replace a version that was edited on the service. */
  readonly replace: boolean;
  /** Saves the replaced version, and returns its path. If it rejects with a HumanError, nothing is replaced. */
  readonly keep: (test: LoadedTest, held: StoredTest) => Promise<string>;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** Up to this many tests are read one by one. */
const fewTests = 3;
/** Another client, such as a run on another branch, can keep saving its own version of a test. */
const maxTries = 5;

/**
 * Sends the tests of files to a service and launches them, always in the file's version. The file is the source of
 * truth: it replaces a version that another file put there. A version that was edited on the service is replaced only
 * if requested. The methods reject as `call` does, and with HumanErrors.
 */
export class SavedTests {
  readonly #options: SavedTestsOptions;
  /** The tests as found before the first call; undefined if there is none. */
  readonly #found = new Map<string, StoredTest | undefined>();
  /** `updatedAt` of the file's version on the service. */
  readonly #versions = new Map<string, string>();

  constructor(options: SavedTestsOptions) {
    this.#options = options;
  }

  /**
   * Reads all tests before any is called. Rejects (400) if some were edited on the service, and shows the differences.
   * If the service doesn't respond, the first launch reports it.
   */
  async assertUnedited(tests: readonly LoadedTest[]): Promise<void> {
    const { replace, tell } = this.#options;
    try {
      await this.#read(tests);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
    let edited = 0;
    for (const test of tests) {
      const held = this.#found.get(test.id);
      const changes = held ? told(test, configChanges(held, this.#savedTestApiOf(test).mine)) : [];
      if (replace || held?.fromFile === true || changes.length === 0) continue;
      edited += 1;
      tell(`${test.source.file}: this test was edited on the service:\n${changeLines(changes).join('\n')}`);
    }
    if (edited > 0)
      throw new HumanError(
        `${edited === 1 ? '1 test was' : `${String(edited)} tests were`} edited on the service, so the file and the service differ. ${waysOut} No calls were placed.`,
        { status: 400, code: 'edited_on_service' },
      );
  }

  /**
   * Reads many tests from their list, because the smallest tier allows 30 requests per minute. The list of missions
   * lacks their text, so edited missions are read one by one.
   */
  async #read(tests: readonly LoadedTest[]): Promise<void> {
    const { client, signal } = this.#options;
    const [scripts, missions] = (['calltest', 'mission'] as const).map((kind) =>
      tests.filter(({ source }) => source.kind === kind),
    ) as [LoadedTest[], LoadedTest[]];
    const read = async (test: LoadedTest): Promise<void> => {
      if (!signal.aborted) this.#found.set(test.id, await unlessMissing(this.#savedTestApiOf(test).read()));
    };
    if (scripts.length > fewTests) {
      const existingConfigs = new Map(
        (await client.call('listTestConfigs', {})).items.map((config) => [config.id, config]),
      );
      for (const { id } of scripts) this.#found.set(id, existingConfigs.get(id.toLowerCase()));
    } else for (const test of scripts) await read(test);
    const edited = missions.length > fewTests ? await this.#editedMissions() : undefined;
    for (const test of missions) if (!edited || edited.has(test.id.toLowerCase())) await read(test);
  }

  async #editedMissions(): Promise<ReadonlySet<string>> {
    const edited = new Set<string>();
    for await (const { id, fromFile } of this.#options.client.all('listMissionTestConfigs', { limit: limits.list.max }))
      if (fromFile !== true) edited.add(id);
    return edited;
  }

  async launch(test: LoadedTest): Promise<readonly { readonly id: string }[]> {
    const { client } = this.#options;
    const configId = test.id;
    return await this.#whileEdited(test, async () => {
      const expectedUpdatedAt = this.#versions.get(configId) ?? (await this.#save(test));
      this.#versions.set(configId, expectedUpdatedAt);
      return test.source.kind === 'mission'
        ? [await client.call('runMissionTest', { configId, expectedUpdatedAt })]
        : (await client.call('runTest', { configId, expectedUpdatedAt })).items;
    });
  }

  /** Saves the file's version on the service, and returns its version. */
  async #save(test: LoadedTest): Promise<string> {
    const { replace, keep, tell } = this.#options;
    const savedTests = this.#savedTestApiOf(test);
    const savedTest = this.#found.get(test.id) ?? (await create(test, savedTests));
    this.#found.delete(test.id);
    const changes = configChanges(savedTest, savedTests.mine);
    if (changes.length === 0 && savedTest.fromFile === true) return savedTest.updatedAt;
    const differs = told(test, changes);
    const isEdited = differs.length > 0 && savedTest.fromFile !== true;
    if (isEdited && !replace)
      throw new HumanError(`This test has just been edited on the service. ${waysOut}`, {
        status: 409,
        code: 'edited_on_service',
      });
    const copyPath = isEdited ? await keep(test, savedTest) : undefined;
    const { updatedAt } = await savedTests.update(savedTest.updatedAt);
    if (differs.length > 0) {
      const what =
        copyPath === undefined
          ? 'the service had another version of this test'
          : `this test was edited on the service, and that version is kept in ${copyPath}`;
      tell(`${test.source.file}: ${what}. This file has replaced it:\n${changeLines(differs).join('\n')}`);
    }
    return updatedAt;
  }

  async #whileEdited<Result>(test: LoadedTest, work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isConflict(error, 'edited_since') || tries === maxTries || this.#options.signal.aborted) throw error;
        this.#versions.delete(test.id);
      }
    }
  }

  #savedTestApiOf(test: LoadedTest): SavedTestApi {
    return savedTestApi(this.#options.client, test.source, test.id, this.#options.numberOf(test));
  }
}

const waysOut =
  'Copy the changes that you want to keep into the file, or use --replace. With --replace, the file replaces the version on the service, and Dialtree saves that version to another file.';

/** A practice IVR's port changes with every run, so it isn't reported. */
const told = ({ source }: LoadedTest, changes: readonly MemberChange[]): readonly MemberChange[] =>
  changes.filter(({ path }) => !(path === 'phoneNumber' && source.test.ivr !== undefined));

/** Returns the test, created or as it already exists. */
async function create({ source }: LoadedTest, savedTests: SavedTestApi): Promise<StoredTest> {
  try {
    return await savedTests.create();
  } catch (error) {
    if (!isConflict(error, 'id_taken')) throw error;
    const held = await unlessMissing(savedTests.read());
    if (held) return held;
    throw new HumanError(
      `${source.file}: a test of another kind already has this id. Delete the id in the file: the next run writes a new one.`,
      { status: 409, code: 'id_taken', cause: error },
    );
  }
}

const isConflict = (error: unknown, code: string): boolean => error instanceof ConflictError && error.code === code;

async function unlessMissing(reading: Promise<StoredTest>): Promise<StoredTest | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
