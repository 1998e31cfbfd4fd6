import assert from 'node:assert/strict';
import { errorOf } from '../../../../../src/client/errors.ts';
import { scopes } from '../../../../../src/contract/scopes.ts';
import type { ApiKey, FreeGrantOutcome } from '../../../../../src/contract/workspace.ts';
import { workspaceCommands } from '../../../../../src/editor/commands/workspace/workspaceCommands.ts';
import { mobileNumber } from '../../../../../src/service/people/mobileNumber.ts';
import type { WorkspaceCommandParts } from '../../../../../src/editor/commands/workspace/workspaceCommands.ts';
import type { CommandId } from '../../../../../src/editor/basics/commandTable.ts';
import { createFormats } from '../../../../../src/editor/basics/formats.ts';
import type { Page } from '../../../../../src/editor/panels/documents/page.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { english, FakeClient, uuid } from '../../fakes.ts';
import { usage } from '../../usageValues.ts';

const url = 'https://dialtree.example.com/v1';
const secret = 'dt_AAAAAAAA_thesecret';
const mobile = '+447400123456';
const refusal = (status: number, reason: string): Error =>
  errorOf(status, { message: `Refused: ${reason}.`, code: reason, reason, requestId: 'r' }, undefined);
/** Fails with each error once, then succeeds. */
const failing =
  <T>(errors: (Error | undefined)[], value: T): (() => T) =>
  () => {
    const error = errors.shift();
    if (error) throw error;
    return value;
  };

