import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { scopes } from '../../../src/contract/scopes.ts';
import type { Scope } from '../../../src/contract/scopes.ts';
import { lacksConsent } from '../../../src/service/runs/permission.ts';
import { recordConsent } from '../../../src/service/mapping/consents.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { boundsSeconds } from '../../../src/service/workspaces/admission.ts';
import { readDay } from '../../../src/service/workspaces/budgets.ts';
import { Keys } from '../../../src/service/workspaces/keys.ts';
import { localWorkspaceId } from '../../../src/service/workspaces/localKey.ts';
import { demandScope } from '../../../src/service/workspaces/principal.ts';
import { workspaceSettingsSchema } from '../../../src/contract/workspaceSettings.ts';
import type { Principal } from '../../../src/service/workspaces/principal.ts';
import { registerWorkspace } from '../../../src/service/workspaces/registration.ts';
import { openTestStore } from '../../support/testStore.ts';

describe('what belongs to one workspace, or to one key of it', function () {
  this.timeout(60_000);
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

  it('is its consent, which lets no other workspace call', async () => {
    const [one, other] = [await newPrincipal(), await newPrincipal()];
    const phoneNumber = '+12125550123';
    const consent = { phoneNumber, statement: 'I may test this number' } as const;
    await assert.rejects(recordConsent(store, one, consent, now), { status: 403, code: 'unclaimed' });
    await store.db.updateTable('workspaces').set({ kind: 'person' }).where('id', '=', one.workspaceId).execute();
    await recordConsent(store, one, consent, now);
    const lacks = ({ workspaceId }: Principal): Promise<boolean> =>
      lacksConsent(store.db, workspaceId, { uri: '', lab: false, consentFor: phoneNumber });
    assert.deepEqual([await lacks(one), await lacks(other)], [false, true]);
  });

  it('is what it has used of a day', async () => {
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
    const callsOf = async (workspaceId: string, keyId?: string): Promise<number> =>
      (await readDay(store.db, { workspaceId, ...(keyId !== undefined && { keyId }), slots: [], now })).used
        .callsPerDay;
    assert.deepEqual(
      [await callsOf(one.workspaceId), await callsOf(one.workspaceId, one.keyId), await callsOf(other.workspaceId)],
      [2, 1, 1],
    );
  });

  it('is a bound of seconds: its minutes, its budgets of seconds and money, and those of its key', () => {
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

  it('is no key of the service itself, which nobody limits', async () => {
    const local: Principal = {
      workspaceId: localWorkspaceId,
      keyId: 'local000',
      tier: 'enterprise',
      scopes: new Set(scopes),
    };
    const keys = new Keys(
      store,
      () => now,
      local.keyId,
      () => Promise.resolve(),
    );
    await assert.rejects(keys.update(local, { id: local.keyId, limits: { numbers: [] } }), {
      status: 409,
      code: 'local_key',
    });
    await assert.rejects(keys.revoke(local, local.keyId), { status: 409, code: 'local_key' });
  });

  it('has no key of the service itself that another workspace could find', async () => {
    const keyId = 'local000';
    const keys = new Keys(
      store,
      () => now,
      keyId,
      () => Promise.resolve(),
    );
    const { workspaceId } = await registerWorkspace(store, '192.0.2.77', now);
    const stranger: Principal = { workspaceId, keyId: 'other000', tier: 'free', scopes: new Set(scopes) };
    await assert.rejects(keys.revoke(stranger, keyId), { status: 404, code: 'not_found' });
    await assert.rejects(keys.update(stranger, { id: keyId, limits: { numbers: [] } }), {
      status: 404,
      code: 'not_found',
    });
  });

  it('is open to nobody without a key, and to a key by its scopes alone', () => {
    assert.throws(
      () => {
        demandScope('listMappings', undefined);
      },
      { status: 401, code: 'unauthorized' },
    );
    const having = (...held: Scope[]): Principal => ({
      workspaceId: 'w',
      keyId: 'k',
      tier: 'free',
      scopes: new Set(held),
    });
    assert.throws(
      () => {
        demandScope('listMappings', having('testing:read'));
      },
      { status: 403, code: 'missing_scope' },
    );
    demandScope('listMappings', having('mapping:read'));
    demandScope('registerWorkspace', undefined);
  });
});
