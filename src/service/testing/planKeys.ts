import { remembered } from '../../base/remembered.ts';
import { HumanError } from '../../contract/errors.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import { forbiddenKeyIn } from '../../model/calls/forbiddenKeys.ts';
import { withoutSecrets } from '../../model/secrets/secretReferences.ts';
import type { TestPlan } from '../store/storedPlan.ts';

/** A step that would press a forbidden key. The key isn't named if the step is secret. */
export interface ForbiddenPress {
  readonly step: string;
  readonly key?: string;
}

/** Returns the keys that steps and rows name. Forbidden keys that come up during the call aren't pressed. */
export function pressedByPlans(plans: readonly TestPlan[], forbidden: string): ForbiddenPress[] {
  const presses = new Map<string, ForbiddenPress>();
  const forbiddenIn = remembered((keys) => forbiddenKeyIn(keys, forbidden));
  const partsOf = remembered((keys) => keys.split(/\{(\w+)\}/));
  for (const plan of plans)
    for (const { step, keys, secret } of pressesOf(plan)) {
      const row = plan.type === 'script' ? (plan.row ?? {}) : {};
      // Filled in part by part, because each of many rows can make a long text of each step.
      const valueAt = (part: string, at: number): string =>
        at % 2 === 0 ? part : Object.hasOwn(row, part) ? (row[part] ?? '') : '';
      let key: string | undefined;
      for (const [at, part] of partsOf(keys).entries()) key ??= forbiddenIn(valueAt(part, at));
      if (key !== undefined) presses.set(`${step}\0${secret ? '' : key}`, { step, ...(!secret && { key }) });
    }
  return [...presses.values()];
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
  /** Those of a script can contain columns. */
  readonly keys: string;
  readonly secret: boolean;
}

function pressesOf(plan: TestPlan): Press[] {
  switch (plan.type) {
    case 'script': {
      return plan.steps.flatMap(({ name, action, secret }) =>
        action.type === 'press' ? [{ step: name, keys: withoutSecrets(action.keys), secret: secret === true }] : [],
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
