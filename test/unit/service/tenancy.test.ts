import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createMissionTestConfigSchema } from '../../../src/contract/missionConfigs.ts';
import { defaultCaller } from '../../../src/contract/profiles.ts';
import { scopes } from '../../../src/contract/scopes.ts';
import type { Scope } from '../../../src/contract/scopes.ts';
import { lacksConsent } from '../../../src/service/runs/permission.ts';
import { recordConsent } from '../../../src/service/mapping/consents.ts';
import { Signer } from '../../../src/service/basics/signing.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { SavedTests } from '../../../src/service/testing/savedTests.ts';
import { Account } from '../../../src/service/workspaces/account.ts';
import { boundsSeconds } from '../../../src/service/workspaces/meters.ts';
import { isByPerson, readWorkspace } from '../../../src/service/workspaces/keys.ts';
import { localWorkspaceId } from '../../../src/service/workspaces/localKey.ts';
import { Profiles } from '../../../src/service/workspaces/profiles.ts';
import { assertScope } from '../../../src/service/workspaces/principal.ts';
import { testStepSchema } from '../../../src/contract/testConfigs.ts';
import { workspaceSettingsSchema } from '../../../src/contract/workspaceSettings.ts';
import type { Principal } from '../../../src/service/workspaces/principal.ts';
import { registerWorkspace } from '../../../src/service/workspaces/registration.ts';
import { keysOf } from '../../support/keysOf.ts';
import { openTestStore } from '../../support/testStore.ts';
import { refused } from '../../support/refused.ts';

