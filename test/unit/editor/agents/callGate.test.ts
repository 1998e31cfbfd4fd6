import assert from 'node:assert/strict';
import type { PlannedCalls } from '../../../../src/contract/callPlan.ts';
import { CallGate } from '../../../../src/editor/agents/callGate.ts';
import { createFormats } from '../../../../src/editor/basics/formats.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { english, FakeClient } from '../fakes.ts';
import { fakeAgents } from './fakeAgents.ts';

const number = '+12125550123';
const subject = { mapping: { phoneNumber: number } };
const plan = (refusal?: PlannedCalls['refusal'], needsConsent = false): PlannedCalls => ({
  phoneNumber: number,
  route: 'trunk.example.com',
  calls: 60,
  secondsAtMost: 3600,
  bounded: true,
  needsConsent,
  forbiddenKeys: [],
  riskyKeys: [],
  budget: { fits: true, left: {} },
  ...(refusal && { refusal }),
});
const notAllowed = {
  status: 403,
  code: 'number_not_allowed',
  message: 'This API key may call only practice, and not that.',
};
const noConsent = {
  status: 403,
  code: 'consent_required',
  message: 'Confirm it first.',
  details: { phoneNumber: number },
};

describe("the gate for agents' calls", () => {
  let agents: ReturnType<typeof fakeAgents>, planning: FakeClient, dialogs: FakeDialogs, consents: unknown[];

  /** The service returns these plans one after the other. */
  async function pass(plans: PlannedCalls[], ...answers: Answer[]): Promise<PlannedCalls> {
    planning = new FakeClient({ planCalls: () => plans.shift() ?? plan() });
    dialogs = new FakeDialogs(...answers);
    const gate = new CallGate({
      agents: planning,
      owner: agents.ring.owner,
      key: agents.key,
      dialogs,
      formats: createFormats('en'),
      l10n: english,
    });
    try {
      return await gate.pass(subject);
    } finally {
      dialogs.done();
    }
  }
  const numbers = () => agents.ring.keys[0]?.limits?.numbers;

  beforeEach(async () => {
    agents = fakeAgents();
    consents = [];
    agents.ring.owner.answers.recordConsent = (input) => {
      consents.push(input);
      return { phoneNumber: number, recordedAt: '2026-03-01T00:00:00Z' };
    };
    await agents.access.endpoint();
  });
  afterEach(() => agents.access.dispose());

  it('passes what the key may call, without a question', async () => {
    assert.deepEqual(await pass([plan()]), plan());
    assert.deepEqual([dialogs.shown, planning.calls[0]?.input], [[], subject]);
  });

  it('asks the person about another number, with its cost, and allows it to agents from then on', async () => {
    await pass([plan(notAllowed), plan()], { agree: true });
    assert.match(
      dialogs.shown[0] ?? '',
      /An agent wants to call \+12125550123\. Dialtree calls \+12125550123 through trunk\.example\.com\. Up to 60 calls and 60 min\..*\[Don't Call\] \[Let Agents Call It\]$/s,
    );
    assert.deepEqual([numbers(), consents], [['practice', number], []]);
  });

  it('keeps every number that the person agrees to, even if agents ask for calls simultaneously', async () => {
    const wanted = ['+12125550121', '+12125550122', '+12125550123'];
    const owner = agents.ring.owner.answers.updateApiKey;
    // A slow service: each change begins before the previous one ends.
    agents.ring.owner.answers.updateApiKey = async (input) => {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      return owner?.(input) ?? assert.fail();
    };
    await Promise.all(
      wanted.map((phoneNumber) => {
        const plans = [
          { ...plan(notAllowed), phoneNumber },
          { ...plan(), phoneNumber },
        ];
        const gate = new CallGate({
          agents: new FakeClient({ planCalls: () => plans.shift() ?? plan() }),
          owner: agents.ring.owner,
          key: agents.key,
          dialogs: new FakeDialogs({ agree: true }),
          formats: createFormats('en'),
          l10n: english,
        });
        return gate.pass({ mapping: { phoneNumber } });
      }),
    );
    assert.deepEqual(numbers()?.toSorted(), [...wanted, 'practice']);
  });

  it('asks for agent access and consent in one question', async () => {
    await pass([plan(notAllowed, true), plan(noConsent, true), plan()], { agree: true });
    assert.match(dialogs.shown[0] ?? '', /Call only numbers that are yours.*\[I may test this number\]/s);
    assert.deepEqual(
      [numbers(), consents],
      [['practice', number], [{ phoneNumber: number, statement: 'I may test this number' }]],
    );
    await pass([plan(noConsent, true), plan()], { agree: true });
    assert.equal(consents.length, 2);
  });

  it("gives no consent that the person wasn't asked for", async () => {
    // The number began to need it between the question and the answer.
    await assert.rejects(pass([plan(notAllowed), plan(noConsent)], { agree: true }), { code: 'consent_required' });
    assert.deepEqual(consents, []);
  });

  it('gives no consent for another number that the test calls by the time of the answer', async () => {
    const other = '+442079460000';
    const changed = { ...plan({ ...noConsent, details: { phoneNumber: other } }, true), phoneNumber: other };
    await assert.rejects(pass([plan(notAllowed, true), changed], { agree: true }), { code: 'consent_required' });
    assert.deepEqual([numbers(), consents], [['practice', number], []]);
  });

  it('calls and allows nothing if the person declines, and reports that to the agent', async () => {
    await assert.rejects(pass([plan(notAllowed, true)], { agree: false }), {
      code: 'number_not_allowed',
      message: /The user didn't allow you to call \+12125550123, so Dialtree didn't place any calls\./,
    });
    assert.deepEqual([numbers(), consents], [['practice'], []]);
  });

  it("asks no question about what a person can't allow there", async () => {
    for (const refusal of [
      { status: 402, code: 'budget_exceeded', message: 'Too much.' },
      { status: 403, code: 'forbidden_number', message: 'Never.' },
    ]) {
      await assert.rejects(pass([plan(refusal)]), {
        status: refusal.status,
        code: refusal.code,
        message: refusal.message,
      });
    }
    await assert.rejects(
      pass([plan(notAllowed), plan({ status: 402, code: 'budget_exceeded', message: 'Too much.' })], { agree: true }),
      { code: 'budget_exceeded' },
    );
  });
});
