import assert from 'node:assert/strict';
import { defaultCaller } from '../../../../src/contract/profiles.ts';
import type { CallerProfile } from '../../../../src/contract/profiles.ts';
import { askProfile } from '../../../../src/editor/profiles/profileForm.ts';
import { back } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';
import { english } from '../fakes.ts';
import { FakeSteps } from '../lines/fakeSteps.ts';
import type { StepAnswer } from '../lines/fakeSteps.ts';

const lines = [
  { name: 'main', address: 'trunk.example.com', callerId: '+12025550100', callerIds: ['+12025550111'] },
  { name: 'desk', address: '10.0.0.5' },
  { name: 'lab', address: '10.0.0.6', callerId: '600' },
];

describe('the form of a profile', () => {
  let steps: FakeSteps;
  const fill = async (
    offered: typeof lines,
    before: CallerProfile | undefined,
    ...answers: StepAnswer[]
  ): Promise<CallerProfile | undefined> => {
    steps = new FakeSteps(...answers);
    const answered = await askProfile({ dialogs: steps, l10n: english, lines: offered }, before);
    steps.done();
    return answered;
  };
  const stood = (): (string | undefined)[] => steps.shown.map((text) => /\[(.*)\]$/.exec(text)?.[1]);

  it('asks for every value, and offers existing lines and numbers', async () => {
    assert.deepEqual(
      await fill(
        lines,
        undefined,
        ' Careful ',
        { pick: 'slt' },
        '250',
        '300',
        '2.5',
        { pick: 'main' },
        { pick: '+12025550111' },
        '3',
      ),
      {
        name: 'Careful',
        language: 'en-US',
        voice: 'slt',
        keyToneMs: 250,
        keyGapMs: 300,
        patienceSeconds: 2.5,
        line: 'main',
        callerId: '+12025550111',
        concurrency: 3,
      },
    );
    assert.deepEqual(stood(), [
      '',
      'rms',
      '100',
      '100',
      '',
      'The line that serves the number',
      'The caller ID of the line',
      '',
    ]);
    assert.match(steps.shown[0] ?? '', /^Add Profile \(1\)/);
  });

  it('omits empty answers, and asks for no line if there is none, and no number if no line has one', async () => {
    assert.deepEqual(await fill([], undefined, 'Plain', 'keep', '', 'keep', 'keep', 'keep'), {
      ...defaultCaller,
      name: 'Plain',
    });
    assert.deepEqual(await fill(lines, undefined, 'Desk', 'keep', 'keep', 'keep', '', { pick: 'desk' }, 'keep'), {
      ...defaultCaller,
      name: 'Desk',
      line: 'desk',
    });
    assert.deepEqual(await fill(lines, undefined, 'Any', 'keep', 'keep', 'keep', '', 'keep', { pick: '600' }, 'keep'), {
      ...defaultCaller,
      name: 'Any',
      callerId: '600',
    });
  });

  it('checks each answer as it is typed', async () => {
    await fill(
      [],
      undefined,
      '',
      'x'.repeat(201),
      'p',
      'keep',
      '39',
      '100.5',
      'keep',
      '2001',
      'keep',
      '0.5',
      '61',
      '',
      '0',
      '',
    );
    assert.deepEqual(
      steps.refusals.map((text) => text.slice(0, 33)),
      [
        ...Array.from({ length: 2 }, () => 'Enter a name of 1 to 200 characte'),
        ...Array.from({ length: 3 }, () => 'Enter a whole number from 40 to 2'),
        ...Array.from({ length: 2 }, () => 'Enter a number from 1 to 60, or l'),
        'Enter a whole number from 1 to 20',
      ],
    );
  });

  it('shows the current values when editing, and removes emptied ones', async () => {
    const before: CallerProfile = {
      name: 'Careful',
      language: 'en-GB',
      voice: 'awb',
      keyToneMs: 200,
      keyGapMs: 150,
      patienceSeconds: 20,
      line: 'gone',
      callerId: '601',
      concurrency: 2,
    };
    assert.deepEqual(await fill(lines, before, ...Array.from({ length: 8 }, () => 'keep')), before);
    assert.deepEqual(stood(), ['Careful', 'awb', '200', '150', '20', 'gone', '601', '2']);
    assert.match(steps.shown[0] ?? '', /^Edit Profile Careful/);
    assert.deepEqual(
      await fill(
        lines,
        before,
        'keep',
        back,
        'Other',
        'keep',
        '',
        '',
        '',
        { pick: 'The line that serves the number' },
        { pick: 'The caller ID of the line' },
        '',
      ),
      { ...defaultCaller, name: 'Other', language: 'en-GB', voice: 'awb' },
    );
    assert.equal(await fill(lines, before, 'keep', undefined), undefined);
  });
});
