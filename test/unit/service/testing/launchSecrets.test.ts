import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import { missingPlaceholders } from '../../../../src/engine/script/placeholders.ts';
import { EventBus } from '../../../../src/service/store/events.ts';
import type { TestPlan } from '../../../../src/service/store/storedPlan.ts';
import { assertSecrets, HeldSecrets, withSecrets } from '../../../../src/service/testing/launchSecrets.ts';

describe('secrets of a launch', () => {
  it('stay until all its runs have ended, in any process, or it is refused', () => {
    const events = new EventBus();
    const secrets = new HeldSecrets(events);
    const runs = [randomUUID(), randomUUID()];
    const end = (runId: string, workspace = 'ours'): void =>
      events.publish(workspace, { type: 'test.changed', runId, ended: true });
    secrets.hold('launch', { PIN: '4711' }, 'ours', runs);
    const forget = secrets.hold('refused', { PIN: '4712' }, 'ours', [randomUUID()]);
    forget();
    assert.deepEqual(secrets.of('refused'), {});
    end(runs[0] ?? '');
    end(runs[0] ?? '');
    end(runs[1] ?? '', 'theirs');
    assert.deepEqual(secrets.of('launch'), { PIN: '4711' });
    end(runs[1] ?? '');
    assert.deepEqual(secrets.of('launch'), {});
  });

  it('fill columns that no other text of the test can name', () => {
    const step = testStepSchema.parse({ name: 'PIN', action: { type: 'press', keys: '${secret:PIN}' }, secret: true });
    const plan: TestPlan = withSecrets({ type: 'script', steps: [step] }, { PIN: '4711' });
    const { row = {}, steps: [filled] = [] } = plan.type === 'script' ? plan : {};
    assert.deepEqual(Object.values(row), ['4711']);
    assert.ok(filled?.action.type === 'press');
    assert.deepEqual(missingPlaceholders([filled.action.keys], row), []);
    assert.deepEqual(missingPlaceholders(['{secret__PIN}', '{PIN}'], row), ['secret__PIN', 'PIN']);
  });

  it('must all be there, and be keys where keys are pressed', () => {
    const step = testStepSchema.parse({ name: 'PIN', action: { type: 'press', keys: '${secret:PIN}' }, secret: true });
    const plans: TestPlan[] = [{ type: 'script', steps: [step] }];
    assertSecrets(plans, { PIN: '4711' });
    assert.throws(() => assertSecrets(plans, {}), { status: 400, code: 'secret_missing', details: { secret: 'PIN' } });
    assert.throws(
      () => assertSecrets(plans, { PIN: 'open' }),
      (error) =>
        error instanceof Error &&
        !error.message.includes('open') &&
        'code' in error &&
        error.code === 'invalid_request',
    );
  });
});
