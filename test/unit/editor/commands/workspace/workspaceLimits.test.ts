import assert from 'node:assert/strict';
import { workspaceSettingsSchema } from '../../../../../src/contract/workspaceSettings.ts';
import type { UpdateWorkspaceSettings, WorkspaceSettings } from '../../../../../src/contract/workspaceSettings.ts';
import { setWorkspaceLimits } from '../../../../../src/editor/commands/workspace/workspaceLimits.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { fakeEditor } from '../../fakeEditor.ts';
import { FakeClient } from '../../fakes.ts';

describe('budgets and retention', () => {
  let settings: WorkspaceSettings, changes: UpdateWorkspaceSettings[], dialogs: FakeDialogs;
  const act = async (...answers: Answer[]): Promise<void> => {
    dialogs = new FakeDialogs(...answers, { pick: undefined });
    const client = new FakeClient({
      getWorkspaceSettings: () => settings,
      updateWorkspaceSettings: (change) => {
        changes.push(change);
        return settings;
      },
    });
    await setWorkspaceLimits(fakeEditor({ client, dialogs }));
    dialogs.done();
  };
  beforeEach(() => {
    settings = workspaceSettingsSchema.parse({ budgets: { secondsPerDay: 5400 }, recordingDays: 30 });
    changes = [];
  });

  it('shows the current values', async () => {
    await act();
    assert.deepEqual(
      dialogs.shown[0]
        ?.split('\n  ')
        .slice(1)
        .map((line) => line.split(' | ').slice(0, 2).join(': ')),
      [
        'Minutes per run: not set',
        'Minutes per day: 90',
        'Calls per day: not set',
        'Cost per day: not set',
        'Model tokens per day: not set',
        'Currency: USD',
        'Forbidden keys: not set',
        'Days to keep recordings: 30',
      ],
    );
  });

  it('sets one after the other, minutes as seconds, and removes one with an empty answer', async () => {
    await act(
      { pick: 'Minutes per run' },
      '2,5',
      { pick: 'Minutes per day' },
      ' ',
      { pick: 'Currency' },
      'eur',
      { pick: 'Forbidden keys' },
      '9*',
      { pick: 'Days to keep recordings' },
      '',
    );
    assert.deepEqual(changes, [
      { budgets: { secondsPerRun: 150 } },
      { budgets: { secondsPerDay: null } },
      { currency: 'EUR' },
      { forbiddenKeys: '9*' },
      { recordingDays: null },
    ]);
  });

  for (const [limit, text] of [
    ['Minutes per run', 'many'],
    ['Calls per day', '1.5'],
    ['Calls per day', '-1'],
    ['Currency', 'dollars'],
    ['Forbidden keys', '12a'],
    ['Days to keep recordings', '0'],
  ] as const) {
    it(`rejects “${text}” as ${limit.toLowerCase()}`, async () => {
      await assert.rejects(act({ pick: limit }, text), /the box refuses/);
    });
  }

  it('changes nothing if the person cancels', async () => {
    await act({ pick: 'Calls per day' }, { type: undefined });
    assert.deepEqual(changes, []);
  });
});
