import type { PlannedCalls } from '../../contract/callPlan.ts';
import { fillPlaceholders } from '../../engine/script/placeholders.ts';
import { classifyLabel } from '../../language/labels/classifyLabel.ts';
import type { Store } from '../store/store.ts';
import type { TestPlan } from '../store/storedPlan.ts';

const isRisky = (label: string): boolean => classifyLabel(label).class === 'irreversible';

export type RiskyKey = PlannedCalls['riskyKeys'][number];

/** An option of a mapped menu: the keys from the first menu to it, and its label. */
interface Option {
  readonly keys: readonly string[];
  readonly label: string;
}

/**
 * Returns options that may pay, cancel or agree to something. For scripted tests: options that their keys pass, and
 * steps that say so themselves. For runs that find their own way (`plans` of other kinds, or none): all such options of
 * the number.
 */
export async function riskyKeysOf(
  store: Store,
  workspaceId: string,
  phoneNumber: string,
  plans: readonly TestPlan[] | undefined,
): Promise<RiskyKey[]> {
  const risky = (await optionsOf(store, workspaceId, phoneNumber)).filter(({ label }) => isRisky(label));
  const found =
    plans?.every(({ type }) => type === 'script') === true
      ? plans.flatMap((plan) => alongScript(plan, risky))
      : risky.map(({ keys, label }) => ({ key: keys.join(' '), label }));
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

function alongScript(plan: TestPlan, risky: readonly Option[]): RiskyKey[] {
  if (plan.type !== 'script') return [];
  const found: RiskyKey[] = [];
  let pressed = '';
  for (const { name, action, secret } of plan.steps) {
    if (action.type !== 'press') continue;
    const keys = fillPlaceholders(action.keys, plan.row ?? {}).replaceAll(',', '');
    const before = pressed;
    pressed += keys;
    const passed = risky.filter((option) => {
      const way = option.keys.join('');
      return way.length > before.length && pressed.startsWith(way);
    });
    if (secret === true) continue;
    found.push(...passed.map((option) => ({ key: option.keys.join(' '), label: option.label, step: name })));
    if (passed.length === 0 && isRisky(name)) found.push({ key: action.keys, label: name, step: name });
  }
  return found;
}

/** Returns the options from the number's newest mapping that found any. */
async function optionsOf({ db }: Store, workspaceId: string, phoneNumber: string): Promise<Option[]> {
  const run = await db
    .selectFrom('mapping_runs')
    .innerJoin('mapping_jobs', 'mapping_jobs.id', 'mapping_runs.job_id')
    .select('mapping_runs.id')
    .where('mapping_jobs.workspace_id', '=', workspaceId)
    .where('mapping_jobs.phone_number', '=', phoneNumber)
    .where('mapping_runs.status', '!=', 'running')
    .where((row) =>
      row.exists(
        row
          .selectFrom('mapping_steps')
          .select('step_id')
          .whereRef('mapping_steps.run_id', '=', 'mapping_runs.id')
          .where('depth', '>', 0),
      ),
    )
    .orderBy('mapping_runs.started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!run) return [];
  const steps = await db
    .selectFrom('mapping_steps')
    .select(['step_id', 'parent_id', 'node'])
    .where('run_id', '=', run.id)
    .orderBy('position')
    .execute();
  const known = new Map(steps.map((step) => [step.step_id, step]));
  return steps.flatMap(({ parent_id: parent, node }): Option[] => {
    const keys = [node.digit];
    for (let id = parent; id !== null;) {
      const above = known.get(id);
      if (above?.parent_id !== null) keys.unshift(above?.node.digit);
      id = above?.parent_id ?? null;
    }
    const pressed = keys.filter((key) => key !== undefined);
    return parent === null || pressed.length < keys.length ? [] : [{ keys: pressed, label: node.label ?? '' }];
  });
}
