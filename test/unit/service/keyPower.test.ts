import assert from 'node:assert/strict';
import { scopes } from '../../../src/contract/scopes.ts';
import { recordConsent } from '../../../src/service/mapping/consents.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { Keys } from '../../../src/service/workspaces/keys.ts';
import type { Principal } from '../../../src/service/workspaces/principal.ts';
import { registerWorkspace } from '../../../src/service/workspaces/registration.ts';
import { updateSettings } from '../../../src/service/workspaces/settings.ts';
import { keysOf } from '../../support/keysOf.ts';
import { openTestStore } from '../../support/testStore.ts';

describe('the power of a key', function () {
  const now = new Date('2026-03-01T12:00:00.000Z');
  let store: Store;
  let keys: Keys;
  let program: Principal;
  let owner: Principal;
  beforeEach(async () => {
    store = await openTestStore(() => now);
    keys = keysOn(store);
    const { workspaceId, apiKey } = await registerWorkspace(store, '198.51.100.1', now);
    await store.db.updateTable('workspaces').set({ kind: 'person' }).execute();
    program = { workspaceId, keyId: apiKey.slice(3, 11), tier: 'free', scopes: new Set(scopes) };
    owner = { ...program, keyId: 'person:1' };
  });
  afterEach(() => store.close());

  const keysOn = (used: Store): Keys => keysOf(used, () => now);

  it('ends when the key is revoked, also for requests that are waiting at that time', async () => {
    const [{ id: keyId }, other] = [
      await keys.create(owner, { name: 'Stolen' }),
      await keys.create(owner, { name: 'Kept' }),
    ];
    const stolen = { ...owner, keyId };
    const held = (await keys.list(owner.workspaceId)).length;
    // Each was admitted before the key was revoked, and waits for the transaction that revokes it.
    const begun = Promise.withResolvers<undefined>();
    const write: Store['write'] = (work) =>
      store.write((transaction) => {
        begun.resolve(undefined);
        return work(transaction);
      });
    const revoking = keysOn({ ...store, db: store.db, write, sync: () => store.sync() }).revoke(owner, keyId);
    await begun.promise;
    const [, ...waiting] = await Promise.allSettled([
      revoking,
      keys.create(stolen, { name: 'Back door' }),
      keys.update(stolen, { id: other.id, name: 'Mine' }),
      keys.revoke(stolen, other.id),
      recordConsent(store, stolen, { phoneNumber: '+12125550123', statement: 'I may test this number' }, now),
      updateSettings(store, stolen, { forbiddenKeys: null }, now),
    ]);
    for (const one of waiting)
      assert.equal(one.status === 'rejected' && (one.reason as { status?: number }).status, 401);
    const left = await keys.list(owner.workspaceId);
    assert.equal(left.length, held);
    assert.equal(left.find(({ id }) => id === other.id)?.revokedAt, undefined);
    assert.deepEqual(await store.db.selectFrom('consents').selectAll().execute(), []);
  });

  it("of the program doesn't extend to keys that the owner created", async () => {
    const { id } = await keys.create(owner, {
      name: 'Agent',
      scopes: ['mapping:read', 'mapping:write'],
      limits: { numbers: ['+12025550101'] },
    });
    const refused = { status: 403, code: 'program_key' };
    await assert.rejects(keys.update(program, { id, limits: null }), refused);
    await assert.rejects(keys.update(program, { id, name: 'Mine' }), refused);
    await assert.rejects(keys.revoke(program, id), refused);
    const second = await keys.create(program, { name: 'Second' });
    await keys.update(program, { id: second.id, name: 'Third' });
    const admin = await keys.create(owner, { name: 'Admin' });
    await keys.update({ ...owner, keyId: admin.id }, { id, name: 'Renamed' });
    await keys.revoke({ ...owner, keyId: admin.id }, program.keyId);
    await keys.revoke(owner, id);
  });
});
