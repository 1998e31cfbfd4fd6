import { groupBy } from '../../base/groupBy.ts';
import type { PlannedCalls } from '../../contract/callPlan.ts';
import { fillPlaceholders } from '../../model/tests/columnUse.ts';
import { classifyLabel } from '../../language/labels/classifyLabel.ts';
import { upwards } from '../../model/tree/upwards.ts';
import type { TestStep } from '../../contract/testConfigs.ts';
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
      ? risksAlong(plans, risky)
      : risky.map(({ keys, label }) => ({ key: keys.join(' '), label }));
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * Returns the options that scripted plans pass, and steps that no option explains but that say so themselves. Each row
 * is read only as far as the longest way to an option, and each name once, because there can be as many texts as steps
 * times rows.
 */
export function risksAlong(plans: readonly TestPlan[], risky: readonly Option[]): RiskyKey[] {
  const byWay = groupBy(risky, ({ keys }) => keys.join(''));
  const longest = Math.max(0, ...Array.from(byWay.keys(), (way) => way.length));
  const found: RiskyKey[] = [];
  const unexplained = new Set<TestStep>();
  for (const plan of plans) {
    if (plan.type !== 'script') continue;
    let pressed = '';
    for (const step of plan.steps) {
      const { name, action, secret } = step;
      if (action.type !== 'press') continue;
      const before = pressed.length;
      if (before < longest)
        pressed = (pressed + fillPlaceholders(action.keys, plan.row ?? {}).replaceAll(',', '')).slice(0, longest);
      if (secret === true) continue;
      let isExplained = false;
      for (let length = before + 1; length <= pressed.length; length += 1)
        for (const { keys, label } of byWay.get(pressed.slice(0, length)) ?? []) {
          found.push({ key: keys.join(' '), label, step: name });
          isExplained = true;
        }
      if (!isExplained) unexplained.add(step);
    }
  }
  const named = [...unexplained].filter(({ name }) => isRisky(name));
  return [
    ...found,
    ...named.flatMap(({ name, action }) =>
      action.type === 'press' ? [{ key: action.keys, label: name, step: name }] : [],
    ),
  ];
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
    // The first menu has no key.
    const above = [...upwards(known.get(parent ?? ''), (step) => known.get(step?.parent_id ?? ''))];
    const keys = [
      ...above
        .slice(0, -1)
        .reverse()
        .map((step) => step.node.digit),
      node.digit,
    ];
    const pressed = keys.filter((key) => key !== undefined);
    return above.at(-1)?.parent_id !== null || pressed.length < keys.length
      ? []
      : [{ keys: pressed, label: node.label ?? '' }];
  });
}
