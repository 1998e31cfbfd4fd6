import { HumanError } from '../../contract/errors.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import { fillPlaceholders } from '../../engine/script/placeholders.ts';
import { forbiddenKeyIn } from '../../model/calls/forbiddenKeys.ts';
import type { TestPlan } from '../store/storedPlan.ts';

/** A step that would press a forbidden key. The key isn't named if the step is secret. */
export interface ForbiddenPress {
  readonly step: string;
  readonly key?: string;
}

/** Returns the keys that steps and rows name. Forbidden keys that come up during the call aren't pressed. */
export function pressedByPlans(plans: readonly TestPlan[], forbidden: string): ForbiddenPress[] {
  const presses = plans
    .flatMap((plan) => pressesOf(plan))
    .flatMap(({ step, keys, secret }) => {
      const key = forbiddenKeyIn(keys, forbidden);
      return key === undefined ? [] : [{ step, ...(!secret && { key }) }];
    });
  return [...new Map(presses.map((press) => [`${press.step}\0${press.key ?? ''}`, press])).values()];
}

export function pressedByLoad({ keys = [] }: Pick<RunLoadTest, 'keys'>, forbidden: string): ForbiddenPress[] {
  return keys.flatMap(({ afterSeconds, digits }) => {
    const key = forbiddenKeyIn(digits, forbidden);
    return key === undefined ? [] : [{ step: `keys after ${String(afterSeconds)} s`, key }];
  });
}

/** @throws HumanError 403 `forbidden_key` for the first */
export function assertKeysAllowed(presses: readonly ForbiddenPress[]): void {
  const [first] = presses;
  if (!first) return;
  const what = first.key === undefined ? 'a key that' : `the key ${first.key}, which`;
  throw new HumanError(
    `The step “${first.step}” presses ${what} this workspace forbids on the public network. Change the step, or use updateWorkspaceSettings to remove the key from forbiddenKeys.`,
    { status: 403, code: 'forbidden_key', details: { presses }, quotes: presses.map(({ step }) => step) },
  );
}

interface Press {
  readonly step: string;
  readonly keys: string;
  readonly secret: boolean;
}

function pressesOf(plan: TestPlan): Press[] {
  switch (plan.type) {
    case 'script': {
      const { steps, row = {} } = plan;
      return steps.flatMap(({ name, action, secret }) =>
        action.type === 'press'
          ? [{ step: name, keys: fillPlaceholders(action.keys, row), secret: secret === true }]
          : [],
      );
    }
    case 'probe':
      return (plan.probe.dialogue?.steps ?? []).flatMap((step): Press[] => {
        if (step.do === 'press') return [{ step: step.id, keys: step.keys, secret: false }];
        return step.do === 'answer' && typeof step.give === 'object' && step.give.by === 'keys'
          ? [{ step: step.id, keys: step.give.digits, secret: step.give.secret }]
          : [];
      });
    case 'mission':
      return [];
  }
}