describe('commands of the workspace', () => {
  let client: FakeClient,
    dialogs: FakeDialogs,
    secrets: Map<string, string>,
    mode: 'embedded' | 'remote',
    ran: CommandId[],
    opened: Page[],
    changes: number;
  let registered: string[], ownKey: string | undefined;
  beforeEach(() => {
    client = new FakeClient();
    secrets = new Map();
    mode = 'remote';
    ran = [];
    opened = [];
    registered = [];
    changes = 0;
    ownKey = undefined;
  });

  const act = async (
    id: keyof ReturnType<typeof workspaceCommands>,
    answers: Answer[],
    changed: Partial<WorkspaceCommandParts> = {},
    argument?: unknown,
  ): Promise<void> => {
    dialogs = new FakeDialogs(...answers);
    const handlers = workspaceCommands({
      client,
      dialogs,
      l10n: english,
      formats: createFormats('en'),
      settings: () => ({ mode, url }),
      remoteUrl: () => url,
      run: (command) => ran.push(command),
      keys: {
        read: async (at) => secrets.get(at),
        store: async (at, key) => {
          secrets.set(at, key);
        },
      },
      register: async (at) => {
        registered.push(at);
        return { workspaceId: uuid(1), apiKey: secret, keyPrefix: 'dt_AAAAAAAA', scopes: [...scopes] };
      },
      onKeyChanged: () => (changes += 1),
      ownKey: async () => ownKey,
      openPage: async (page) => {
        opened.push(page);
      },
      ...changed,
    });
    await handlers[id](argument);
    dialogs.done();
  };

  for (const id of [
    'dialtree.workspace.register',
    'dialtree.workspace.verifyPhone',
    'dialtree.workspace.getClaimLink',
  ] as const) {
    it(`${id} says that it needs a remote service, and leads to one`, async () => {
      mode = 'embedded';
      await act(id, [{ press: 'Choose Service' }]);
      assert.match(
        dialogs.shown.join('\n'),
        /^You're using the embedded service, which [^.]*\. To [^.]* on a remote service, choose that service first\. \[Choose Service\]$/,
      );
      assert.deepEqual(ran, ['dialtree.service.choose']);
      assert.deepEqual([client.calls, registered], [[], []]);
    });
  }

  describe('registering', () => {
    it('keeps the key in secret storage, shows only its prefix, and copies it once on request', async () => {
      await act('dialtree.workspace.register', [{ press: 'Copy Key' }]);
      assert.deepEqual(registered, [url]);
      assert.equal(secrets.get(url), secret);
      assert.equal(changes, 1);
      assert.deepEqual(dialogs.copied, [secret]);
      assert.equal(dialogs.shown.length, 1);
      assert.match(dialogs.shown[0]!, /dialtree\.example\.com.*dt_AAAAAAAA .*\[Verify a Phone\] \[Copy Key\]$/);
      assert.ok(![...dialogs.shown, ...dialogs.waits].join('\n').includes('thesecret'));
      await act('dialtree.workspace.register', [{ agree: true }, { press: 'Verify a Phone' }]);
      assert.deepEqual([ran, dialogs.copied], [['dialtree.workspace.verifyPhone'], []]);
    });

    it('asks before it replaces a stored key', async () => {
      secrets.set(url, 'dt_old');
      await act('dialtree.workspace.register', [{ agree: false }]);
      assert.deepEqual([registered, secrets.get(url), changes], [[], 'dt_old', 0]);
      await act('dialtree.workspace.register', [{ agree: true }, { press: undefined }]);
      assert.equal(secrets.get(url), secret);
    });

    it("hands out the key if it can't be stored, rather than losing it", async () => {
      const broken = {
        read: async () => undefined,
        store: async () => {
          throw new Error('no keyring');
        },
      };
      await assert.rejects(act('dialtree.workspace.register', [{ press: 'Copy Key' }], { keys: broken }), {
        message: 'no keyring',
      });
      assert.deepEqual(dialogs.copied, [secret]);
      assert.equal(changes, 0);
    });
  });

  describe('verifying a phone', () => {
    const verify = (...answers: Answer[]): Promise<void> => act('dialtree.workspace.verifyPhone', answers);
    const good = (outcome: FreeGrantOutcome = 'granted'): void => {
      client.answers = {
        requestAnchorCode: () => ({ sent: true }),
        verifyAnchorCode: () => ({ anchored: true, freeGrantOutcome: outcome }),
        getWorkspaceUsage: () => usage(),
      };
    };

    it('asks for the number and for the code', async () => {
      good();
      await verify(` ${mobile} `, '123 456', { press: 'Show Usage' });
      assert.deepEqual(client.calls, [
        { name: 'requestAnchorCode', input: { phoneNumber: mobile } },
        { name: 'verifyAnchorCode', input: { phoneNumber: mobile, code: '123 456' } },
      ]);
      assert.deepEqual(ran, ['dialtree.workspace.showUsage']);
    });

    for (const [outcome, words, buttons] of [
      ['granted', 'The workspace now has its free minutes', '[Show Usage]'],
      ['already-granted', 'already received the free minutes', '[Show Usage]'],
      ['not-owed', "doesn't give free minutes", '[Show Usage]'],
      ['refused', 'refused the free minutes', '[Show Usage]'],
      ['unavailable', 'Try again in a minute', '[Try Again]'],
    ] as const) {
      it(`reports the outcome ${outcome} in at most two sentences, with what to do next`, async () => {
        good(outcome);
        await verify(mobile, '123456', { press: undefined });
        const last = dialogs.shown.at(-1)!;
        assert.ok(last.startsWith(`Verified ${mobile}`) && last.includes(words) && last.endsWith(buttons), last);
        assert.ok(last.split('. ').length <= 3, 'two sentences, then the buttons');
      });
    }

    it("repeats the same call if the minutes couldn't be granted", async () => {
      good();
      const outcomes: FreeGrantOutcome[] = ['unavailable', 'granted'];
      client.answers.verifyAnchorCode = () => ({ anchored: true, freeGrantOutcome: outcomes.shift()! });
      await verify(mobile, '123456', { press: 'Try Again' }, { press: undefined });
      const [first, second] = client.calls.filter(({ name }) => name === 'verifyAnchorCode');
      assert.deepEqual(first, second);
    });

    for (const [reason, status, words] of [
      ['unparseable', 400, /isn't a phone number/],
      ['country_not_supported', 400, /United Kingdom.*United States/],
      ['not_a_mobile', 400, /landline/],
      ['already_anchored', 409, /another workspace/],
    ] as const) {
      it(`says why a number is rejected (${reason}), and asks for another`, async () => {
        good();
        client.answers.requestAnchorCode = failing([refusal(status, reason)], { sent: true });
        await verify('+33612345678', mobile, { type: undefined });
        assert.match(dialogs.shown[1]!, words);
        for (const [example] of dialogs.shown[1]!.matchAll(/\+\d{7,}/g))
          assert.equal(mobileNumber(example), example, 'the service accepts the example');
        assert.equal(client.count('verifyAnchorCode'), 0);
      });
    }

    it('asks again after a wrong code, and sends another one for an empty answer', async () => {
      good();
      client.answers.verifyAnchorCode = failing([refusal(400, 'bad_code')], {
        anchored: true,
        freeGrantOutcome: 'granted',
      });
      await verify(mobile, '000000', '', '123456', { press: undefined });
      assert.match(dialogs.shown[2]!, /wrong or older than 5 minutes/);
      assert.equal(client.count('requestAnchorCode'), 2);
      assert.equal(client.count('verifyAnchorCode'), 2);
    });

    it('asks which number to replace if no place is left', async () => {
      good();
      client.answers.verifyAnchorCode = failing([refusal(403, 'anchor_limit_reached')], {
        anchored: true,
        freeGrantOutcome: 'not-owed',
      });
      client.answers.getWorkspaceUsage = () =>
        usage({ anchors: [{ phoneNumber: '+447400000001', verifiedAt: '2026-01-02T00:00:00Z' }] });
      await verify(mobile, '123456', { pick: '+447400000001' }, { press: undefined });
      assert.deepEqual(client.calls.at(-1)?.input, { phoneNumber: mobile, code: '123456', replaces: '+447400000001' });
    });

    it('asks that before a code is sent if no place is left then, and uses the same answer to verify', async () => {
      good();
      client.answers.requestAnchorCode = failing([refusal(403, 'anchor_limit_reached')], { sent: true });
      client.answers.getWorkspaceUsage = () =>
        usage({ anchors: [{ phoneNumber: '+447400000001', verifiedAt: '2026-01-02T00:00:00Z' }] });
      await verify(mobile, { pick: '+447400000001' }, '123456', { press: undefined });
      const given = client.calls
        .filter(({ name }) => name !== 'getWorkspaceUsage')
        .map(({ name, input }) => [name, (input as { replaces?: string }).replaces]);
      assert.deepEqual(given, [
        ['requestAnchorCode', undefined],
        ['requestAnchorCode', '+447400000001'],
        ['verifyAnchorCode', '+447400000001'],
      ]);
      await verify(mobile, { type: undefined });
    });

    it('leaves every other error to the caller', async () => {
      client.answers.requestAnchorCode = failing([refusal(503, 'sms_unavailable')], { sent: true });
      await assert.rejects(verify(mobile), { code: 'sms_unavailable' });
    });
  });

  it('copies a claim link or opens it, without showing it', async () => {
    client.answers.getClaimLink = () => ({
      url: 'https://dialtree.example.com/claim/token',
      expiresAt: '2026-01-01T12:00:00Z',
    });
    await act('dialtree.workspace.getClaimLink', [{ press: 'Copy' }]);
    assert.deepEqual([dialogs.copied, dialogs.browsed], [['https://dialtree.example.com/claim/token'], []]);
    assert.ok(!dialogs.shown.join('').includes('token'));
    await act('dialtree.workspace.getClaimLink', [{ press: 'Open in Browser' }]);
    assert.deepEqual([dialogs.copied, dialogs.browsed], [[], ['https://dialtree.example.com/claim/token']]);
  });

  describe('managing keys', () => {
    const key = (id: string, values: Partial<ApiKey> = {}): ApiKey => ({
      id,
      name: `Key ${id}`,
      keyPrefix: `dt_${id}`,
      scopes: ['mapping:read', 'workspace:admin'],
      createdAt: '2026-01-02T03:04:05Z',
      ...values,
    });
    const manage = (...answers: Answer[]): Promise<void> => act('dialtree.workspace.manageKeys', answers);
    const own = key('OWNOWNOW', { lastUsedAt: '2026-02-03T03:04:05Z' });
    const other = key('OTHEROTH');
    beforeEach(() => {
      ownKey = 'dt_OWNOWNOW_secret';
      client.answers = {
        listApiKeys: () => ({ items: [own, other, key('REVOKEDR', { revokedAt: '2026-01-03T00:00:00Z' })] }),
        createApiKey: () => ({ ...key('AAAAAAAA'), apiKey: secret }),
        revokeApiKey: () => other,
      };
    });

    it('lists the live keys, and marks the current one', async () => {
      await manage({ pick: undefined });
      assert.equal(
        dialogs.shown[0],
        [
          'Create a key, or choose a key to revoke',
          '  $(add) Create a Key…',
          '  Keys of this workspace | $(key) Key OWNOWNOW | dt_OWNOWNOW · used by this editor | created 2026-01-02 · last used 2026-02-03 · mapping:read, workspace:admin',
          '  Keys of this workspace | $(key) Key OTHEROTH | dt_OTHEROTH | created 2026-01-02 · never used · mapping:read, workspace:admin',
        ].join('\n'),
      );
    });

    it("counts scopes that don't fit a line", async () => {
      client.answers.listApiKeys = () => ({
        items: [key('MANYMANY', { scopes: scopes.slice(0, 3) }), key('ALLALLAL', { scopes: [...scopes] })],
      });
      await manage({ pick: undefined });
      assert.match(dialogs.shown[0]!, new RegExp(`never used · 3 of ${String(scopes.length)} scopes$`, 'm'));
      assert.match(dialogs.shown[0]!, /never used · all scopes$/);
    });

    it('lets a new key read, and offers the rest', async () => {
      await manage({ pick: '$(add) Create a Key…' }, 'Reporting', { pickSome: 'offered' }, { press: undefined });
      assert.deepEqual(client.calls.at(-1)?.input, { name: 'Reporting', scopes: ['mapping:read'] });
    });

    it('copies a new key and shows only its prefix; offers no scope that the current key lacks', async () => {
      await manage({ pick: '$(add) Create a Key…' }, 'Reporting', { pickSome: ['mapping:read'] }, { press: undefined });
      assert.deepEqual(client.calls.at(-1), {
        name: 'createApiKey',
        input: { name: 'Reporting', scopes: ['mapping:read'] },
      });
      assert.deepEqual(dialogs.copied, [secret]);
      assert.equal(dialogs.shown[2], 'What do you want the key to allow?\n  mapping:read\n  ○ workspace:admin');
      assert.ok(!dialogs.shown.join('\n').includes('thesecret'));
    });

    it('creates no key without a scope', async () => {
      await manage({ pick: '$(add) Create a Key…' }, 'Reporting', { pickSome: [] }, { press: undefined });
      assert.equal(client.count('createApiKey'), 0);
    });

    it('revokes a key only after the person agrees', async () => {
      await manage({ pick: '$(key) Key OTHEROTH' }, { agree: false });
      assert.equal(client.count('revokeApiKey'), 0);
      await manage({ pick: '$(key) Key OTHEROTH' }, { agree: true }, { press: undefined });
      assert.deepEqual(client.calls.at(-1), { name: 'revokeApiKey', input: { id: 'OTHEROTH' } });
      assert.deepEqual(ran, []);
    });

    it('warns that the current key will stop working, and asks for another', async () => {
      await manage({ pick: '$(key) Key OWNOWNOW' }, { agree: true }, { press: 'Set API Key' });
      assert.match(dialogs.shown[1]!, /This editor uses dt_OWNOWNOW, so you'll need to set another key/);
      assert.deepEqual(ran, ['dialtree.key.clear', 'dialtree.key.set']);
    });
  });

  describe('pages', () => {
    it('open usage on either service', async () => {
      mode = 'embedded';
      await act('dialtree.workspace.showUsage', []);
      assert.deepEqual(opened, [{ kind: 'usage' }]);
    });

    it("let a person pick a guide by group, in the service's order", async () => {
      const entry = (slug: string, group: string, kind: 'guide' | 'reference' = 'guide') => ({
        slug,
        group,
        kind,
        title: `About ${slug}`,
        summary: `${slug} in a line`,
      });
      client.answers.listGuides = () => ({
        items: [
          entry('one', 'Start'),
          entry('two', 'Mapping'),
          entry('three', 'Start'),
          entry('four', 'Reference', 'reference'),
        ],
      });
      await act('dialtree.guide.open', [{ pick: '$(book) About three' }]);
      assert.equal(
        dialogs.shown[0],
        [
          'Which guide do you want to read?',
          '  Start | $(book) About one | one in a line',
          '  Start | $(book) About three | three in a line',
          '  Mapping | $(book) About two | two in a line',
          '  Reference | $(list-flat) About four | four in a line',
        ].join('\n'),
      );
      assert.deepEqual(opened, [{ kind: 'guide', slug: 'three' }]);
      await act('dialtree.guide.open', [{ pick: undefined }]);
      assert.equal(opened.length, 1);
    });

    it('offer the first steps in the editor first', async () => {
      const entry = (slug: string) => ({ slug, group: 'Start', kind: 'guide' as const, title: slug, summary: slug });
      client.answers.listGuides = () => ({ items: [entry('agents'), entry('getting-started'), entry('practice-ivr')] });
      await act('dialtree.guide.open', [{ pick: undefined }]);
      assert.deepEqual(
        [...dialogs.shown[0]!.matchAll(/\$\(book\) (\S+)/g)].map(([, slug]) => slug),
        ['getting-started', 'agents', 'practice-ivr'],
      );
    });

    it('open the guide that an argument names, and reject other arguments', async () => {
      await act('dialtree.guide.open', [], {}, { slug: 'limits' });
      assert.deepEqual(opened, [{ kind: 'guide', slug: 'limits' }]);
      await assert.rejects(act('dialtree.guide.open', [], {}, { slug: '../x' }), { code: 'bad_argument' });
      assert.equal(client.calls.length, 0);
    });
  });
});
