import assert from 'node:assert/strict';
import type { TestStep } from '../../../../src/contract/testConfigs.ts';
import type { RunResults, StepResult, Turn } from '../../../../src/contract/testRuns.ts';
import { healTest, type HealReference } from '../../../../src/language/heal/healTest.ts';
import { promptsOf } from '../../../../src/language/heal/heardRun.ts';
import { similarity } from '../../../../src/model/heard/similarity.ts';

type Ended = NonNullable<RunResults['hangUp']>;
const menu = 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.';
const accounts = 'You have reached accounts. Please hold while we connect you.';

/** A test that dials, presses 1 and expects both prompts. */
const stepsFor = (expected: readonly [string, string], more: Partial<TestStep> = {}): TestStep[] => [
  { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: expected[0], passThreshold: 0.8 },
  {
    name: 'Accounts',
    action: { type: 'press', keys: '1' },
    expectedTranscript: expected[1],
    passThreshold: 0.8,
    ...more,
  },
];

/** What a run of these steps reports if the called side says these prompts. */
function runOf(steps: readonly TestStep[], prompts: readonly string[], hangUp: Partial<Ended> = {}) {
  const transcript: Turn[] = prompts.flatMap((text, index) => [
    ...(index > 0 ? [{ speaker: 'us' as const, text: '[keys 1]' }] : []),
    { speaker: 'them' as const, text },
  ]);
  let over = false;
  const results = steps.map(({ name, expectedTranscript = '', passThreshold }, index): StepResult => {
    if (over) return { name, outcome: 'INCONCLUSIVE', reason: 'Not reached.' };
    const { score } = similarity(expectedTranscript, prompts[index] ?? '');
    over = score < passThreshold;
    return {
      name,
      outcome: over ? 'FAIL' : 'PASS',
      ...(expectedTranscript !== '' && { expectedTranscript, similarity: score, passThreshold }),
      ...(over && { reason: 'Unexpected words were heard.' }),
      ...(prompts[index] !== undefined && { transcript: prompts[index] }),
    };
  });
  return { steps: results, transcript, hangUp: { by: 'us' as const, sentence: 'Dialtree hung up.', ...hangUp } };
}

interface Mutant {
  readonly what: string;
  readonly before?: readonly [string, string];
  readonly expected?: readonly [string, string];
  readonly now: readonly string[];
  readonly finding: string;
  readonly kinds?: string;
  /** Keys and expected words that the proposal has. */
  readonly keys?: string;
  readonly says?: RegExp;
  readonly hangUp?: Partial<Ended>;
}
const balance = ['Welcome to Harbour Bank.', 'Your balance is 42 dollars. Thank you for calling.'] as const;
const opened = (text: string): readonly [string, string] => [menu, text];

