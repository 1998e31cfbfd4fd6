import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopes } from '../../../src/contract/scopes.ts';
import { silentLog } from '../../../src/service/basics/log.ts';
import { recordConsent } from '../../../src/service/mapping/consents.ts';
import { Signer } from '../../../src/service/basics/signing.ts';
import { DataFolder } from '../../../src/service/store/folder.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { Anchors } from '../../../src/service/people/anchors.ts';
import { claimHash, Claims } from '../../../src/service/people/claims.ts';
import { LocalKey, localWorkspaceId } from '../../../src/service/workspaces/localKey.ts';
import { grantPack, setTier } from '../../../src/service/workspaces/operator.ts';
import type { Principal } from '../../../src/service/workspaces/principal.ts';
import { registerWorkspace } from '../../../src/service/workspaces/registration.ts';
import { updateSettings } from '../../../src/service/workspaces/settings.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { keysOf } from '../../support/keysOf.ts';
import { SmsInbox } from '../../support/smsInbox.ts';
import { openTestStore } from '../../support/testStore.ts';
import { refused } from '../../support/refused.ts';

const [mobile, otherMobile] = ['+447400123456', '+12125550123'];
const password = 'correct horse battery';

describe('the audit of keys, people and capacity', function () {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const sms = new SmsInbox();
  const address = '203.0.113.1';
  let networks = 0;
  let store: Store;
  before(async () => {
    store = await openTestStore(() => now);
  });
  after(() => store.close());

  it('records when the local key is used, at most once a minute', async () => {
    const folder = new DataFolder(await mkdtemp(join(tmpdir(), 'dialtree-')));
    const key = await LocalKey.readOrCreate(folder);
    await key.enrol(store, '11111111-1111-4111-8111-111111111111', now);
    const usedAt = async (seconds: number, given = key.key): Promise<number | undefined> => {
      await key.use(given, store, new Date(now.getTime() + seconds * 1000));
      const row = await store.db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow();
      return row.last_used_at ? (row.last_used_at.getTime() - now.getTime()) / 1000 : undefined;
    };
    assert.equal(await usedAt(1, `${key.key}x`), undefined);
    assert.deepEqual([await usedAt(2), await usedAt(40), await usedAt(63), await usedAt(100)], [2, 2, 63, 63]);
    await rm(folder.path, { recursive: true });
  });

  /** Returns a workspace's audit records: event and detail, as sets because all happens simultaneously. */
  async function audited(
    workspaceId: string,
  ): Promise<{ readonly event: string; readonly detail: Readonly<Record<string, unknown>> }[]> {
    return (
      await store.db
        .selectFrom('audit')
        .select(['event', 'detail', 'at'])
        .where('workspace_id', '=', workspaceId)
        .execute()
    ).map(({ event, detail, at }) => {
      assert.deepEqual(at, now);
      return { event, detail };
    });
  }
  const eventsOf = async (workspaceId: string): Promise<string[]> =>
    (await audited(workspaceId)).map(({ event }) => event).sort();
  async function newWorkspace() {
    const { workspaceId, apiKey } = await registerWorkspace(store, `198.51.100.${String((networks += 1))}`, now);
    const principal: Principal = { workspaceId, keyId: apiKey.slice(3, 11), tier: 'free', scopes: new Set(scopes) };
    return { workspaceId, apiKey, principal };
  }
  const keys = () => keysOf(store, () => now, 'none');
  const anchors = () =>
    new Anchors({ store, signer: new Signer(store.secret), clock: systemClock, now: () => now, sms, log: silentLog });
  const verify = async (workspaceId: string, phoneNumber: string, replaces?: string) => {
    await anchors().request(workspaceId, { phoneNumber }, address);
    return await anchors().verify(workspaceId, {
      phoneNumber,
      code: sms.codeFor(phoneNumber),
      ...(replaces !== undefined && { replaces }),
    });
  };

  it('records a registered workspace, and created and revoked keys, with their originator', async () => {
    const { workspaceId, principal, apiKey } = await newWorkspace();
    const made = await keys().create(principal, { name: 'Second', scopes: ['mapping:read'] });
    await keys().update(principal, { id: made.id, limits: { numbers: [mobile], callsPerDay: 5 } });
    await keys().update(principal, { id: made.id });
    await keys().revoke(principal, made.id);
    await keys().revoke(principal, made.id);
    assert.deepEqual(
      (await audited(workspaceId)).toSorted((one, other) => one.event.localeCompare(other.event)),
      [
        {
          event: 'key.changed',
          detail: { keyId: made.id, by: principal.keyId, limits: { numbers: 1, callsPerDay: 5 } },
        },
        { event: 'key.created', detail: { keyId: made.id, by: principal.keyId, scopes: ['mapping:read'] } },
        { event: 'key.revoked', detail: { keyId: made.id, by: principal.keyId } },
        { event: 'workspace.registered', detail: { keyId: apiKey.slice(3, 11) } },
      ],
    );
  });

  it('records nothing if a key or settings stay unchanged', async () => {
    const { workspaceId, principal } = await newWorkspace();
    const { id, name } = await keys().create(principal, { name: 'Second', scopes: ['mapping:read'] });
    const limits = { numbers: [mobile], callsPerDay: 5 };
    const settings = { budgets: { callsPerDay: 5 } };
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await keys().update(principal, { id, name, limits })).name, name);
      assert.equal((await updateSettings(store, principal, settings, now)).budgets.callsPerDay, 5);
    }
    const changes = (await audited(workspaceId))
      .filter(({ event }) => event.endsWith('.changed'))
      .toSorted((one, other) => one.event.localeCompare(other.event));
    assert.deepEqual(
      changes.map(({ event, detail }) => [event, detail['renamed']]),
      [
        ['key.changed', undefined],
        ['settings.changed', undefined],
      ],
    );
    await keys().update(principal, { id, name: 'Third' });
    assert.equal((await audited(workspaceId)).filter(({ detail }) => detail['renamed'] === true).length, 1);
  });

  it("records the service's own key once", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dialtree-audit-'));
    try {
      const key = await LocalKey.readOrCreate(new DataFolder(folder));
      const before = (await audited(localWorkspaceId)).length;
      for (let starts = 0; starts < 2; starts += 1) await key.enrol(store, '11111111-1111-4111-8111-111111111111', now);
      const written = await audited(localWorkspaceId);
      assert.equal(written.length - before, 1);
      assert.ok(
        written.some(
          ({ event, detail }) => event === 'key.created' && detail['keyId'] === key.id && detail['by'] === 'service',
        ),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('records people asked, verified and replaced, and what they brought', async () => {
    const { workspaceId } = await newWorkspace();
    assert.equal((await verify(workspaceId, mobile)).freeGrantOutcome, 'granted');
    assert.deepEqual(await eventsOf(workspaceId), [
      'anchor.requested',
      'anchor.verified',
      'capacity.granted',
      'workspace.registered',
    ]);
    assert.deepEqual((await audited(workspaceId)).find(({ event }) => event === 'capacity.granted')?.detail, {
      source: 'grant',
    });
    await verify(workspaceId, otherMobile, mobile);
    assert.deepEqual(await eventsOf(workspaceId), [
      'anchor.replaced',
      'anchor.requested',
      'anchor.requested',
      'anchor.verified',
      'anchor.verified',
      'capacity.granted',
      'capacity.granted',
      'workspace.registered',
    ]);
    const again = await newWorkspace();
    assert.equal((await verify(again.workspaceId, mobile)).freeGrantOutcome, 'not-owed');
    assert.deepEqual(
      await eventsOf(again.workspaceId),
      ['anchor.requested', 'anchor.verified', 'workspace.registered'],
      'nothing was given',
    );
  });

  it('records created links, and who claimed the workspace', async () => {
    const { workspaceId } = await newWorkspace();
    const claims = new Claims(
      store,
      () => now,
      (token) => token,
    );
    const { url: token, expiresAt } = await claims.createLink(workspaceId);
    const claim = (email: string) =>
      claims.complete(claimHash(token), { email, password }, { mayBeNew: true, use: () => Promise.resolve(true) });
    const done = await claim('ann@example.com');
    assert.ok(done.state === 'done');
    assert.equal((await claim('bob@example.com')).state, 'used');
    assert.deepEqual(
      (await audited(workspaceId))
        .filter(({ event }) => event.startsWith('claim.'))
        .toSorted((one, other) => one.event.localeCompare(other.event)),
      [
        { event: 'claim.done', detail: { personId: done.personId } },
        { event: 'claim.linked', detail: { expiresAt } },
      ],
    );
  });

  it('records tiers and packs', async () => {
    const { workspaceId } = await newWorkspace();
    await setTier(store, workspaceId, 'team', now);
    await grantPack(store, workspaceId, 'mapping', 2.5, now);
    const written = await audited(workspaceId);
    assert.deepEqual(written.find(({ event }) => event === 'tier.changed')?.detail, { from: 'free', to: 'team' });
    assert.deepEqual(written.find(({ event }) => event === 'capacity.granted')?.detail, {
      source: 'pack',
      pool: 'mapping',
      minutes: 2.5,
    });
  });

  it('records a consent when it is given, not when it is repeated', async () => {
    const { workspaceId, principal } = await newWorkspace();
    await store.db.updateTable('workspaces').set({ kind: 'person' }).where('id', '=', workspaceId).execute();
    await store.db.updateTable('api_keys').set({ by_person: true }).where('id', '=', principal.keyId).execute();
    for (let times = 0; times < 2; times += 1)
      await recordConsent(store, principal, { phoneNumber: '+12125550100', statement: 'I may test this number' }, now);
    assert.deepEqual(
      (await audited(workspaceId)).filter(({ event }) => event === 'consent.recorded'),
      [{ event: 'consent.recorded', detail: { by: principal.keyId } }],
    );
  });

  it('records changed settings', async () => {
    const { workspaceId, principal } = await newWorkspace();
    await updateSettings(store, principal, { budgets: { callsPerDay: 5 } }, now);
    await refused(
      updateSettings(store, { ...principal, workspaceId: '11111111-1111-4111-8111-111111111112' }, {}, now),
      404,
    );
    assert.deepEqual((await audited(workspaceId)).find(({ event }) => event === 'settings.changed')?.detail, {
      by: principal.keyId,
      settings: { budgets: { callsPerDay: 5 }, forbiddenKeys: '', currency: 'USD' },
    });
  });

  it("records nothing that didn't happen, and never a secret or a number", async () => {
    const { workspaceId, principal, apiKey } = await newWorkspace();
    await refused(
      keys().create({ ...principal, scopes: new Set(['mapping:read']) }, { name: 'x', scopes: ['workspace:admin'] }),
      403,
    );
    await assert.rejects(keys().revoke(principal, principal.keyId), { status: 409 });
    await assert.rejects(keys().revoke(principal, 'unknown1'), { status: 404 });
    await assert.rejects(anchors().verify(workspaceId, { phoneNumber: mobile, code: '000000' }), { status: 400 });
    await assert.rejects(
      anchors().request(workspaceId, { phoneNumber: mobile }, address),
      { status: 409 },
      'it stands for another workspace',
    );
    assert.deepEqual(await eventsOf(workspaceId), ['workspace.registered']);
    const all = JSON.stringify(await store.db.selectFrom('audit').selectAll().execute());
    for (const secret of [
      apiKey,
      apiKey.slice(12),
      mobile,
      otherMobile,
      '+12125550100',
      'ann@example.com',
      password,
      sms.codeFor(mobile),
    ])
      assert.ok(!all.includes(secret), secret);
  });
});
