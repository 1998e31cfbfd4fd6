import * as z from 'zod';
import { HumanError } from '../../contract/errors.ts';
import type { MissionTestConfig } from '../../contract/missionConfigs.ts';
import type { TestConfig } from '../../contract/testConfigs.ts';
import { configChanges } from '../../model/configDiff.ts';
import type { TestFile } from '../../model/testFile.ts';
import { isCode, isStatus } from '../errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { L10n } from '../localise.ts';

export type Saved = TestConfig | MissionTestConfig;
/** A file with the id and the target that its test has got. */
export interface Placed { readonly file: TestFile; readonly id: string; readonly phoneNumber: string }

export interface SavedTestsParts {
  readonly client: Pick<ServiceClient, 'call'>;
  /** `updatedAt` by id of what this editor saved last. */
  readonly memento: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  /** The service holds another text of the test, which did not come from here. True: the file is put in its place. */
  readonly mayReplace: (theirs: Saved, file: string) => Promise<boolean>;
  readonly l10n: L10n;
}

const memoryKey = 'dialtree.savedTests';
const memorySchema = z.record(z.string(), z.string()).catch({});
const mostRemembered = 500;

/** Brings the tests of files to the service: the file is the truth, but what somebody else changed there is never lost unasked. */
export class SavedTests {
  readonly #parts: SavedTestsParts;

  constructor(parts: SavedTestsParts) {
    this.#parts = parts;
  }

  /** False where the service holds a change that the person wants to keep. Rejects as the operations do. */
  async save(placed: Placed): Promise<boolean> {
    const { client } = this.#parts;
    const { file, id, phoneNumber } = placed;
    if (file.kind === 'calltest') {
      const { ivr: _ivr, ...test } = file.test;
      const config = { ...test, id, phoneNumber };
      return this.#save(placed, { ...config, language: config.language ?? 'en-US', tags: config.tags ?? [] }, {
        read: () => client.call('getTestConfig', { id }),
        create: () => client.call('createTestConfig', config),
        update: (whole) => client.call('updateTestConfig', { ...whole, description: whole.description ?? null, rows: whole.rows ?? null }),
      });
    }
    const { ivr: _ivr, ...mission } = file.test;
    const config = { ...mission, id, phoneNumber };
    return this.#save(placed, { ...config, tags: config.tags ?? [] }, {
      read: () => client.call('getMissionTestConfig', { id }),
      create: () => client.call('createMissionTestConfig', config),
      update: (whole) => client.call('updateMissionTestConfig', { ...whole, description: whole.description ?? null, sector: whole.sector ?? null }),
    });
  }

  async #save<Config extends object>({ file }: Placed, mine: Config, shelf: { read(): Promise<Saved>; create(): Promise<Saved>; update(config: Config): Promise<Saved> }): Promise<boolean> {
    const saved = await unlessMissing(shelf.read()) ?? await this.#create(shelf);
    const changes = configChanges(comparable(saved), comparable(mine)).filter(({ path, mine: own }) => !(path === 'profileId' && own === undefined));
    if (changes.length === 0) return this.#remember(saved);
    // A practice IVR answers on another port each time.
    const isOnlyPort = changes.every(({ path }) => path === 'phoneNumber' && file.test.ivr !== undefined);
    if (!isOnlyPort && this.#remembered()[saved.id] !== saved.updatedAt && !await this.#parts.mayReplace(saved, file.file)) return false;
    return this.#remember(await shelf.update(mine));
  }

  async #create(shelf: { read(): Promise<Saved>; create(): Promise<Saved> }): Promise<Saved> {
    try {
      return await shelf.create();
    } catch (error) {
      if (!isCode(error, 'id_taken')) throw error;
      // Another window may have created it in this moment.
      const saved = await unlessMissing(shelf.read());
      if (saved) return saved;
      throw new HumanError(this.#parts.l10n.t('Another workspace of this service has a test with this id. Take the id out of the file: the next run writes a new one.'), { status: 409, code: 'id_taken', cause: error });
    }
  }

  #remembered(): Readonly<Record<string, string>> {
    return memorySchema.parse(this.#parts.memento.get(memoryKey));
  }

  async #remember({ id, updatedAt }: Saved): Promise<true> {
    const { [id]: before, ...others } = this.#remembered();
    if (before !== updatedAt) await this.#parts.memento.update(memoryKey, Object.fromEntries([...Object.entries(others), [id, updatedAt]].slice(-mostRemembered)));
    return true;
  }
}

/** Without what the service adds by itself. */
function comparable(config: object): Readonly<Record<string, unknown>> {
  const made = new Set(['id', 'type', 'createdAt', 'updatedAt']);
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => !made.has(name) && value !== undefined));
}

async function unlessMissing(reading: Promise<Saved>): Promise<Saved | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
