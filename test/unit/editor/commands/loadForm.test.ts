import assert from 'node:assert/strict';
import type { RunLoadTest } from '../../../../src/contract/loadTests.ts';
import { askForLoad, askLoadSize } from '../../../../src/editor/commands/tests/loadForm.ts';
import { fakeEditor } from '../fakeEditor.ts';
import { FakeSteps, more } from '../lines/fakeSteps.ts';
import type { StepAnswer } from '../lines/fakeSteps.ts';
import { memento } from '../testing/fakeRuns.ts';

const bank = 'sip:bank@127.0.0.1:5070';
const end = { pick: 'Done' };
const back = { pick: '$(arrow-left) Back to the options' };

describe('the form of a load test', () => {
  let steps: FakeSteps, context: { workspaceState: ReturnType<typeof memento> };
  beforeEach(() => {
    context = { workspaceState: memento() };
  });
  const parts = (...answers: StepAnswer[]) => {
    steps = new FakeSteps(...answers);
    return fakeEditor({ steps, context, pickTarget: () => Promise.resolve({ target: bank }) });
  };
  const fill = async (...answers: StepAnswer[]): Promise<RunLoadTest | undefined> => {
    const load = await askForLoad(parts(...answers));
    steps.done();
    return load;
  };
  /** Changes options at the last question. */
  const withOptions = (...answers: StepAnswer[]) => fill('50', '5', more, ...answers, end, '60');

  it('checks each answer as it is typed, and accepts a decimal comma', async () => {
    const load = await fill('0', '2001', '1.5', 'many', '', '2000', '601', '7,5', '', 'keep');
    assert.deepEqual([load?.concurrency, load?.rampSeconds, load?.holdSeconds], [2000, 7.5, 10]);
    assert.deepEqual(steps.refusals, [
      ...Array.from({ length: 5 }, () => 'Enter a whole number from 1 to 2000.'),
      'Enter a number from 0 to 600.',
      'Enter a number from 1 to 28800.',
    ]);
  });

  it('opens the options on request, and then asks the same question again', async () => {
    const load = await withOptions(
      { pick: 'Length of each call' },
      '12,5',
      { pick: 'Replace calls that end' },
      { pick: 'Maximum calls per second' },
      '2',
      { pick: 'Keys that each call presses' },
      '5:1; 12.5:2#',
    );
    assert.deepEqual(load, {
      phoneNumber: bank,
      concurrency: 50,
      rampSeconds: 5,
      holdSeconds: 60,
      callSeconds: 12.5,
      replace: true,
      callsPerSecond: 2,
      keys: [
        { afterSeconds: 5, digits: '1' },
        { afterSeconds: 12.5, digits: '2#' },
      ],
    });
    assert.match(
      steps.shown.at(-1) ?? '',
      /change\?, Criteria: none, so no verdict, Further stages: no further stages, Replace calls that end: yes, Maximum calls per second: 2, Length of each call: 12.5 s, Keys that each call presses: 5:1; 12.5:2# \[Done\]$/,
    );
  });

  it('asks for criteria one after the other, and for stages, and offers them again next time', async () => {
    const first = await withOptions(
      { pick: 'Criteria' },
      ...[{ pick: 'Set-up success' }, '98,5', { pick: 'Packet loss' }, '7'],
      ...[{ pick: 'Estimated MOS' }, '4', { pick: 'Estimated MOS' }, '', { pick: 'Jitter, p95' }, undefined],
      back,
      { pick: 'Further stages' },
      '100:10:30; 10:5:30',
    );
    const stages = [
      { concurrency: 100, rampSeconds: 10, holdSeconds: 30 },
      { concurrency: 10, rampSeconds: 5, holdSeconds: 30 },
    ];
    const criteria = { minSetupSuccess: 0.985, maxLoss: 0.07 };
    assert.deepEqual([first?.criteria, first?.stages], [criteria, stages]);
    assert.match(
      steps.shown.at(-1) ?? '',
      /Criteria: Set-up success ≥ 98.5 %, Packet loss ≤ 7 %, Further stages: 100:10:30, 10:5:30,/,
    );
    assert.doesNotMatch(steps.shown.join(), /Passed calls/, 'only the calls of a test can pass');
    const again = await withOptions();
    assert.deepEqual([again?.criteria, again?.stages], [criteria, stages]);
    assert.equal((await fill('50', '5', '60'))?.criteria, undefined, 'only what the user has seen applies');
  });

  it('refuses a hold that makes the test too long with its stages', async () => {
    await withOptions({ pick: 'Further stages' }, '10:0:28800');
    await fill('50', '5', more, end, '28000', '60');
    assert.deepEqual(steps.refusals, ['All ramps and holds together can take up to 43200 s. Use shorter stages.']);
  });

  for (const [label, min, max] of [
    ['Set-up success', '0', '100'],
    ['Post-dial delay, p95', '0', '600'],
    ['Answer time, p95', '0', '600'],
    ['Prompt time, p95', '0', '600'],
    ['Packet loss', '0', '100'],
    ['Jitter, p95', '0', '10000'],
    ['Estimated MOS', '1', '4.5'],
  ] as const)
    it(`accepts ${label} from ${min} to ${max}, and says so`, async () => {
      const limit = { pick: label };
      await withOptions({ pick: 'Criteria' }, limit, min, limit, '0.x', `${max}1`, max, back);
      assert.deepEqual(
        steps.refusals,
        Array.from({ length: 2 }, () => `Enter a number from ${min} to ${max}, or leave the field empty.`),
      );
    });

  it('checks stages and keys, and removes an option whose box is left empty', async () => {
    const load = await withOptions(
      { pick: 'Further stages' },
      ...['0:1:1', '10:5', '2001:1:1', '50:10:60, x', Array.from({ length: 21 }, () => '1:1:1').join()],
      ...['9:0:28800, 9:0:28800', '50:10:60,10:5.5:30 10:0:0'],
      { pick: 'Keys that each call presses' },
      ...['1', '5:x', '5:1;x', '99999:1', Array.from({ length: 51 }, (_, second) => `${String(second)}:1`).join(';')],
      '0,5:1,2#; 8:*',
      ...[{ pick: 'Length of each call' }, '3', { pick: 'Length of each call' }, ''],
    );
    assert.deepEqual(
      steps.refusals.map((text) => text.slice(0, 22)),
      [
        ...Array.from({ length: 5 }, () => 'Enter up to 20 stages '),
        'All ramps and holds to',
        ...Array.from({ length: 5 }, () => 'Enter up to 50 entries'),
      ],
    );
    assert.deepEqual([load?.stages?.length, load?.callSeconds], [3, undefined]);
    assert.deepEqual(load?.keys, [
      { afterSeconds: 0.5, digits: '1,2#' },
      { afterSeconds: 8, digits: '*' },
    ]);
  });

  it('requires that all calls pass their test, unless the user sets another share', async () => {
    const criteria = (...limits: string[]): StepAnswer[] => {
      const [passed = '', response = ''] = limits;
      return [{ pick: 'Criteria' }, { pick: 'Passed calls' }, passed, { pick: 'Response time, p95' }, response, back];
    };
    assert.deepEqual(await askLoadSize(parts('20', '2', more, ...criteria('95', '3'), end, '120')), {
      concurrency: 20,
      rampSeconds: 2,
      holdSeconds: 120,
      criteria: { minPassed: 0.95, maxResponseP95Seconds: 3 },
    });
    assert.match(steps.shown[3] ?? '', /Criteria: Passed calls ≥ 100 %, .* Maximum calls per second: 50 \[Done\]$/);
    const usual = await askLoadSize(parts('50', '5', more, ...criteria(), end, 'keep'));
    assert.deepEqual([usual?.criteria, usual?.holdSeconds], [{ minPassed: 1 }, 120]);
  });
});
