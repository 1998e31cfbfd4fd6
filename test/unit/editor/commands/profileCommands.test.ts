import assert from 'node:assert/strict';
import { defaultCaller } from '../../../../src/contract/profiles.ts';
import type { Profile } from '../../../../src/contract/profiles.ts';
import { askHowToCall } from '../../../../src/editor/commands/profileCommands.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { english, FakeClient, uuid } from '../fakes.ts';
import { FakeSteps } from '../lines/fakeSteps.ts';
import type { StepAnswer } from '../lines/fakeSteps.ts';

const at = '2026-03-01T12:00:00.000Z';
const profile = (id: number, more: Partial<Profile> = {}): Profile => ({
  id: uuid(id),
  isDefault: id === 1,
  ...defaultCaller,
  ...(id > 1 && { name: `Profile ${String(id)}` }),
  createdAt: at,
  updatedAt: at,
  ...more,
});

describe('the commands of profiles', () => {
  let held: Profile[], sent: (readonly [string, unknown])[], client: FakeClient, dialogs: FakeDialogs;
  const note =
    <Answer>(name: string, answer: Answer) =>
    (input: unknown): Answer => {
      sent.push([name, input]);
      return answer;
    };
  beforeEach(() => {
    held = [profile(1), profile(2, { patienceSeconds: 20, line: 'desk', callerId: '600', keyToneMs: 250 })];
    sent = [];
    client = new FakeClient({
      listProfiles: () => ({ items: held }),
      listLines: () => ({ items: [] }),
      createProfile: note('createProfile', profile(3)),
      updateProfile: note('updateProfile', profile(2)),
      deleteProfile: note('deleteProfile', { deleted: true as const }),
    });
  });

  async function run(id: 'add' | 'edit' | 'delete', said: readonly Answer[], ...asked: StepAnswer[]): Promise<void> {
    dialogs = new FakeDialogs(...said);
    const steps = new FakeSteps(...asked);
    await commandsIn({ client, dialogs, steps })[`dialtree.profile.${id}`]();
    dialogs.done();
    steps.done();
  }

  it('add one, whose ID can be copied for files', async () => {
    await run('add', [{ press: 'Copy ID' }], 'New', { pick: 'slt' }, 'keep', 'keep', '', '');
    assert.deepEqual(sent, [['createProfile', { ...defaultCaller, name: 'New', voice: 'slt' }]]);
    assert.deepEqual([dialogs.shown, dialogs.copied], [['Saved the profile Profile 3. [Copy ID]'], [uuid(3)]]);
  });

  it('edit the picked one, and remove emptied values', async () => {
    await run(
      'edit',
      [{ pick: 'Profile 2' }, { press: undefined }],
      'keep',
      'keep',
      'keep',
      'keep',
      '',
      'keep',
      { pick: 'The caller ID of the line' },
      '4',
    );
    assert.match(
      dialogs.shown[0] ?? '',
      /Default \| rms · 100\/100 ms\n {2}Profile 2 \| rms · 250\/100 ms · desk · 600/,
    );
    const { name, language, voice, keyGapMs } = profile(2);
    assert.deepEqual(sent, [
      [
        'updateProfile',
        {
          id: uuid(2),
          name,
          language,
          voice,
          keyGapMs,
          keyToneMs: 250,
          patienceSeconds: null,
          callerId: null,
          line: 'desk',
          concurrency: 4,
        },
      ],
    ]);
  });

  it("delete one that isn't the default, once the person agrees", async () => {
    await run('delete', [{ pick: 'Profile 2' }, { agree: false }]);
    assert.deepEqual(sent, []);
    await run('delete', [{ pick: 'Profile 2' }, { agree: true }]);
    assert.doesNotMatch(dialogs.shown[0] ?? '', /Default/);
    assert.deepEqual(sent, [['deleteProfile', { id: uuid(2) }]]);
    held = [profile(1)];
    await run('delete', [{ press: undefined }]);
    assert.match(dialogs.shown[0] ?? '', /^You have only the default profile\./);
  });

  it('do nothing if the person cancels', async () => {
    await run('edit', [{ pick: undefined }]);
    await run('delete', [{ pick: undefined }]);
    assert.deepEqual(sent, []);
  });

  it('ask for the profile of a new item only if there is a choice', async () => {
    const ask = async (...said: Answer[]): Promise<unknown> => {
      dialogs = new FakeDialogs(...said);
      const answer = await askHowToCall({ client, dialogs, l10n: english });
      dialogs.done();
      return answer;
    };
    assert.deepEqual(await ask({ pick: 'Profile 2' }), { profileId: uuid(2) });
    assert.equal(await ask({ pick: undefined }), undefined);
    held = [profile(1)];
    assert.deepEqual(await ask(), {});
  });
});
