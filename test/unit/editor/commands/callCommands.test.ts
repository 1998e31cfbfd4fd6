import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../src/client/errors.ts';
import type { PlanCalls, PlannedCalls } from '../../../../src/contract/callPlan.ts';
import type { CatalogueEntry } from '../../../../src/contract/compliance.ts';
import { runLoadTestSchema } from '../../../../src/contract/loadTests.ts';
import type { RunLoadTest } from '../../../../src/contract/loadTests.ts';
import type { Run } from '../../../../src/contract/runs.ts';
import { repeatLoad } from '../../../../src/editor/calls/startLoad.ts';
import type { MappingTarget, TargetQuestion } from '../../../../src/editor/commands/editor.ts';
import { numbersOfTests } from '../../../../src/editor/commands/targets/testNumbers.ts';
import { planToTell } from '../../../../src/editor/calls/planWords.ts';
import { createFormats } from '../../../../src/editor/basics/formats.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { english, FakeClient, uuid } from '../fakes.ts';
import { FakeSteps } from '../lines/fakeSteps.ts';
import { listedRun, loadTest, memento, testConfig, testRun } from '../testing/fakeRuns.ts';

const bank = 'sip:bank@127.0.0.1:5070';

describe('commands that call', () => {
  let client: FakeClient,
    dialogs: FakeDialogs,
    steps: FakeSteps,
    asked: TargetQuestion[],
    opened: string[],
    target: MappingTarget | undefined,
    consents: boolean,
    context: { workspaceState: ReturnType<typeof memento> };
  const commands = (...answers: Answer[]) => {
    dialogs = new FakeDialogs(...answers);
    const withConsent = <T>(_subject: PlanCalls, work: () => Promise<T>): Promise<T | undefined> =>
      consents ? work() : Promise.resolve(undefined);
    const open = (id: string): unknown => opened.push(id);
    return commandsIn({
      client,
      dialogs,
      steps,
      context,
      pickTarget: (question: TargetQuestion) => {
        asked.push(question);
        return Promise.resolve(target);
      },
      consent: { agreed: withConsent, planned: withConsent },
      openReport: open,
      openLoad: open,
    });
  };

  beforeEach(() => {
    steps = new FakeSteps();
    asked = [];
    opened = [];
    target = { target: bank };
    consents = true;
    context = { workspaceState: memento() };
  });

  describe('load tests', () => {
    let launched: RunLoadTest[], listed: Run[], plan: PlannedCalls;
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
        listRuns: () => ({ items: listed }),
        cancelLoadTest: ({ id }) => loadTest(5, { id, status: 'aborted' }),
        getTestConfig: () => testConfig(1, { name: 'Balance' }),
      });
    });

    const start = async (value?: unknown, ...answers: Answer[]): Promise<unknown> => {
      const id: unknown = await commands(...answers)['dialtree.load.start'](value);
      return id;
    };

    it('ask for the number, how many calls, and how long, and show the report', async () => {
      steps = new FakeSteps('50', ' 7,5 ', '20');
      assert.equal(await start(), uuid(5));
      assert.deepEqual(
        launched.map(({ phoneNumber, concurrency, rampSeconds, holdSeconds }) => [
          phoneNumber,
          concurrency,
          rampSeconds,
          holdSeconds,
        ]),
        [[bank, 50, 7.5, 20]],
      );
      assert.deepEqual([asked.map(({ tests }) => tests), opened], [[true], [uuid(5)]]);
    });

    it('place no call if the person cancels', async () => {
      target = undefined;
      await start();
      target = { target: bank };
      steps = new FakeSteps(undefined);
      await start();
      assert.deepEqual([launched, opened], [[], []]);
    });

    it('place only calls of the version of the saved test that was planned', async () => {
      plan = { ...plan, updatedAt: '2026-01-01T00:00:00.000Z' };
      await start({ configId: uuid(1), concurrency: 2 });
      assert.deepEqual(
        launched.map(({ expectedUpdatedAt }) => expectedUpdatedAt),
        [plan.updatedAt],
      );
    });

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
      const { 'dialtree.load.cancel': cancel } = commands();
      await cancel({ kind: 'run', runId: uuid(8) });
      listed = [listedRun(5, { kind: 'load', status: 'running', name: 'Balance' }), listedRun(6, { kind: 'load' })];
      await commands({ pick: 'Balance' })['dialtree.load.cancel']();
      assert.deepEqual(
        client.calls.filter(({ name }) => name === 'cancelLoadTest').map(({ input }) => input),
        [{ id: uuid(8) }, { id: uuid(5) }],
      );
      assert.ok(!dialogs.shown[0]?.includes('completed'));
    });

    it('say if there is none', async () => {
      await commands({ press: undefined })['dialtree.load.openReport']();
      assert.deepEqual(dialogs.shown, [
        "This command doesn't apply to any of your load tests. Start a load test first.",
      ]);
    });

    it('describe a finished test as one that calls the same again', () => {
      const again = repeatLoad(loadTest(5, { concurrency: 40, rampSeconds: 3, holdSeconds: 9 }));
      assert.deepEqual(
        [again.phoneNumber, again.configId, again.concurrency, again.rampSeconds, again.holdSeconds],
        [bank, undefined, 40, 3, 9],
      );
      const saved = repeatLoad(loadTest(5, { configId: uuid(1) }));
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
      assert.equal(await commands({ pick: 'pci-cvv' })['dialtree.compliance.run'](), uuid(9));
      assert.deepEqual(dialogs.shown[0]?.split('\n  ').slice(1), [
        'All sectors | ai-disclose-ask | EU | Asks who speaks.',
        'marketing | tcpa-id | waits for a call | Receives a call.',
        'payments | pci-cvv |  | Offers the security code.',
      ]);
      assert.deepEqual([launched, opened], [[{ phoneNumber: bank, catalogueTestId: 'pci-cvv' }], [uuid(9)]]);
    });

    it("ask for the caller's origin, for a probe that waits for a call", async () => {
      await commands({ pick: 'tcpa-id' })['dialtree.compliance.run']();
      assert.deepEqual(
        asked.map(({ placeHolder }) => placeHolder),
        ['Which number does the call come from?'],
      );
    });

    it('ask only for what the argument leaves open', async () => {
      await commands()['dialtree.compliance.run']({ catalogueTestId: 'pci-cvv' });
      await commands()['dialtree.compliance.run']({
        catalogueTestId: 'pci-cvv',
        phoneNumber: '+12025550101',
      });
      assert.deepEqual([asked.length, launched.length], [1, 2]);
    });

    it("don't call if the person cancels", async () => {
      await commands({ pick: undefined })['dialtree.compliance.run']();
      target = undefined;
      await commands({ pick: 'pci-cvv' })['dialtree.compliance.run']();
      assert.deepEqual([launched, opened], [[], []]);
    });
  });
});
