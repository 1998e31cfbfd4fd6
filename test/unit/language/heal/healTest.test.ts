import assert from 'node:assert/strict';
import type { TestStep } from '../../../../src/contract/testConfigs.ts';
import type { RunResults, StepResult, Turn } from '../../../../src/contract/testRuns.ts';
import { healTest, type HealReference } from '../../../../src/language/heal/healTest.ts';
import { heardIn } from '../../../../src/language/heal/heardRun.ts';
import { similarity } from '../../../../src/model/heard/similarity.ts';

type Ended = NonNullable<RunResults['hangUp']>;
const menu = 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.';
const accounts = 'You have reached accounts. Please hold while we connect you.';

/** A test that dials, presses 1 and expects both prompts. */
const stepsFor = (expected: readonly [string, string]): TestStep[] => [
  { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: expected[0], passThreshold: 0.8 },
  { name: 'Accounts', action: { type: 'press', keys: '1' }, expectedTranscript: expected[1], passThreshold: 0.8 },
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

/** Each row: what changed, the finding with its kinds, the words before (after the first menu), and all words now. */
const mutants = `
  two options swap their keys | repairable keyMoved | ${accounts} | Welcome to Harbour Bank. For cards, press 1. For accounts, press 2. | Cards. Which card is it?
  a new option takes the key | repairable keyMoved | ${accounts} | Welcome to Harbour Bank. For loans, press 1. For accounts, press 2. For cards, press 3.
  the clauses change places | repairable promptReworded | Please hold while we connect you to an agent. | While we connect you to an agent, please hold.
  the sentences change places | repairable promptReworded | ${accounts} | Please wait while we connect you. You have reached accounts.
  an agent becomes a representative | repairable promptReworded | An agent will speak to you shortly. | In a moment, a representative will talk to you.
  other words | unclear | ${accounts} | Your accounts are archived while we migrate them.
  caller and called side change roles | unclear | We call you back with the documents. | With the documents you call us back.
  the caller calls instead of the called side | unclear | We will call back with the documents. | With the documents, you will call back.
  what is possible becomes a duty | unclear | You can pay this bill by card. | By card, you have to pay this bill.
  the hours change places | unclear | Nine to five. Please hold while we connect you. | While we connect you, please hold. Five to nine.
  the direction changes | unclear | Transfers go from the vault to the teller. | To the vault go transfers from the teller.
  an announcement within the expected words | repairable announcementAdded | ${accounts} | Welcome to Harbour Bank. We are experiencing a high call volume and the waiting time may be longer than usual. Please listen carefully because our menu choices have recently changed. For accounts, press 1. For cards, press 2.
  an announcement that calls are recorded | regression valueChanged | ${accounts} | Welcome to Harbour Bank. We are experiencing a high call volume. This call may be recorded or monitored for training and quality purposes, and the waiting time is longer than usual. For accounts, press 1. For cards, press 2.
  an announcement that can matter | unclear | ${accounts} | You have reached accounts. Penalties apply to early withdrawals, and the vault moves to the old market hall across the street during the summer break. Please hold while we connect you.
  only an announcement | unclear | ${accounts} | Our lines are busy this afternoon.
  another amount | regression valueChanged | Your balance is 42 dollars. Thank you. | Your balance is 24 dollars. Thank you.
  another amount in other words | regression valueChanged | Your balance is 42 dollars. | 43 dollars is your balance.
  another currency | regression valueChanged | Your balance is 42 dollars. | Your balance is 42 euros.
  another date | regression valueChanged | Your appointment is on Monday, May 3rd. | Your appointment is on Tuesday, May 4th.
  another month | regression valueChanged | It expires on the third of May. | On the third of June it expires.
  another time | regression valueChanged | We open at nine in the morning. | At ten in the morning we open.
  another percentage | regression valueChanged | The rate is 3 percent. | The rate is 5 percent.
  another phone number | regression valueChanged | Please dial 555 0100 instead. | Instead, please dial 555 0199.
  another name | regression valueChanged | You have reached Doctor Miller. | You have reached Doctor Weber.
  a negation | regression valueChanged | Your card is active. | Your card is not active any more.
  a negation that is gone | regression valueChanged | You can't cancel this order. | This order, you can cancel.
  a negation of another thing | unclear | You can cancel orders. You cannot return tickets. | You can return tickets. You cannot cancel orders.
  a negating prefix | regression valueChanged | The service is available. | Unavailable is the service.
  a legal notice that is gone | regression valueChanged | This call is recorded. You have reached accounts. | Accounts you have reached, please hold.
  what happened becomes what will happen | unclear | Your payment was received. | Received will be your payment.
  an amount in the label of an option that moved | regression valueChanged | For orders over 50 dollars, press 1. For cards, press 2. | For cards, press 1. For orders over 100 dollars, press 2.
  an option that is gone | regression optionGone | ${accounts} | Welcome to Harbour Bank. For loans, press 1. For cards, press 2. | Loans. How much do you need?
  an option of the last menu that is gone | regression optionGone | For rates, press 1. For fraud, press 2. | For fraud, press 2. For something else, press 3.
  silence after the key | regression endChanged | ${accounts} | ${menu} | …
  a hang-up by the called side | regression endChanged | ${accounts} | Good bye. # them
  a transfer instead of the words | regression endChanged | Please hold while we connect you to an agent. | While we connect you to an agent, please hold. # REFER
`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(' | '));

