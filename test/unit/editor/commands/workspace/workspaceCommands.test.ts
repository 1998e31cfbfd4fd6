import assert from 'node:assert/strict';
import type { CommandId } from '../../../../../src/editor/basics/commandId.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { commandsIn } from '../../fakeEditor.ts';
import { FakeClient } from '../../fakes.ts';

describe('commands of the workspace', () => {
  let client: FakeClient,
    dialogs: FakeDialogs,
    service: { mode: 'embedded' | 'remote'; url: string | undefined },
    ran: CommandId[],
    opened: string[];
  beforeEach(() => {
    client = new FakeClient();
    service = { mode: 'remote', url: 'https://dialtree.example.com/v1' };
    ran = [];
    opened = [];
  });

  const act = async (id: CommandId, answers: Answer[], argument?: unknown): Promise<void> => {
    dialogs = new FakeDialogs(...answers);
    const handlers = commandsIn({
      client,
      dialogs,
      settings: () => ({ service }),
      run: (command) => ran.push(command),
      guides: {
        open: async (slug) => {
          opened.push(slug);
        },
      },
    });
    await handlers[id](argument);
    dialogs.done();
  };

  it('opens the account page of a remote service, where the person signs in, without a key', async () => {
    await act('dialtree.workspace.openAccount', []);
    assert.deepEqual([dialogs.browsed, client.calls], [['https://dialtree.example.com/account'], []]);
  });

  for (const { mode, url } of [
    { mode: 'embedded', url: undefined },
    { mode: 'remote', url: 'http://127.0.0.1:8021/v1' },
  ] as const)
    it(`opens the account page of a service on this machine (${mode}) with a link for the key`, async () => {
      service = { mode, url };
      client.answers.getAccountLink = () => ({ url: 'http://127.0.0.1:8021/account/open/token' });
      await act('dialtree.workspace.openAccount', []);
      assert.deepEqual([dialogs.browsed, dialogs.shown], [['http://127.0.0.1:8021/account/open/token'], []]);
    });

  it('says that a claim link needs a remote service, and leads to one', async () => {
    service = { mode: 'embedded', url: undefined };
    await act('dialtree.workspace.getClaimLink', [{ press: 'Choose Service' }]);
    assert.match(dialogs.shown.join(), /^You're using the embedded service, which is already yours\./);
    assert.deepEqual([ran, client.calls], [['dialtree.service.choose'], []]);
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

  describe('guides', () => {
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
      assert.deepEqual(opened, ['three']);
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
      await act('dialtree.guide.open', [], { slug: 'limits' });
      assert.deepEqual(opened, ['limits']);
      await assert.rejects(act('dialtree.guide.open', [], { slug: '../x' }), { code: 'bad_argument' });
      assert.equal(client.calls.length, 0);
    });
  });
});
