import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/client/errors.ts';
import type { PlanCalls, PlannedCalls } from '../../../../src/contract/callPlan.ts';
import type { CatalogueEntry } from '../../../../src/contract/compliance.ts';
import { runLoadTestSchema } from '../../../../src/contract/loadTests.ts';
import type { LoadTest, RunLoadTest } from '../../../../src/contract/loadTests.ts';
import { complianceCommands } from '../../../../src/editor/commands/tests/complianceCommands.ts';
import { sameLoad } from '../../../../src/editor/calls/startLoad.ts';
import { loadCommands } from '../../../../src/editor/commands/tests/loadCommands.ts';
import { askLoadSize } from '../../../../src/editor/commands/tests/loadForm.ts';
import { readKeys } from '../../../../src/editor/commands/tests/loadOptions.ts';
import { readStages, stagesText } from '../../../../src/editor/commands/tests/loadStages.ts';
import type { Target, TargetQuestion } from '../../../../src/editor/commands/targets/pickTarget.ts';
import { numbersOfTests } from '../../../../src/editor/commands/targets/testNumbers.ts';
import { planToTell } from '../../../../src/editor/calls/planToTell.ts';
import { createFormats } from '../../../../src/editor/basics/formats.ts';
import { TestNames } from '../../../../src/editor/testing/testNames.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { english, FakeClient, uuid } from '../fakes.ts';
import { loadTest, memento, testConfig, testRun } from '../testing/fakeRuns.ts';

const bank = 'sip:bank@127.0.0.1:5070';