describe('data of one workspace, or of one key of it', function () {
  const now = new Date('2026-03-01T12:00:00.000Z');
  let store: Store;
  let networks = 0;
  before(async () => {
    store = await openTestStore(() => now);
  });
  after(() => store.close());

  async function newPrincipal(): Promise<Principal> {
    const { workspaceId, apiKey } = await registerWorkspace(store, `198.51.100.${String((networks += 1))}`, now);
    return { workspaceId, keyId: apiKey.slice(3, 11), tier: 'free', scopes: new Set(scopes) };
  }

  it('includes its consent, which lets no other workspace call', async () => {
    const [one, other] = [await newPrincipal(), await newPrincipal()];
    const phoneNumber = '+12125550123';
    const consent = { phoneNumber, statement: 'I may test this number' } as const;
    await assert.rejects(recordConsent(store, one, consent, now), { status: 403, code: 'unclaimed' });
    await store.db.updateTable('workspaces').set({ kind: 'person' }).where('id', '=', one.workspaceId).execute();
    await assert.rejects(recordConsent(store, one, consent, now), { status: 403, code: 'program_key' });
    await store.db.updateTable('api_keys').set({ by_person: true }).where('id', '=', one.keyId).execute();
    await assert.rejects(recordConsent(store, { ...other, workspaceId: one.workspaceId }, consent, now), {
      code: 'program_key',
    });
    await recordConsent(store, one, consent, now);
    const lacks = ({ workspaceId }: Principal): Promise<boolean> =>
      lacksConsent(store.db, workspaceId, { uri: '', lab: false, consentFor: phoneNumber });
    assert.deepEqual([await lacks(one), await lacks(other)], [false, true]);
  });

  it('includes a key that a person made, or another key of theirs', async () => {
    const program = await newPrincipal();
    const keys = keysOf(store, () => now);
    const keyOf = async (maker: Principal): Promise<Principal> => {
      const { id: keyId } = await keys.create(maker, { name: 'Key' });
      return { ...program, keyId };
    };
    const copy = await keyOf(program);
    const owners = await keyOf({ ...program, keyId: 'person:1' });
    const second = await keyOf(owners);
    const byPerson = await store.write(async (transaction) => {
      const made: boolean[] = [];
      for (const key of [program, copy, owners, second]) made.push(await isByPerson(transaction, key));
      return made;
    });
    assert.deepEqual(byPerson, [false, false, true, true]);
  });

  describe('the ID of a saved test', () => {
    const steps = [testStepSchema.parse({ name: 'hears', action: { type: 'expect' }, expectedTranscript: 'hello' })];
    const called = (id?: string) => ({
      name: 'Menu',
      phoneNumber: '+12025550100',
      tags: [],
      ...(id !== undefined && { id }),
    });
    const scripted = (id?: string) => ({ ...called(id), steps });
    const mission = (id?: string) =>
      createMissionTestConfigSchema.parse({ ...called(id), mission: 'Ask', acceptance: 'It is said' });
    const tests = () => new SavedTests(store, new Signer(store.secret), () => now);

    it('can be used by another workspace for tests of either kind, and changed and deleted there without effect on this one', async () => {
      const [one, other] = [await newPrincipal(), await newPrincipal()];
      const [test, job] = [
        await tests().create(one, 'script', scripted()),
        await tests().create(one, 'mission', mission()),
      ];
      await tests().create(other, 'script', { ...scripted(job.id), name: 'Other' });
      await tests().create(other, 'mission', { ...mission(test.id), name: 'Other' });
      const third = await newPrincipal();
      await tests().create(third, 'script', { ...scripted(test.id), name: 'Third' });
      await tests().create(third, 'mission', { ...mission(job.id), name: 'Third' });
      for (const [author, create] of [
        [one, () => tests().create(one, 'script', scripted(test.id))],
        [one, () => tests().create(one, 'mission', mission(test.id))],
        [third, () => tests().create(third, 'script', scripted(job.id))],
        [third, () => tests().create(third, 'mission', mission(job.id))],
      ] as const)
        await assert.rejects(create(), { status: 409, code: 'id_taken' }, author.workspaceId);
      await tests().update(third, 'script', { id: test.id, name: 'Changed' });
      await tests().update(third, 'mission', { id: job.id, name: 'Changed' });
      await tests().remove(third, 'script', test.id);
      await tests().remove(third, 'mission', job.id);
      assert.deepEqual(await tests().get(one.workspaceId, 'script', test.id), test);
      assert.deepEqual(await tests().get(one.workspaceId, 'mission', job.id), job);
      await assert.rejects(tests().get(third.workspaceId, 'script', test.id), { status: 404 });
    });
  });

  it('includes its usage of a day', async () => {
    const [one, other] = [await newPrincipal(), await newPrincipal()];
    const used = { pool: 'testing', seconds: 60, calls: 1, at: now } as const;
    await store.write((transaction) =>
      transaction
        .insertInto('ledger')
        .values([
          { ...used, run_id: randomUUID(), workspace_id: one.workspaceId, key_id: one.keyId },
          { ...used, run_id: randomUUID(), workspace_id: one.workspaceId, key_id: 'another0' },
          { ...used, run_id: randomUUID(), workspace_id: other.workspaceId, key_id: other.keyId },
        ])
        .execute(),
    );
    const account = async ({ workspaceId, keyId }: Principal) =>
      new Account(store.db, await readWorkspace(store.db, workspaceId), now, { launcher: { keyId } });
    const own = await account(one);
    const days = [await own.today(), await own.keyToday(), await (await account(other)).today()];
    assert.deepEqual(
      days.map(({ used: { callsPerDay } }) => callsPerDay),
      [2, 1, 1],
    );
  });

  it('includes limits of seconds: its minutes, its budgets of seconds and money, and those of its key', () => {
    const settings = (budgets: object) => workspaceSettingsSchema.parse({ budgets });
    const unlimited = { unlimited: true };
    for (const budgets of [{ secondsPerRun: 60 }, { secondsPerDay: 60 }, { costPerDay: 1 }])
      assert.equal(boundsSeconds(unlimited, settings(budgets)), true, JSON.stringify(budgets));
    assert.equal(boundsSeconds({ unlimited: false }, settings({})), true);
    assert.equal(boundsSeconds(unlimited, settings({}), { secondsPerDay: 60 }), true);
    for (const budgets of [{}, { callsPerDay: 1 }])
      assert.equal(
        boundsSeconds(unlimited, settings(budgets), { numbers: [], callsPerDay: 1 }),
        false,
        JSON.stringify(budgets),
      );
  });

  it('includes no key of the service itself, which has no limits', async () => {
    const local: Principal = {
      workspaceId: localWorkspaceId,
      keyId: 'local000',
      tier: 'enterprise',
      scopes: new Set(scopes),
    };
    const keys = keysOf(store, () => now, local.keyId);
    await refused(keys.update(local, { id: local.keyId, limits: { numbers: [] } }), 409, 'local_key');
    await assert.rejects(keys.revoke(local, local.keyId), { status: 409, code: 'local_key' });
  });

  it("includes a profile, even one with the ID of another workspace's default", async () => {
    const [one, other] = [await newPrincipal(), await newPrincipal()];
    const profiles = new Profiles(store, { assertPresents: () => undefined }, () => now);
    const { id } = await profiles.create(one, { ...defaultCaller, name: 'Careful' });
    // As an imported file can contain it.
    await store.db
      .updateTable('workspaces')
      .set({ default_profile_id: id })
      .where('id', '=', other.workspaceId)
      .execute();
    await refused(profiles.update(other, { id, name: 'Taken over' }), 404, 'profile_not_found');
    assert.equal((await profiles.get(one.workspaceId, id)).name, 'Careful');
  });

  it('includes no key of the service itself that another workspace could find', async () => {
    const keyId = 'local000';
    const keys = keysOf(store, () => now, keyId);
    const stranger = await newPrincipal();
    await assert.rejects(keys.revoke(stranger, keyId), { status: 404, code: 'not_found' });
    await refused(keys.update(stranger, { id: keyId, limits: { numbers: [] } }), 404, 'not_found');
  });

  it('stays closed without a key, and opens to a key only by its scopes', () => {
    assert.throws(() => assertScope('listMappings', undefined), { status: 401, code: 'unauthorized' });
    const having = (...held: Scope[]): Principal => ({
      workspaceId: 'w',
      keyId: 'k',
      tier: 'free',
      scopes: new Set(held),
    });
    assert.throws(() => assertScope('listMappings', having('testing:read')), { status: 403, code: 'missing_scope' });
    assertScope('listMappings', having('mapping:read'));
    assertScope('registerWorkspace', undefined);
  });
});
