import { poolSchema, tierSchema } from '../contract/workspace.ts';
import type { Store } from '../service/store/store.ts';
import { grantPack, listWorkspaces, setTier } from '../service/workspaces/operator.ts';
import { note, print, readArguments, UsageError } from './command.ts';
import { jsonText } from './controlCharacters.ts';
import { demandWorkspaceId, storeOptions, withOperatorStore } from './operatorStore.ts';

/**
 * `dialtree admin`: what only the operator of a server may do, on its database, or on its data folder while no service
 * runs on it.
 */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const {
    values,
    positionals: [action, id, ...rest],
  } = readArguments(args, { ...storeOptions, json: { type: 'boolean' } });
  await withOperatorStore(values, readAction(action, id, rest, values.json === true));
  return 0;
}

function readAction(
  action: string | undefined,
  given: string | undefined,
  rest: readonly string[],
  json: boolean,
): (store: Store) => Promise<void> {
  if (action === 'workspaces' && given === undefined) {
    return async (store) => {
      const workspaces = await listWorkspaces(store);
      print(
        json
          ? jsonText(workspaces, 2)
          : workspaces
              .map(
                (one) =>
                  `${one.id}  ${one.kind.padEnd(6)}  ${one.unlimited ? 'unlimited' : one.tier.padEnd(9)}  ${one.createdAt}  ${String(one.minutesUsed)} minutes used`,
              )
              .join('\n'),
      );
    };
  }
  const id = demandWorkspaceId(given);
  if (action === 'tier') {
    const tier = tierSchema.safeParse(rest[0]);
    if (!tier.success || rest.length > 1) throw new UsageError(`A tier is one of ${tierSchema.options.join(', ')}.`);
    return async (store) => {
      await setTier(store, id, tier.data, new Date());
      note(`The workspace is ${tier.data} now.`);
    };
  }
  if (action === 'grant') {
    const pool = poolSchema.safeParse(rest[0]);
    const minutes = Number(rest[1]);
    if (!pool.success || rest.length !== 2 || !Number.isFinite(minutes) || minutes <= 0 || minutes > 1_000_000)
      throw new UsageError(
        `Give a pool (${poolSchema.options.join(', ')}) and the minutes, such as: grant ID mapping 60`,
      );
    return async (store) => {
      await grantPack(store, id, pool.data, minutes, new Date());
      note(`${String(minutes)} minutes were added.`);
    };
  }
  throw new UsageError(`There is no action "${action ?? ''}". Use workspaces, tier or grant.`);
}
