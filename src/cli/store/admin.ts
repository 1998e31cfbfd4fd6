import { poolSchema, tierSchema } from '../../contract/workspace.ts';
import type { Store } from '../../service/store/store.ts';
import { grantPack, listWorkspaces, setTier } from '../../service/workspaces/operator.ts';
import { readArguments, UsageError, type Command } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { demandWorkspaceId, storeHelp, storeOptions, withOperatorStore } from './operatorStore.ts';

/** What only the operator of a server may do, on its database, or on its data folder while no service runs on it. */
export const admin: Command = {
  help: `  admin workspaces                      lists the workspaces of this store
  admin tier ID free|starter|team|enterprise
  admin grant ID POOL MINUTES           adds a pack; POOL is testing, loadTesting, mapping, s2s or s2stest

${storeHelp}
  --json               prints the list as JSON`,
  async run(args) {
    const {
      values,
      positionals: [action, id, ...rest],
    } = readArguments(args, { ...storeOptions, json: { type: 'boolean' } });
    await withOperatorStore(values, readAction(action, id, rest, values.json === true));
    return 0;
  },
};

type Work = (store: Store) => Promise<void>;

function readAction(
  action: string | undefined,
  given: string | undefined,
  rest: readonly string[],
  json: boolean,
): Work {
  if (action === 'workspaces' && given === undefined) return (store) => printWorkspaces(store, json);
  const id = demandWorkspaceId(given);
  if (action === 'tier') return readTier(id, rest);
  if (action === 'grant') return readGrant(id, rest);
  throw new UsageError(`"${action ?? ''}" isn't an action. Use workspaces, tier or grant.`);
}

async function printWorkspaces(store: Store, json: boolean): Promise<void> {
  const workspaces = await listWorkspaces(store);
  if (json) {
    print(jsonText(workspaces, 2));
    return;
  }
  const lines = workspaces.map(({ id, kind, unlimited, tier, createdAt, minutesUsed }) =>
    [
      id,
      kind.padEnd(6),
      unlimited ? 'unlimited' : tier.padEnd(9),
      createdAt,
      `${String(minutesUsed)} minutes used`,
    ].join('  '),
  );
  print(lines.join('\n'));
}

function readTier(id: string, [given, ...more]: readonly string[]): Work {
  const tier = tierSchema.safeParse(given);
  if (!tier.success || more.length > 0)
    throw new UsageError(`The tier must be one of ${tierSchema.options.join(', ')}.`);
  return async (store) => {
    await setTier(store, id, tier.data, new Date());
    note(`The workspace is now on the ${tier.data} tier.`);
  };
}

function readGrant(id: string, [given, amount, ...more]: readonly string[]): Work {
  const pool = poolSchema.safeParse(given);
  const minutes = Number(amount);
  const isAmount = Number.isFinite(minutes) && minutes > 0 && minutes <= 1_000_000;
  if (!pool.success || !isAmount || more.length > 0)
    throw new UsageError(
      `Give a pool (${poolSchema.options.join(', ')}) and the minutes, such as: grant ID mapping 60`,
    );
  return async (store) => {
    await grantPack(store, id, pool.data, minutes, new Date());
    note(`Added ${String(minutes)} minutes.`);
  };
}
