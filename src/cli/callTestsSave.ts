import type { DialtreeClient } from '../client/client.ts';
import { ConflictError, NotFoundError } from '../client/errors.ts';
import { HumanError } from '../contract/errors.ts';
import type { OperationInput } from '../contract/operations.ts';
import { configChanges, maskedChanges, type MemberChange, type WithSecrets } from '../model/configDiff.ts';
import type { LoadedTest } from './runFiles.ts';

type Client = Pick<DialtreeClient, 'call'>;
type Id = { readonly id: string };
type ScriptedInput = OperationInput<'createTestConfig'> & Id;
type MissionInput = OperationInput<'createMissionTestConfig'> & Id;

/**
 * Brings the file's config into the service: creates it under its id, or puts it in the place of what the service holds. The file is the truth;
 * `onReplaced` gets what the service held differently, secrets masked. Rejects as `call` does.
 */
export async function saveConfig(client: Client, { id, source }: LoadedTest, phoneNumber: string, onReplaced: (changes: readonly MemberChange[]) => void): Promise<void> {
  if (source.kind === 'calltest') {
    const { ivr: _ivr, ...test } = source.test;
    const config: ScriptedInput = { ...test, id, phoneNumber };
    await upsert({ file: source.file, ivr: source.test.ivr !== undefined, config: { ...config, language: config.language ?? 'en-US', tags: config.tags ?? [] }, onReplaced,
      create: () => client.call('createTestConfig', config),
      read: () => client.call('getTestConfig', { id }),
      update: (whole) => client.call('updateTestConfig', { ...whole, description: whole.description ?? null, rows: whole.rows ?? null }) });
  } else {
    const { ivr: _ivr, ...test } = source.test;
    const config: MissionInput = { ...test, id, phoneNumber };
    await upsert({ file: source.file, ivr: source.test.ivr !== undefined, config: { ...config, tags: config.tags ?? [] }, onReplaced,
      create: () => client.call('createMissionTestConfig', config),
      read: () => client.call('getMissionTestConfig', { id }),
      update: (whole) => client.call('updateMissionTestConfig', { ...whole, description: whole.description ?? null, sector: whole.sector ?? null }) });
  }
}

interface Upsert<Config extends Id & WithSecrets> {
  readonly file: string;
  readonly ivr: boolean;
  /** With the defaults of what the file leaves out. */
  readonly config: Config;
  readonly onReplaced: (changes: readonly MemberChange[]) => void;
  readonly create: () => Promise<unknown>;
  readonly read: () => Promise<WithSecrets>;
  /** What the config does not have is taken away. */
  readonly update: (config: Config) => Promise<unknown>;
}

async function upsert<Config extends Id & WithSecrets>({ file, ivr, config, onReplaced, create, read, update }: Upsert<Config>): Promise<void> {
  try {
    await create();
    return;
  } catch (error) {
    if (!(error instanceof ConflictError && error.code === 'id_taken')) throw error;
  }
  const held = await read().catch((error: unknown) => {
    if (error instanceof NotFoundError) throw new HumanError(`${file}: another workspace of this service has a test with this id. Take the id out of the file: the next run writes a new one.`, { status: 409, code: 'id_taken', cause: error });
    throw error;
  });
  const changes = configChanges(comparable(held), comparable(config)).filter(({ path, mine }) => !(path === 'profileId' && mine === undefined));
  if (changes.length === 0) return;
  // A practice IVR answers on another port each time.
  const told = changes.filter(({ path }) => !(path === 'phoneNumber' && ivr));
  if (told.length > 0) onReplaced(maskedChanges(told, held, config));
  await update(config);
}

/** Without what the service adds by itself. */
function comparable(config: object): Readonly<Record<string, unknown>> {
  const made = new Set(['id', 'type', 'createdAt', 'updatedAt']);
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => !made.has(name) && value !== undefined));
}