describe('commands that call', () => {
  let client: FakeClient,
    dialogs: FakeDialogs,
    asked: TargetQuestion[],
    opened: string[],
    target: Target | undefined,
    consents: boolean,
    context: { workspaceState: ReturnType<typeof memento> };
  const parts = (...answers: Answer[]) => {
    dialogs = new FakeDialogs(...answers);
    return {
      client,
      dialogs,
      l10n: english,
      formats: createFormats('en'),
      names: new TestNames(client),
      context,
      pickTarget: (question: TargetQuestion) => {
        asked.push(question);
        return Promise.resolve(target);
      },
      withConsent: <T>(_subject: PlanCalls, work: () => Promise<T>): Promise<T | undefined> =>
        consents ? work() : Promise.resolve(undefined),
      openReport: (id: string) => opened.push(id),
    };
  };

  beforeEach(() => {
    asked = [];
    opened = [];
    target = { target: bank };
    consents = true;
    context = { workspaceState: memento() };
  });

  describe('load tests', () => {
    let launched: RunLoadTest[], listed: LoadTest[], plan: PlannedCalls;
    beforeEach(() => {
      launched = [];
      listed = [];
      plan = {
        phoneNumber: bank,
        route: 'lab',
        calls: 3,
        secondsAtMost: 90,
        bounded: true,
        needsConsent: false,
        forbiddenKeys: [],
        riskyKeys: [],
        budget: { fits: true, left: {} },
      };
      client = new FakeClient({
        planCalls: () => plan,
        runLoadTest: (input) => {
          launched.push(runLoadTestSchema.parse(input));
          return loadTest(5, { status: 'running' });
        },
        listLoadTests: ({ status }) => ({
          items: listed.filter((test) => status === undefined || test.status === status),
        }),
        cancelLoadTest: ({ id }) => loadTest(5, { id, status: 'aborted' }),
        getTestConfig: () => testConfig(1, { name: 'Balance' }),
      });
    });

    const start = async (value?: unknown, ...answers: Answer[]): Promise<unknown> => {
      const id: unknown = await loadCommands(parts(...answers))['dialtree.load.start'](value);
      return id;
    };

    it('ask for the number, how many calls, and how long, and show the report', async () => {
      assert.equal(await start(undefined, '50', ' 7,5 ', '20'), uuid(5));
      dialogs.done();
      assert.deepEqual(
        launched.map(({ phoneNumber, concurrency, rampSeconds, holdSeconds }) => [
          phoneNumber,
          concurrency,
          rampSeconds,
          holdSeconds,
        ]),
        [[bank, 50, 7.5, 20]],
      );
      assert.deepEqual(opened, [uuid(5)]);
    });

    it('place only calls of the version of the saved test that was planned', async () => {
      plan = { ...plan, updatedAt: '2026-01-01T00:00:00.000Z' };
      await start({ configId: uuid(1), concurrency: 2 });
      assert.deepEqual(
        launched.map(({ expectedUpdatedAt }) => expectedUpdatedAt),
        [plan.updatedAt],
      );
    });

    for (const [what, ...answers] of [
      ['target'],
      ['count', { type: undefined }],
      ['ramp', '2', { type: undefined }],
      ['hold', '2', '1', { type: undefined }],
    ] as [string, ...Answer[]][]) {
      it(`place no call if the person cancels at the ${what}`, async () => {
        if (what === 'target') target = undefined;
        await start(undefined, ...answers);
        dialogs.done();
        assert.deepEqual([launched, opened], [[], []]);
      });
    }

    for (const [typed, refused] of [
      ['0', true],
      ['2001', true],
      ['1.5', true],
      ['many', true],
      ['', true],
      ['2000', false],
    ] as const) {
      it(`${refused ? 'refuses' : 'takes'} “${typed}” calls at once`, async () => {
        const run = start(undefined, typed, { type: undefined });
        if (refused) await assert.rejects(run, /the box refuses/);
        else await run;
      });
    }

    it('ask for more only on request, and then for each option alone', async () => {
      await start(
        undefined,
        '50',
        '5',
        { more: '60' },
        { pick: 'Length of each call' },
        '12,5',
        { pick: 'Replace calls that end' },
        { pick: 'Maximum calls per second' },
        '2',
        { pick: 'Keys that each call presses' },
        '5:1; 12.5:2#',
        { pick: '$(play) Start Load Test' },
      );
      dialogs.done();
      assert.deepEqual(launched, [
        {
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
        },
      ]);
      assert.deepEqual(
        asked.map(({ tests }) => tests),
        [true],
      );
      assert.deepEqual(dialogs.shown.at(-1)?.split('\n  ').slice(1), [
        '$(play) Start Load Test',
        'Criteria | none, so no verdict',
        'Further stages | no further stages',
        'Replace calls that end | yes',
        'Maximum calls per second | 2',
        'Length of each call | 12.5 s',
        'Keys that each call presses | 5:1; 12.5:2#',
      ]);
    });

    const back = { pick: '$(arrow-left) Back to the options' };
    const go = { pick: '$(play) Start Load Test' };
    const sized: Answer[] = ['50', '5', { more: '60' }];

    it('ask for criteria one after the other, and for stages, and offer them again next time', async () => {
      await start(
        undefined,
        ...sized,
        { pick: 'Criteria' },
        { pick: 'Set-up success' },
        '98,5',
        { pick: 'Packet loss' },
        '7',
        { pick: 'Estimated MOS' },
        '4',
        { pick: 'Estimated MOS' },
        '',
        { pick: 'Jitter, p95' },
        { type: undefined },
        back,
        { pick: 'Further stages' },
        '100:10:30; 10:5:30',
        go,
      );
      dialogs.done();
      const stages = [
        { concurrency: 100, rampSeconds: 10, holdSeconds: 30 },
        { concurrency: 10, rampSeconds: 5, holdSeconds: 30 },
      ];
      const criteria = { minSetupSuccess: 0.985, maxLoss: 0.07 };
      assert.deepEqual([launched[0]?.criteria, launched[0]?.stages], [criteria, stages]);
      assert.deepEqual(dialogs.shown.at(-1)?.split('\n  ').slice(2, 4), [
        'Criteria | Set-up success ≥ 98.5 %, Packet loss ≤ 7 %',
        'Further stages | 100:10:30, 10:5:30',
      ]);
      assert.ok(
        dialogs.shown.every((text) => !text.includes('Passed calls')),
        'only the calls of a test can pass',
      );
      await start(undefined, ...sized, go);
      assert.deepEqual([launched[1]?.criteria, launched[1]?.stages], [criteria, stages]);
      await start(undefined, '50', '5', '60');
      assert.equal(launched[2]?.criteria, undefined, 'only what the user has seen applies');
    });

    it('forget stages that would make the next test too long', async () => {
      await start(undefined, ...sized, { pick: 'Further stages' }, '10:0:28800', go);
      await start(undefined, '50', '5', { more: '28000' }, go);
      assert.deepEqual([launched[0]?.stages?.length, launched[1]?.stages], [1, undefined]);
    });

    for (const [label, min, max] of [
      ['Set-up success', '0', '100'],
      ['Post-dial delay, p95', '0', '600'],
      ['Answer time, p95', '0', '600'],
      ['Prompt time, p95', '0', '600'],
      ['Packet loss', '0', '100'],
      ['Jitter, p95', '0', '10000'],
      ['Estimated MOS', '1', '4.5'],
    ] as const) {
      it(`accept ${label} from ${min} to ${max}, and say so`, async () => {
        const limit = { pick: label };
        await start(undefined, ...sized, { pick: 'Criteria' }, limit, min, limit, max, back, { pick: undefined });
        dialogs.done();
        await assert.rejects(start(undefined, ...sized, { pick: 'Criteria' }, limit, `${max}1`), {
          actual: `Enter a number from ${min} to ${max}.`,
        });
      });
    }

    for (const [what, ...answers] of [
      ['a MOS below 1', { pick: 'Criteria' }, { pick: 'Estimated MOS' }, '0.9'],
      ['a time that is a word', { pick: 'Criteria' }, { pick: 'Answer time, p95' }, 'fast'],
      ['a stage without calls', { pick: 'Further stages' }, '0:1:1'],
      ['a stage in another form', { pick: 'Further stages' }, '10:5'],
      ['stages that take too long', { pick: 'Further stages' }, '9:0:28800, 9:0:28800'],
    ] as [string, ...Answer[]][]) {
      it(`refuse ${what}`, async () => {
        await assert.rejects(start(undefined, ...sized, ...answers), /the box refuses/);
      });
    }

    for (const [text, shown] of [
      ['', ''],
      ['50:10:60', '50:10:60'],
      [' 50:10:60,10:5.5:30\n', '50:10:60, 10:5.5:30'],
      ['50:10:60 10:0:0', '50:10:60, 10:0:0'],
      ['50:10:60, x', undefined],
      ['2001:1:1', undefined],
      [Array.from({ length: 21 }, () => '1:1:1').join(), undefined],
    ] as const) {
      it(`read “${text.trim().slice(0, 20)}” as ${shown === undefined ? 'no list of stages' : `the stages “${shown}”`}`, () => {
        const stages = readStages(text);
        assert.equal(stages && stagesText(stages), shown);
      });
    }

    it('of a test require that all calls pass, unless the user sets another share', async () => {
      const size = await askLoadSize(
        parts(
          '20',
          '2',
          { more: '120' },
          { pick: 'Criteria' },
          { pick: 'Passed calls' },
          '95',
          { pick: 'Response time, p95' },
          '3',
          back,
          { pick: 'Replace calls that end' },
          go,
        ),
      );
      dialogs.done();
      assert.deepEqual(size, {
        concurrency: 20,
        rampSeconds: 2,
        holdSeconds: 120,
        criteria: { minPassed: 0.95, maxResponseP95Seconds: 3 },
        replace: true,
      });
      assert.deepEqual(dialogs.shown[3]?.split('\n  ').slice(1), [
        '$(play) Start Load Test',
        'Criteria | Passed calls ≥ 100 %',
        'Further stages | no further stages',
        'Replace calls that end | no',
        'Maximum calls per second | 50',
      ]);
      const usual = await askLoadSize(
        parts(
          ...sized,
          { pick: 'Criteria' },
          { pick: 'Passed calls' },
          '',
          { pick: 'Response time, p95' },
          '',
          { pick: undefined },
          go,
        ),
      );
      assert.deepEqual(usual?.criteria, { minPassed: 1 });
      assert.equal(await askLoadSize(parts(...sized, { pick: undefined })), undefined);
      assert.deepEqual(await askLoadSize(parts('2', '0', '90')), { concurrency: 2, rampSeconds: 0, holdSeconds: 90 });
    });

    it("remove an option if its box is left empty, and don't call if the person cancels", async () => {
      await loadCommands(
        parts(
          '5',
          '1',
          { more: '10' },
          { pick: 'Length of each call' },
          '3',
          { pick: 'Length of each call' },
          '',
          { pick: 'Keys that each call presses' },
          { type: undefined },
          { pick: '$(play) Start Load Test' },
        ),
      )['dialtree.load.start']();
      assert.deepEqual([launched[0]?.callSeconds, launched[0]?.keys], [undefined, undefined]);
      await start(undefined, '5', '1', { more: '10' }, { pick: undefined });
      assert.equal(launched.length, 1);
    });

    for (const [text, entries] of [
      ['5:1', 1],
      ['0,5:1,2#; 8:*', 2],
      ['1', 0],
      ['5:x', 0],
      ['5:1;x', 0],
      ['99999:1', 0],
      ['', 0],
      [Array.from({ length: 51 }, (_, second) => `${String(second)}:1`).join(';'), 0],
    ] as const) {
      it(`read ${String(entries)} entries of keys in “${text.slice(0, 20)}”`, () =>
        assert.equal(readKeys(text)?.length ?? 0, entries));
    }

    it('start a valid argument without questions, and reject an invalid one', async () => {
      await start({ phoneNumber: bank, concurrency: 3 });
      assert.equal(launched[0]?.holdSeconds, 10);
      await assert.rejects(start({ phoneNumber: bank, concurrency: 0 }), { code: 'bad_argument' });
      await assert.rejects(start({ concurrency: 1 }), { code: 'bad_argument' });
    });

    it('ask before many calls leave this machine, with their possible cost', async () => {
      plan = {
        ...plan,
        phoneNumber: '+14155550100',
        route: 'trunk.example.com',
        cost: { amount: 1.504, currency: 'USD', perMinute: 1 },
      };
      await start({ phoneNumber: '+14155550100', concurrency: 3 }, { agree: false });
      assert.match(
        dialogs.shown[0] ?? '',
        /Place 3 simultaneous calls to \+14155550100\? Up to 3 calls, 1\.5 min and \$1\.51\. \[Don't Call\] \[Start Load Test\]/,
      );
      assert.deepEqual(launched, []);
      await start({ phoneNumber: '+14155550100', concurrency: 3 }, { agree: true });
      assert.equal(launched.length, 1);
    });

    it('open nothing if consent is declined', async () => {
      consents = false;
      assert.equal(await start({ phoneNumber: bank, concurrency: 3 }), undefined);
      assert.deepEqual(opened, []);
    });

    it('cancel the test of a row, or a running one that the person picks', async () => {
      const { 'dialtree.load.cancel': cancel } = loadCommands(parts());
      await cancel({ kind: 'load', loadTestId: uuid(8) });
      listed = [loadTest(5, { status: 'running', configId: uuid(1) }), loadTest(6)];
      await loadCommands(parts({ pick: 'Balance' }))['dialtree.load.cancel']();
      assert.deepEqual(
        client.calls.filter(({ name }) => name === 'cancelLoadTest').map(({ input }) => input),
        [{ id: uuid(8) }, { id: uuid(5) }],
      );
      assert.ok(!dialogs.shown[0]?.includes('completed'));
    });

    it('say if there is none', async () => {
      await loadCommands(parts({ press: undefined }))['dialtree.load.openReport']();
      assert.deepEqual(dialogs.shown, [
        "This command doesn't apply to any of your load tests. Start a load test first.",
      ]);
    });

    it('describe a finished test as one that calls the same again', () => {
      const again = sameLoad(loadTest(5, { concurrency: 40, rampSeconds: 3, holdSeconds: 9 }));
      assert.deepEqual(
        [again.phoneNumber, again.configId, again.concurrency, again.rampSeconds, again.holdSeconds],
        [bank, undefined, 40, 3, 9],
      );
      const saved = sameLoad(loadTest(5, { configId: uuid(1) }));
      assert.deepEqual([saved.phoneNumber, saved.configId], [undefined, uuid(1)]);
    });
  });

  it('offer each number once that tests of the workspace call', () => {
    const file = (kind: 'calltest' | 'mission' | 'ivr', name: string | undefined, phoneNumber: string | undefined) => ({
      kind,
      name,
      phoneNumber,
    });
    assert.deepEqual(
      numbersOfTests([
        file('mission', 'Hours', '+12025550101'),
        file('calltest', 'Balance', '+12025550101'),
        file('calltest', undefined, bank),
        file('calltest', 'Of an IVR', undefined),
        file('calltest', 'Wrong', '4711'),
        file('ivr', 'Bank', '+12025550102'),
      ]),
      [
        { phoneNumber: '+12025550101', names: ['Balance', 'Hours'] },
        { phoneNumber: bank, names: [] },
      ],
    );
  });

  describe('the plan reported with each run', () => {
    const far: PlannedCalls = {
      phoneNumber: '+14155550100',
      route: 'trunk.example.com',
      calls: 2,
      secondsAtMost: 600,
      bounded: true,
      needsConsent: false,
      forbiddenKeys: [],
      riskyKeys: [{ key: '3', label: 'Cancel my card' }],
      budget: { fits: true, left: {} },
      cost: { amount: 1.5, currency: 'USD', perMinute: 0.15 },
    };
    const { cost: _cost, ...free } = far;
    const told = (plan: PlannedCalls, times?: number) =>
      planToTell(
        new FakeClient({ planCalls: () => plan }),
        { testConfigId: uuid(1) },
        english,
        createFormats('en'),
        times,
      );

    it('has calls, minutes, cost and risky keys, for this many repeats', async () => {
      assert.deepEqual(await told(far), {
        phoneNumber: '+14155550100',
        words:
          'Up to 2 calls, 10 min and $1.50. These keys might pay for, cancel or agree to something: 3 (Cancel my card).',
        isAsked: false,
      });
      assert.match(
        (await told({ ...far, allowedLabels: ['pay *', 'check in*'], pressUnsure: true }))?.words ?? '',
        /Dialtree also presses these options, which might not be harmless: pay \*, check in\*\. Dialtree also presses options that it doesn't understand\. These keys might/,
      );
      assert.match((await told(far, 3))?.words ?? '', /Up to 6 calls, 30 min and \$4\.50\./);
      assert.equal(
        (await told({ ...far, needsConsent: true, refusal: { status: 403, code: 'consent_required', message: 'm' } }))
          ?.isAsked,
        true,
      );
    });

    it('warns of a criterion that only a language model can judge, also in the lab', async () => {
      const unjudged = ['The agent says “hi” politely', 'and soon'];
      const warning =
        "Only a language model can judge “The agent says 'hi' politely”, “and soon”, and none is set up, so this mission can't pass. Choose a language model, or write checks.";
      assert.equal((await told({ ...free, route: 'lab', unjudged }))?.words, warning);
      assert.ok((await told({ ...far, unjudged }))?.words.endsWith(` ${warning}`));
      assert.ok(((await told({ ...free, route: 'lab', unjudged: ['a'.repeat(8000)] }))?.words.length ?? 0) < 500);
    });

    it('stays silent if the calls stay in the lab and cost nothing, or the launch is refused', async () => {
      assert.equal(await told({ ...free, route: 'lab' }), undefined);
      assert.notEqual(await told({ ...far, route: 'lab' }), undefined);
      assert.equal(await told({ ...far, refusal: { status: 402, code: 'budget_exceeded', message: 'm' } }), undefined);
      assert.equal(
        await planToTell(
          new FakeClient({
            planCalls: () => {
              throw new NotFoundError('none', { status: 404 });
            },
          }),
          { testConfigId: uuid(1) },
          english,
          createFormats('en'),
        ),
        undefined,
      );
    });
  });

  describe('probes', () => {
    const entries: CatalogueEntry[] = [
      { id: 'pci-cvv', sector: 'payments', description: 'Offers the security code.', mode: 'dial' },
      { id: 'ai-disclose-ask', sector: 'all', description: 'Asks who speaks.', jurisdiction: 'EU', mode: 'dial' },
      { id: 'tcpa-id', sector: 'marketing', description: 'Receives a call.', mode: 'receive' },
    ];
    let launched: unknown[];
    beforeEach(() => {
      launched = [];
      client = new FakeClient({
        listComplianceCatalogue: () => ({ items: entries }),
        runComplianceTest: (input) => {
          launched.push(input);
          return testRun(9, { runType: 'compliance', status: 'running', catalogueTestId: input.catalogueTestId });
        },
      });
    });

    it('ask for the probe, those of all sectors first, and then for the number', async () => {
      assert.equal(await complianceCommands(parts({ pick: 'pci-cvv' }))['dialtree.compliance.run'](), uuid(9));
      assert.deepEqual(dialogs.shown[0]?.split('\n  ').slice(1), [
        'All sectors | ai-disclose-ask | EU | Asks who speaks.',
        'marketing | tcpa-id | waits for a call | Receives a call.',
        'payments | pci-cvv |  | Offers the security code.',
      ]);
      assert.deepEqual([launched, opened], [[{ phoneNumber: bank, catalogueTestId: 'pci-cvv' }], [uuid(9)]]);
    });

    it("ask for the caller's origin, for a probe that waits for a call", async () => {
      await complianceCommands(parts({ pick: 'tcpa-id' }))['dialtree.compliance.run']();
      assert.deepEqual(
        asked.map(({ placeHolder }) => placeHolder),
        ['Which number does the call come from?'],
      );
    });

    it('ask only for what the argument leaves open', async () => {
      await complianceCommands(parts())['dialtree.compliance.run']({ catalogueTestId: 'pci-cvv' });
      await complianceCommands(parts())['dialtree.compliance.run']({
        catalogueTestId: 'pci-cvv',
        phoneNumber: '+12025550101',
      });
      assert.deepEqual([asked.length, launched.length], [1, 2]);
    });

    it("don't call if the person cancels", async () => {
      await complianceCommands(parts({ pick: undefined }))['dialtree.compliance.run']();
      target = undefined;
      await complianceCommands(parts({ pick: 'pci-cvv' }))['dialtree.compliance.run']();
      assert.deepEqual([launched, opened], [[], []]);
    });
  });
});