describe('healTest', () => {
  const find = (greeting: string, before: string, now: readonly string[], hangUp: Partial<Ended> = {}) => {
    const steps = stepsFor([greeting, before]);
    const passed = runOf(steps, [menu, before]);
    assert.ok(passed.steps.every(({ outcome }) => outcome === 'PASS'));
    const run = runOf(steps, now, hangUp);
    assert.ok(run.steps.some(({ outcome }) => outcome === 'FAIL'));
    return healTest({ steps, run, reference: { kind: 'run', ...heardIn(passed) } });
  };
  const keysOf = (steps: readonly TestStep[] | undefined): string =>
    (steps ?? []).map(({ action }) => ('keys' in action ? action.keys : '')).join('');

  for (const [what = '', result = '', before = '', ...said] of mutants)
    it(`finds ${result}: ${what}`, () => {
      const [, own = ''] = /# (.*)/.exec(said.join(' ')) ?? [];
      const now = said.map((text) => text.replace(/ ?(?:#.*|…)$/, ''));
      const isMenu = /Harbour/.test(now[0] ?? '');
      const hangUp: Partial<Ended> =
        own === 'them' ? { by: 'them' } : own === '' ? {} : { transferTo: 'sip:a@example.com' };
      const found = find(menu, before, isMenu ? now : [menu, ...now], hangUp);
      const kinds = [...new Set(found.changes.map(({ kind }) => kind))];
      assert.equal([found.finding, ...kinds].join(' '), result, JSON.stringify(found));
      assert.equal(found.steps !== undefined, found.finding === 'repairable');
      if (!found.steps) return;
      assert.equal(keysOf(found.steps), kinds.includes('keyMoved') ? '2' : '1');
      for (const [index, { expectedTranscript = '' }] of found.steps.entries())
        if (isMenu === (index === 0))
          assert.ok(similarity(expectedTranscript, now[0] ?? '').score > 0.95, expectedTranscript);
    });

  it('moves the key in a menu that the test expects only by its greeting, and reports it if the option is gone', () => {
    const find1 = (now: string) =>
      find('Welcome to Harbour Bank.', 'You have reached accounts.', [now, 'Cards. Which card?']);
    const { steps, finding } = find1('Welcome to Harbour Bank. For cards, press 1. For accounts, press 2.');
    assert.deepEqual([finding, keysOf(steps)], ['repairable', '2']);
    assert.equal(find1('Welcome to Harbour Bank. For cards, press 1. For loans, press 2.').finding, 'regression');
  });

  it('adapts nothing if an announcement between options can matter', () => {
    const options = ['For rates, press 1.', 'For fraud, press 2.'];
    const said =
      'Penalties apply to early withdrawals, and the vault moves to the old market hall after the summer break.';
    const found = find(menu, options.join(' '), [menu, options.join(` ${said} `)]);
    assert.equal(found.finding, 'unclear');
  });

  it('moves a key in a menu after one whose key was moved before', () => {
    const [greeting, savings] = stepsFor(['Welcome to Harbour Bank.', 'Savings. *']);
    assert.ok(greeting && savings);
    const rates: TestStep = { ...savings, name: 'Rates', expectedTranscript: 'Rates. How much is it?' };
    const passed = runOf([greeting, savings, rates], [menu, 'Savings. For rates, press 1.', 'Rates. How much is it?']);
    const steps = [greeting, { ...savings, action: { type: 'press' as const, keys: '2' } }, rates];
    const turned = 'Welcome to Harbour Bank. For cards, press 1. For accounts, press 2.';
    const run = runOf(steps, [turned, 'Savings. For fraud, press 1. For rates, press 2.', 'Fraud. Which card is it?']);
    const found = healTest({ steps, run, reference: { kind: 'run', ...heardIn(passed) } });
    assert.equal(keysOf(found.steps), '22', JSON.stringify(found));
  });

  it('moves a key although names and punctuation are always heard otherwise than expected', () => {
    const steps = stepsFor([menu, accounts]);
    const passed = runOf(steps, ['Welcome to Harbour Bank. For accounts press 1 for cards, press 2.', accounts]);
    const heal = (now: string) =>
      healTest({ steps, run: runOf(steps, [now]), reference: { kind: 'run', ...heardIn(passed) } });
    const moved = heal('Welcome to Harbor Bank for accounts, press five. For cards, press 2. For loans, press 3.');
    assert.deepEqual([moved.finding, keysOf(moved.steps)], ['repairable', '5'], JSON.stringify(moved));
    assert.equal(moved.steps?.[0]?.expectedTranscript, menu.replace('1', '5'));
    for (const other of ['Harper', 'Harbor Savings'])
      assert.notEqual(
        heal(`Welcome to ${other} Bank for accounts, press 5. For cards, press 2.`).finding,
        'repairable',
      );
    for (const more of ['This call costs 2 dollars per minute.', 'The vault moves to the old market hall.'])
      assert.notEqual(
        heal(`Welcome to Harbor Bank. For accounts, press 5. For cards, press 2. ${more}`).finding,
        'repairable',
      );
  });

  it("doesn't take `*` for the star key", () => {
    const now = 'Welcome to Harbour Bank. For cards, press 1. For accounts, press 2.';
    const found = find('* For accounts, press 1. *', accounts, [now]);
    assert.deepEqual([keysOf(found.steps), found.steps?.[0]?.expectedTranscript], ['2', '* For accounts, press 2.']);
  });

  it('leaves a value that `*` stands for to the user', () => {
    const found = find(menu, 'Your balance is * dollars. Please hold while we connect you to an agent.', [
      menu,
      'While we connect you to an agent, please hold. Your balance is 24 dollars.',
    ]);
    assert.equal(found.finding, 'unclear');
  });

  it('needs no run that passed, but then compares only with the expected words', () => {
    const steps = stepsFor([menu, 'Please hold while we connect you to an agent.']);
    const run = runOf(steps, [menu, 'While we connect you to an agent, please hold.']);
    assert.equal(healTest({ steps, run, reference: { kind: 'test', prompts: [] } }).finding, 'repairable');
  });

  it('leaves steps with values of a row, and runs that broke down, to the user', () => {
    const [greeting, named] = stepsFor([menu, 'Please hold while we connect you to {name}.']);
    assert.ok(greeting && named);
    const run = runOf(
      [greeting, { ...named, expectedTranscript: 'Please hold while we connect you to an agent.' }],
      [menu, 'While we connect you to an agent, please hold.'],
    );
    const reference: HealReference = { kind: 'test', prompts: [] };
    assert.equal(healTest({ steps: [greeting, named], run, reference }).finding, 'unclear');
    const broken = { ...run, steps: run.steps.map((step) => ({ ...step, outcome: 'ERROR' as const })) };
    assert.equal(healTest({ steps: [greeting, named], run: broken, reference }).finding, 'unclear');
  });
});