const mutants: readonly Mutant[] = [
  // Keys that moved.
  {
    what: 'two options swap their keys',
    now: ['Welcome to Harbour Bank. For cards, press 1. For accounts, press 2.'],
    finding: 'repairable',
    kinds: 'keyMoved',
    keys: '2',
    says: /accounts, press 2/,
  },
  {
    what: 'a new option takes the key',
    now: ['Welcome to Harbour Bank. For loans, press 1. For accounts, press 2. For cards, press 3.'],
    finding: 'repairable',
    kinds: 'keyMoved',
    keys: '2',
  },
  {
    what: 'the key moved in a menu that the test expects only by its greeting',
    expected: ['Welcome to Harbour Bank.', 'You have reached accounts.'],
    now: ['Welcome to Harbour Bank. For cards, press 1. For accounts, press 2.', 'Cards. Which card is it?'],
    finding: 'repairable',
    kinds: 'keyMoved',
    keys: '2',
  },
  {
    what: 'the option moved and its amount changed',
    before: ['For orders over 50 dollars, press 1. For cards, press 2.', accounts],
    expected: ['For orders over 50 dollars, press 1.', accounts],
    now: ['For cards, press 1. For orders over 100 dollars, press 2.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  // Rewordings.
  {
    what: 'the clauses change places',
    before: opened('Please hold while we connect you to an agent.'),
    now: [menu, 'While we connect you to an agent, please hold.'],
    finding: 'repairable',
    kinds: 'promptReworded',
    says: /While we connect you/,
  },
  {
    what: 'the sentences change places',
    now: [menu, 'Please wait while we connect you. You have reached accounts.'],
    finding: 'repairable',
    kinds: 'promptReworded',
  },
  {
    what: 'an agent becomes a representative',
    before: opened('An agent will speak to you shortly.'),
    now: [menu, 'In a moment, a representative will talk to you.'],
    finding: 'repairable',
    kinds: 'promptReworded',
  },
  { what: 'other words', now: [menu, 'Your accounts are archived while we migrate them.'], finding: 'unclear' },
  {
    what: 'the caller and the called side change roles',
    before: opened('We call you back with the documents.'),
    now: [menu, 'With the documents you call us back.'],
    finding: 'unclear',
  },
  {
    what: 'the direction changes with the same words',
    before: opened('Transfers go from the vault to the teller.'),
    now: [menu, 'To the vault go transfers from the teller.'],
    finding: 'unclear',
  },
  // Announcements.
  {
    what: 'an announcement within the expected words',
    now: [
      'Welcome to Harbour Bank. We are experiencing a high call volume and the waiting time may be longer than usual. Please listen carefully because our menu choices have recently changed. For accounts, press 1. For cards, press 2.',
    ],
    finding: 'repairable',
    kinds: 'announcementAdded',
    says: /Bank\. \* For accounts/,
  },
  {
    what: 'an announcement that the call is recorded',
    now: [
      'Welcome to Harbour Bank. We are experiencing a high call volume. This call may be recorded or monitored for training and quality purposes, and the waiting time is longer than usual. For accounts, press 1. For cards, press 2.',
    ],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  { what: 'only an announcement', now: [menu, 'Our lines are busy this afternoon.'], finding: 'unclear' },
  // Values.
  {
    what: 'another amount',
    before: balance,
    now: [balance[0], 'Your balance is 24 dollars. Thank you for calling.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another amount in other words',
    before: balance,
    now: [balance[0], 'Thank you for calling. 43 dollars is your balance.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another currency',
    before: balance,
    now: [balance[0], 'Your balance is 42 euros. Thank you for calling.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another date',
    before: opened('Your appointment is on Monday, May 3rd.'),
    now: [menu, 'Your appointment is on Tuesday, May 4th.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another time',
    before: opened('We open at nine in the morning.'),
    now: [menu, 'At ten in the morning we open.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another percentage',
    before: opened('The rate is 3 percent.'),
    now: [menu, 'The rate is 5 percent.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another phone number',
    before: opened('Please dial 555 0100 instead.'),
    now: [menu, 'Instead, please dial 555 0199.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'another name',
    before: opened('You have reached Doctor Miller.'),
    now: [menu, 'You have reached Doctor Weber.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'a negation',
    before: opened('Your card is active.'),
    now: [menu, 'Your card is not active any more.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'a negation that is gone',
    before: opened("You can't cancel this order."),
    now: [menu, 'This order, you can cancel.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'a negation of another thing',
    before: opened('You can cancel orders. You cannot return tickets.'),
    now: [menu, 'You can return tickets. You cannot cancel orders.'],
    finding: 'unclear',
  },
  {
    what: 'a negating prefix',
    before: opened('The service is available.'),
    now: [menu, 'Unavailable is the service.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'a legal notice that is gone',
    before: opened('This call is recorded. You have reached accounts.'),
    now: [menu, 'Accounts you have reached, please hold.'],
    finding: 'regression',
    kinds: 'valueChanged',
  },
  {
    what: 'what happened becomes what will happen',
    before: opened('Your payment was received.'),
    now: [menu, 'Received will be your payment.'],
    finding: 'unclear',
  },
  // Options and ends.
  {
    what: 'the option is gone',
    now: ['Welcome to Harbour Bank. For cards, press 2.'],
    finding: 'regression',
    kinds: 'optionGone',
  },
  {
    what: 'the option is gone from a menu that the test expects only by its greeting',
    expected: ['Welcome to Harbour Bank.', 'You have reached accounts.'],
    now: ['Welcome to Harbour Bank. For loans, press 1. For cards, press 2.', 'Loans. How much do you need?'],
    finding: 'regression',
    kinds: 'optionGone',
  },
  { what: 'silence after the key', now: [menu, ''], finding: 'regression', kinds: 'endChanged' },
  {
    what: 'the called side hangs up',
    now: [menu, 'Good bye.'],
    hangUp: { by: 'them' },
    finding: 'regression',
    kinds: 'endChanged',
  },
  {
    what: 'the called side transfers the call',
    now: [menu, 'While we connect you, please hold. You have reached accounts.'],
    hangUp: { transferTo: 'sip:desk@example.com' },
    finding: 'regression',
    kinds: 'endChanged',
  },
];

describe('healTest', () => {
  for (const { what, before = [menu, accounts], expected = before, now, finding, kinds, keys, says, hangUp } of mutants)
    it(`finds ${finding}: ${what}`, () => {
      const steps = stepsFor(expected);
      const passed = runOf(steps, before);
      assert.ok(passed.steps.every(({ outcome }) => outcome === 'PASS'));
      const run = runOf(steps, now, hangUp);
      assert.ok(
        run.steps.some(({ outcome }) => outcome === 'FAIL'),
        'the test fails',
      );
      const reference: HealReference = { kind: 'run', ...passed, prompts: promptsOf(passed.transcript) };
      const found = healTest({ steps, run, reference });
      assert.equal(found.finding, finding, JSON.stringify(found));
      assert.equal(found.steps !== undefined, finding === 'repairable');
      if (kinds !== undefined) assert.equal([...new Set(found.changes.map(({ kind }) => kind))].join(), kinds);
      if (!found.steps) return;
      const [greeting, pressed] = found.steps;
      assert.ok(pressed?.action.type === 'press');
      assert.equal(pressed.action.keys, keys ?? '1');
      const words = found.steps.map(({ expectedTranscript }) => expectedTranscript).join(' | ');
      assert.match(words, says ?? /./);
      assert.ok(similarity(greeting?.expectedTranscript ?? '', now[0] ?? '').score >= 0.8);
    });
});
