import type { CallTestFile } from '../contract/callTestFile.ts';
import { defaultLanguage, type TestConfig } from '../contract/testConfigs.ts';
import type { MissionFile } from '../contract/missionFile.ts';
import type { MissionTestConfig } from '../contract/missionConfigs.ts';
import type { OperationArguments } from '../contract/operations.ts';
import type { DialtreeClient } from './client.ts';

/** A saved test of either kind. */
export type StoredTest = TestConfig | MissionTestConfig;
/** The content of a test file, including the rows of its rowsFile. */
type TestText =
  | { readonly kind: 'calltest'; readonly test: Omit<CallTestFile, '$schema' | 'rowsFile'> }
  | { readonly kind: 'mission'; readonly test: Omit<MissionFile, '$schema'> };

/** What a service does with the test of one file. Its functions reject as `call` does. */
export interface SavedTestApi {
  /** The file's version, with defaults for what it leaves out. */
  readonly mine: OperationArguments<'createTestConfig'> | OperationArguments<'createMissionTestConfig'>;
  readonly read: () => Promise<StoredTest>;
  readonly create: () => Promise<StoredTest>;
  /** Removes properties that the file doesn't have. */
  readonly update: (expectedUpdatedAt: string) => Promise<StoredTest>;
}

/** @param phoneNumber the called number, if the file names a practice IVR */
export function savedTestApi(
  client: Pick<DialtreeClient, 'call'>,
  { kind, test }: TestText,
  id: string,
  phoneNumber: string,
): SavedTestApi {
  if (kind === 'calltest') {
    const { ivr: _ivr, ...file } = test;
    const mine = {
      ...file,
      id,
      phoneNumber,
      language: file.language ?? defaultLanguage,
      tags: file.tags ?? [],
      fromFile: true,
    };
    return {
      mine,
      read: () => client.call('getTestConfig', { id }),
      create: () => client.call('createTestConfig', mine),
      update: (expectedUpdatedAt) =>
        client.call('updateTestConfig', {
          ...mine,
          description: mine.description ?? null,
          rows: mine.rows ?? null,
          expectedUpdatedAt,
        }),
    };
  }
  const { ivr: _ivr, ...file } = test;
  const mine = { ...file, id, phoneNumber, tags: file.tags ?? [], fromFile: true };
  return {
    mine,
    read: () => client.call('getMissionTestConfig', { id }),
    create: () => client.call('createMissionTestConfig', mine),
    update: (expectedUpdatedAt) =>
      client.call('updateMissionTestConfig', {
        ...mine,
        description: mine.description ?? null,
        sector: mine.sector ?? null,
        votes: mine.votes ?? null,
        maxTurns: mine.maxTurns ?? null,
        maxSeconds: mine.maxSeconds ?? null,
        expectedUpdatedAt,
      }),
  };
}
