import assert from 'node:assert/strict';
import path from 'node:path';
import { prepareMeaning } from '../../../../meaning.mjs';
import { SentenceMeaning } from '../../../../src/language/meaning/meaning.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';
import { decideTurn } from '../../../../src/language/mission/decideTurn.ts';
import type { PastTurn, TurnDecision } from '../../../../src/language/mission/turnDecision.ts';

const folder = path.resolve(import.meta.dirname, '../../../../.assets/meaning');
const meaning = new SentenceMeaning(folder);

describe('the meaning of sentences', () => {
  before(() => prepareMeaning(folder));

  for (const [goal, near, far] of [
    ['the cash machine kept my debit card', 'report a lost or stolen card', 'apply for a mortgage'],
    ['my router keeps dropping the connection', 'internet technical problems', 'billing questions'],
    ['I broke a tooth', 'dental emergency', 'office location and hours'],
    ['all the lights went off in our street', 'report a power outage', 'pay your bill'],
  ] as const)
    it(`puts “${goal}” nearer to “${near}” than to “${far}”`, async () => {
      const likeness = await meaning.likeness(goal, [near, far]);
      const [one = 0, other = 0] = [near, far].map((offer) => likeness?.get(offer));
      assert.ok(one > other + 0.1 && one <= 1 && other > 0, `${String(one)}, ${String(other)}`);
    });

  it('puts a text near to itself', async () => {
    const likeness = await meaning.likeness('report a lost card', ['report a lost card', 'ask for a refund']);
    assert.ok((likeness?.get('report a lost card') ?? 0) > 0.9);
  });

  it('says nothing without the files of the encoder', async () => {
    const missing = new SentenceMeaning(path.join(folder, 'missing'));
    assert.equal(await missing.likeness('report a lost card', ['cards']), undefined);
  });
});

describe('steering by meaning', () => {
  before(() => prepareMeaning(folder));

  const decide = (goal: string, prompt: string, live: boolean, past: readonly PastTurn[] = []): Promise<TurnDecision> =>
    decideTurn(
      {
        mission: goal,
        prompt,
        reading: readMenu(prompt),
        transcript: [{ speaker: 'them', text: prompt }],
        past,
        left: { turns: 9, seconds: 99 },
        live,
      },
      { meaning },
    );
  const bank =
    'To check your balance, press 1. To report a lost or stolen card, press 2. For a mortgage or loan, press 3.';
  const airline = 'To book a flight, press 1. For baggage services, press 2. For flight status, press 3.';
  const shop =
    'For order status, press 1. For warranty and repairs, press 2. To cancel an order, press 3. For careers, press 4.';

  for (const [goal, prompt, key] of [
    ['The cash machine kept my debit card.', bank, '2'],
    ['Report a lost card.', bank, '2'],
    ['We are buying a house and need to borrow money.', bank, '3'],
    ["I don't want to cancel an order, I want to know the order status.", shop, '1'],
    ['Speak to a human.', 'For human resources, press 1. To talk to a representative, press 2.', '2'],
  ] as const)
    it(`presses ${key} for “${goal}”`, async () => {
      const decision = await decide(goal, prompt, true);
      assert.equal(decision.action === 'press' ? decision.keys : decision.why, key);
    });

  it('presses neither of two near options on a live number, and names them when it hangs up', async () => {
    const goal = 'My suitcase never came off the belt.';
    const first = await decide(goal, airline, true);
    assert.equal(first.action, 'wait');
    assert.deepEqual(await decide(goal, airline, true, [{ prompt: airline, decision: first }]), {
      action: 'hangUp',
      reason: 'stuck',
      why: '“baggage services” and “book a flight” fit the mission about equally well. Name the option in the goal, or choose a language model.',
    });
  });

  it('tries two near options one after the other on a practice IVR', async () => {
    const goal = 'My suitcase never came off the belt.';
    const first = await decide(goal, airline, false);
    const second = await decide(goal, airline, false, [{ prompt: airline, decision: first }]);
    assert.deepEqual(
      [first, second].map((decision) => decision.action === 'press' && decision.keys),
      ['2', '1'],
    );
  });

  it('presses nothing where no option fits', async () => {
    const decision = await decide('Ask about the museum of toys.', bank, true);
    assert.equal(decision.action, 'wait');
    assert.match(decision.why, /^Nothing on offer clearly fits the mission; .* Name the option in the goal/);
  });
});
