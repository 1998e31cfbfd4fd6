import assert from 'node:assert/strict';
import { ConflictError, NotFoundError } from '../../../../../src/client/errors.ts';
import type { TestConfig } from '../../../../../src/contract/testConfigs.ts';
import { SavedTests } from '../../../../../src/editor/testing/running/savedTests.ts';
import type { Placed } from '../../../../../src/editor/testing/running/savedTests.ts';
import type { MissionTestFile, ScriptedTestFile } from '../../../../../src/model/tests/testFile.ts';
import { english, FakeClient, uuid } from '../../fakes.ts';
import { memento, missionConfig, testConfig } from '../fakeRuns.ts';

/** A service that keeps one scripted test. */
class OneTest extends FakeClient {
  held: TestConfig | undefined;
  #edits = 0;

  constructor() {
    super();
    const put = (config: TestConfig): TestConfig => {
      this.#edits += 1;
      this.held = { ...config, updatedAt: `2026-01-01T00:00:${String(this.#edits).padStart(2, '0')}Z` };
      return this.held;
    };
    this.answers = {
      getTestConfig: () => {
        if (!this.held) throw new NotFoundError('none', { status: 404 });
        return this.held;
      },
      createTestConfig: (input) =>
        put({
          ...testConfig(1, { type: input.rows ? 'param' : 'standard' }),
          ...(input as Partial<TestConfig>),
          language: input.language ?? 'en-US',
          tags: input.tags ?? [],
        }),
      updateTestConfig: ({ expectedUpdatedAt, ...input }) => {
        if (expectedUpdatedAt !== this.held?.updatedAt)
          throw new ConflictError('edited', { status: 409, body: { code: 'edited_since' } });
        return put(
          Object.fromEntries(
            Object.entries({ ...this.held, ...input }).filter(([, value]) => value !== null),
          ) as TestConfig,
        );
      },
    };
  }

  /** Simulates an edit by another client. */
  edit({ fromFile = false, ...change }: Partial<TestConfig>): void {
    this.#edits += 1;
    this.held = {
      ...this.held!,
      fromFile,
      ...change,
      updatedAt: `2026-02-02T00:00:${String(this.#edits).padStart(2, '0')}Z`,
    };
  }

  get written(): string[] {
    return this.calls.map(({ name }) => name).filter((name) => !name.startsWith('get'));
  }
}

const mine: ScriptedTestFile['test'] = {
  id: uuid(1),
  name: 'Balance',
  phoneNumber: 'sip:bank@127.0.0.1:5070',
  steps: [{ name: 'Greeting', action: { type: 'dial' }, passThreshold: 0.8 }],
};

const nowhere = {
  rowAt: (row: number) => ({ file: 'a.calltest.json', line: row + 1, column: 1 }),
  placeOf: () => ({ line: 1, column: 1 }),
  problemAt: () => ({ file: '', line: 1, column: 1, length: 1, message: '' }),
};
const placed = (test: ScriptedTestFile['test'], phoneNumber = 'sip:bank@127.0.0.1:5070'): Placed => ({
  file: { kind: 'calltest', file: 'a.calltest.json', test, ...nowhere },
  id: uuid(1),
  phoneNumber,
});

