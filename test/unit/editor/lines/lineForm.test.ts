import assert from 'node:assert/strict';
import { linesSchema } from '../../../../src/contract/lines.ts';
import type { Lines } from '../../../../src/contract/lines.ts';
import { askLine } from '../../../../src/editor/lines/lineForm.ts';
import type { LineAnswers, LineBefore } from '../../../../src/editor/lines/lineForm.ts';
import { back } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';
import { english } from '../fakes.ts';
import { FakeSteps } from './fakeSteps.ts';
import type { StepAnswer } from './fakeSteps.ts';

const twoLines = linesSchema.parse({
  example: { kind: 'trunk', host: 'trunk.example.com', numbers: ['+1*'] },
  pbx: { kind: 'pbx', host: '10.0.0.9' },
});

describe('the form of a line', () => {
  let steps: FakeSteps, others: Lines;
  beforeEach(() => {
    others = twoLines;
  });
  const fill = async (before: LineBefore | undefined, ...answers: StepAnswer[]): Promise<LineAnswers | undefined> => {
    steps = new FakeSteps(...answers);
    const answered = await askLine({ dialogs: steps, l10n: english, others }, before);
    steps.done();
    return answered;
  };

  it('asks what a line is for, where it leads, who calls and the password, and then saves', async () => {
    const answers = await fill(
      undefined,
      { pick: 'SIP trunk' },
      ' sip.carrier.example ',
      { pick: 'TLS' },
      'acme',
      '+12025550100',
      ' s3cret ',
      { pick: 'Save and Check' },
    );
    assert.deepEqual(answers, {
      name: 'carrier',
      password: ' s3cret ',
      line: {
        kind: 'trunk',
        host: 'sip.carrier.example',
        transport: 'tls',
        numbers: ['+*'],
        user: 'acme',
        callerId: '+12025550100',
      },
    });
    assert.deepEqual(
      steps.shown.map((line) => line.slice(0, 21)),
      [
        'Add Line (1/6) What d',
        'Add Line (2/6 ←) Host',
        'Add Line (3/6 ←) Whic',
        'Add Line (4/6 ←) User',
        'Add Line (5/7 ←) Call',
        'Add Line (6/7 ←) Logi',
        'Add Line (7/7 ←) Pres',
      ],
    );
    assert.doesNotMatch(steps.shown.join('\n'), /s3cret/);
  });

  it('asks for the options on request, and offers usual values', async () => {
    const answers = await fill(
      undefined,
      { pick: 'SIP trunk' },
      'sip.carrier.example',
      'keep',
      '',
      'x@y',
      '+12025550100',
      { pick: 'More options…' },
      'keep',
      '+12025550111 601',
      'keep',
      '1',
      '10',
      '0.01',
    );
    assert.deepEqual(steps.refusals, ['Enter a number such as +12025550100, or an extension such as 600.']);
    assert.deepEqual(answers, {
      name: 'carrier',
      password: undefined,
      line: {
        kind: 'trunk',
        host: 'sip.carrier.example',
        numbers: ['+*'],
        callerId: '+12025550100',
        callerIds: ['+12025550111', '601'],
        callsPerSecond: 1,
        concurrentCalls: 10,
        costPerMinute: 0.01,
      },
    });
  });

  it('asks for the numbers of a trunk if another line serves the usual ones', async () => {
    others = linesSchema.parse({ all: { kind: 'trunk', host: 'trunk.example.com', numbers: ['+*'] } });
    const answers = await fill(
      undefined,
      { pick: 'SIP trunk' },
      'sip.carrier.example',
      'keep',
      '',
      '',
      { pick: 'Save and Check' },
      'keep',
      '+49*',
    );
    assert.deepEqual(steps.refusals, ['The line all already serves +*. Enter another number or prefix.']);
    assert.deepEqual(answers?.line.numbers, ['+49*']);
  });

  it('omits empty answers, and asks for no password if there is no user name', async () => {
    assert.deepEqual(await fill(undefined, { pick: 'Lab PBX' }, '10.0.0.5:5080', { pick: 'UDP' }, '', '', 'keep'), {
      name: 'pbx-2',
      line: { kind: 'pbx', host: '10.0.0.5:5080', numbers: [] },
      password: undefined,
    });
    assert.deepEqual(
      await fill(
        undefined,
        { pick: 'One SIP address' },
        'sip:support@ivr.example.com',
        'keep',
        '',
        '',
        { pick: 'More options…' },
        'support',
        '+44*',
        '',
        '',
        '',
      ),
      {
        name: 'support',
        line: { kind: 'uri', uri: 'sip:support@ivr.example.com', numbers: ['+44*'] },
        password: undefined,
      },
    );
    assert.ok(!steps.shown.some((line) => line.includes('password')));
  });

  it('checks each answer as it is typed', async () => {
    await fill(
      undefined,
      { pick: 'SIP trunk' },
      '',
      'sip:x@y',
      'trunk.example.com',
      'keep',
      'a b',
      'acme',
      'x@y',
      '',
      '',
      'pw',
      { pick: 'More options…' },
      'Main',
      'pbx',
      'main',
      '',
      'nine',
      '+1*',
      '+49*, +1*',
      '+49*',
      '0',
      '0.5',
      '1.5',
      '2',
      '-1',
      '',
    );
    assert.deepEqual(
      steps.refusals.map((text) => text.slice(0, 22)),
      [
        'Enter a host name or a',
        'Enter a host name or a',
        "Don't use spaces, quot",
        'Enter a number such as',
        'Enter the password. Th',
        'Use lower-case letters',
        'A line called pbx alre',
        'Enter at least one num',
        "nine isn't a number su",
        'The line example alrea',
        'The line example alrea',
        'Enter a number from 0.',
        'Enter a whole number f',
        'Enter a number from 0 ',
      ],
    );
  });

  it('goes back to any earlier step with its answer', async () => {
    const answers = await fill(
      undefined,
      { pick: 'SIP trunk' },
      'a.example.com',
      back,
      'keep',
      back,
      back,
      { pick: 'Lab PBX' },
      'keep',
      'keep',
      'acme',
      back,
      '',
      back,
      'acme',
      '',
      'pw',
      back,
      'keep',
      { pick: 'More options…' },
      back,
      { pick: 'Save and Check' },
    );
    assert.deepEqual(answers, {
      name: 'example-2',
      line: { kind: 'pbx', host: 'a.example.com', numbers: [], user: 'acme' },
      password: 'pw',
    });
  });

  it('drops an address that no longer fits when the kind changes', async () => {
    await fill(undefined, { pick: 'SIP trunk' }, 'a.example.com', back, back, { pick: 'One SIP address' }, undefined);
    assert.match(steps.shown.at(-1) ?? '', /SIP address.*\[\]$/);
  });

  for (const [at, ...answers] of [
    ['the kind', undefined],
    ['the address', { pick: 'SIP trunk' }, undefined],
    ['the password', { pick: 'SIP trunk' }, 'x', 'keep', 'u', '', undefined],
    ['the end', { pick: 'SIP trunk' }, 'x', 'keep', '', '', undefined],
  ] as [string, ...StepAnswer[]][]) {
    it(`returns nothing if the person cancels at ${at}`, async () =>
      assert.equal(await fill(undefined, ...answers), undefined));
  }

  it('shows the current values when editing, and keeps a stored password', async () => {
    const line = {
      kind: 'trunk' as const,
      host: 'x.example.com',
      transport: 'tcp' as const,
      numbers: ['+44*'],
      user: 'acme',
      callerId: '600',
      callerIds: ['601'],
      dtmf: 'info' as const,
      concurrentCalls: 5,
    };
    const before = { name: 'main', line, hasPassword: true };
    assert.deepEqual(
      await fill(
        before,
        ...['keep', 'keep', 'keep', 'keep', 'keep', ''],
        { pick: 'More options…' },
        ...['keep', 'keep', 'keep', 'keep', 'keep', 'keep'],
      ),
      { name: 'main', line, password: undefined },
    );
    assert.deepEqual(
      steps.shown.map((text) => /\[(.*)\]$/.exec(text)?.[1]),
      ['SIP trunk', 'x.example.com', 'TCP', 'acme', '600', '', 'Save and Check', 'main', '601', '+44*', '', '5', ''],
    );
    assert.match(steps.shown[0] ?? '', /^Edit Line main \(1\/7\)/);
    assert.match(steps.shown[5] ?? '', /Leave empty to keep the stored password/);
    const changed = await fill(
      before,
      { pick: 'Lab PBX' },
      'keep',
      { pick: 'UDP' },
      '',
      'keep',
      { pick: 'More options…' },
      'lab',
      '',
      '',
      '',
      '',
      '',
    );
    assert.deepEqual(changed, {
      name: 'lab',
      line: { kind: 'pbx', host: 'x.example.com', numbers: [], callerId: '600', dtmf: 'info' },
      password: undefined,
    });
  });
});
