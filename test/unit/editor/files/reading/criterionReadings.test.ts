import assert from 'node:assert/strict';
import { NotFoundError } from '../../../../../src/client/errors.ts';
import type { PlannedCalls } from '../../../../../src/contract/callPlan.ts';
import { CriterionReadings } from '../../../../../src/editor/files/reading/criterionReadings.ts';
import { FakeClient, settle } from '../../fakes.ts';

const plan = (more: Partial<PlannedCalls>): PlannedCalls => ({
  phoneNumber: '+12025550100',
  calls: 1,
  secondsAtMost: 600,
  bounded: true,
  needsConsent: false,
  forbiddenKeys: [],
  riskyKeys: [],
  budget: { fits: true, left: {} },
  ...more,
});
const polite = 'The agent is polite.';

describe('criteria that only a language model can judge', () => {
  let client: FakeClient, ready: boolean, changes: number, criteria: CriterionReadings;
  beforeEach(() => {
    client = new FakeClient({
      planCalls: ({ mission }) => plan(mission?.acceptance === polite ? { unjudged: ['The agent is polite'] } : {}),
    });
    [ready, changes] = [true, 0];
    criteria = new CriterionReadings({ client, isReady: () => ready });
    criteria.onDidChange(() => (changes += 1));
  });
  afterEach(() => criteria.dispose());

  it('need one request, and another after the service has restarted', async () => {
    for (const expected of [undefined, ['The agent is polite'], ['The agent is polite']]) {
      assert.deepEqual(criteria.of(polite, true).unjudged, expected);
      await settle();
    }
    assert.deepEqual([client.calls.length, changes], [1, 1]);
    criteria.forget();
    assert.deepEqual(criteria.of(polite, true), {});
    await settle();
    assert.deepEqual([client.calls.length, changes], [2, 2]);
  });

  it("report no change if rules can judge them, and aren't asked for while they are typed or can't be used", async () => {
    criteria.of(polite, false);
    criteria.of('   ', true);
    criteria.of('a'.repeat(8001), true);
    ready = false;
    criteria.of(polite, true);
    await settle();
    assert.deepEqual([client.calls.length, changes], [0, 0]);
    ready = true;
    criteria.of('The line says "open".', true);
    await settle();
    assert.deepEqual([client.calls.length, changes], [1, 0]);
  });

  it('need another request after a failure, and drop an answer from before a restart', async () => {
    const { answers } = client;
    client.answers = {
      planCalls: () => {
        throw new NotFoundError('none', { status: 404 });
      },
    };
    criteria.of(polite, true);
    await settle();
    client.answers = answers;
    criteria.of(polite, true);
    criteria.forget();
    await settle();
    assert.deepEqual([client.calls.length, changes, criteria.of(polite, false)], [2, 0, {}]);
  });
});