describe('SavedTests', () => {
  let client: OneTest,
    asked: string[],
    answer: boolean,
    saved: SavedTests,
    kept: ReturnType<typeof memento>,
    whileAsked: () => void;
  const editor = (): SavedTests =>
    new SavedTests({
      client,
      memento: kept,
      l10n: english,
      mayReplace: (theirs, file) => {
        asked.push(`${theirs.name} ${file}`);
        whileAsked();
        return Promise.resolve(answer);
      },
    });
  beforeEach(() => {
    client = new OneTest();
    asked = [];
    answer = true;
    whileAsked = () => undefined;
    kept = memento();
    saved = editor();
  });

  it('creates a test with its ID, and leaves it alone if nothing has changed', async () => {
    assert.equal(await saved.save(placed(mine)), client.held?.updatedAt);
    assert.equal(client.held?.id, uuid(1));
    assert.equal(await saved.save(placed({ ...mine, language: 'en-US', tags: [] })), client.held?.updatedAt);
    assert.deepEqual(client.written, ['createTestConfig']);
  });

  it('edits its own saved version without a question, in a later window too', async () => {
    await saved.save(placed({ ...mine, description: 'Old', tags: ['old'] }));
    await editor().save(placed(mine));
    assert.deepEqual([client.held?.description, client.held?.tags], [undefined, []]);
    assert.deepEqual(asked, []);
  });

  it("asks before it replaces another person's change, and runs nothing if that is to stay", async () => {
    await saved.save(placed(mine));
    client.edit({ name: 'Balance, theirs' });
    answer = false;
    assert.equal(await saved.save(placed(mine)), undefined);
    assert.equal(client.held?.name, 'Balance, theirs');
    answer = true;
    assert.equal(await saved.save(placed(mine)), client.held?.updatedAt);
    assert.equal(client.held.name, 'Balance');
    assert.deepEqual(asked, ['Balance, theirs a.calltest.json', 'Balance, theirs a.calltest.json']);
  });

  it("asks if it doesn't know the service's version, unless that has the same content", async () => {
    client.held = testConfig(1, { name: 'Balance' });
    await saved.save(placed(mine));
    assert.deepEqual(asked, []);
    client.held = testConfig(1, { name: 'Other', updatedAt: '2026-03-03T00:00:00Z' });
    await saved.save(placed(mine));
    assert.equal(asked.length, 1);
  });

  it('asks again if an edit comes while it asks: nothing is replaced unseen', async () => {
    await saved.save(placed(mine));
    client.edit({ name: 'First edit' });
    whileAsked = () => {
      if (asked.length === 1) client.edit({ name: 'Second edit' });
    };
    await saved.save(placed(mine));
    assert.deepEqual(asked, ['First edit a.calltest.json', 'Second edit a.calltest.json']);
    assert.equal(client.held?.name, 'Balance');
  });

  it("marks the service's version as a file once it has the same content", async () => {
    client.held = testConfig(1, { name: 'Balance' });
    await saved.save(placed(mine));
    assert.equal(client.held.fromFile, true);
    await saved.save(placed(mine));
    assert.deepEqual([client.written, asked], [['updateTestConfig'], []]);
  });

  it('edits if another window was faster', async () => {
    const create = client.answers.createTestConfig!;
    client.answers.createTestConfig = (input) => {
      void create(input);
      throw new ConflictError('taken', { status: 409, body: { code: 'id_taken' } });
    };
    assert.equal(await saved.save(placed(mine)), client.held?.updatedAt);
    assert.deepEqual(client.written, ['createTestConfig']);
  });

  it('reports if a test of another kind has the ID', async () => {
    client.answers.createTestConfig = () => {
      throw new ConflictError('taken', { status: 409, body: { code: 'id_taken' } });
    };
    await assert.rejects(saved.save(placed(mine)), /test of another kind/);
  });

  it('asks nothing if only the port of a practice IVR differs', async () => {
    client.held = testConfig(1, { name: 'Balance', phoneNumber: 'sip:bank@127.0.0.1:1' });
    const { phoneNumber: _phoneNumber, ...played } = mine;
    assert.equal(
      await saved.save(placed({ ...played, ivr: 'bank.ivr.json' }, 'sip:bank@127.0.0.1:2')),
      client.held?.updatedAt,
    );
    assert.equal(client.held?.phoneNumber, 'sip:bank@127.0.0.1:2');
    assert.deepEqual(asked, []);
  });

  it('removes what the file no longer has, and keeps the test', async () => {
    await saved.save(placed({ ...mine, description: 'Old', rows: [{ key: '1' }] }));
    await saved.save(placed(mine));
    assert.deepEqual([client.held?.description, client.held?.rows], [undefined, undefined]);
    assert.deepEqual(client.written, ['createTestConfig', 'updateTestConfig']);
    assert.deepEqual(asked, []);
  });

  it('keeps missions in the same way', async () => {
    const mission: MissionTestFile['test'] = {
      name: 'Mission 2',
      mission: 'Ask for the balance.',
      acceptance: 'The balance is told.',
      phoneNumber: 'sip:bank@127.0.0.1:5070',
    };
    const of = (test: MissionTestFile['test']): Placed => ({
      file: { kind: 'mission', file: 'a.mission.json', test, ...nowhere },
      id: uuid(2),
      phoneNumber: 'sip:bank@127.0.0.1:5070',
    });
    const updates: unknown[] = [];
    const other = new FakeClient({
      getMissionTestConfig: () => missionConfig(2, { fromFile: true }),
      updateMissionTestConfig: (input) => {
        updates.push([input.acceptance, input.description, input.sector]);
        return missionConfig(2);
      },
    });
    const missions = new SavedTests({
      client: other,
      memento: kept,
      l10n: english,
      mayReplace: () => Promise.resolve(true),
    });
    assert.equal(await missions.save(of(mission)), missionConfig(2).updatedAt);
    assert.equal(await missions.save(of({ ...mission, acceptance: 'Another' })), missionConfig(2).updatedAt);
    assert.deepEqual(updates, [['Another', null, null]]);
  });
});
