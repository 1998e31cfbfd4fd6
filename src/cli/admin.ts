import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HumanError } from '../contract/errors.ts';
import { poolSchema, tierSchema } from '../contract/workspace.ts';
import { findInstallation } from '../service/installation.ts';
import { silentLog } from '../service/log.ts';
import { DataFolder } from '../service/store/folder.ts';
import { ownDataFolder } from '../service/store/ownership.ts';
import { openEmbeddedStore } from '../service/store/embeddedStore.ts';
import type { Store } from '../service/store/store.ts';
import { grantPack, listWorkspaces, setTier } from '../service/workspaces/operator.ts';
import { note, print, readArguments, UsageError } from './command.ts';

/** `dialtree admin`: what only the operator of a server may do, on its data folder while no service runs on it. */
export async function runAdmin(args: readonly string[]): Promise<number> {
  const { values, positionals: [action, id, ...rest] } = readArguments(args, { data: { type: 'string' }, assets: { type: 'string' }, json: { type: 'boolean' } });
  const work = readAction(action, id, rest, values.json === true);
  const dataDir = resolve(values.data ?? join(homedir(), '.dialtree'));
  const folder = new DataFolder(dataDir);
  if (!await folder.hasDatabase()) throw new HumanError(`There is no store in ${dataDir}. Give the data folder of the service with --data.`, { status: 400 });
  const ownership = await ownDataFolder(dataDir);
  if ('address' in ownership) throw new HumanError(`A service (process ${String(ownership.address.pid)}) uses ${dataDir}. Stop it first, then try again.`, { status: 503 });
  try {
    const { assetsDir } = findInstallation(values.assets === undefined ? undefined : resolve(values.assets));
    const store = await openEmbeddedStore({ folder, assetsDir, log: silentLog, now: () => new Date() });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  } finally {
    await ownership.owner.release();
  }
  return 0;
}

function readAction(action: string | undefined, id: string | undefined, rest: readonly string[], json: boolean): (store: Store) => Promise<void> {
  if (action === 'workspaces' && id === undefined) {
    return async (store) => {
      const workspaces = await listWorkspaces(store);
      print(json ? JSON.stringify(workspaces, null, 2) : workspaces.map((one) => `${one.id}  ${one.kind.padEnd(6)}  ${one.unlimited ? 'unlimited' : one.tier.padEnd(9)}  ${one.createdAt}  ${String(one.minutesUsed)} minutes used`).join('\n'));
    };
  }
  if (id === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new UsageError('Give an action and the id of a workspace; `dialtree admin workspaces` lists them.');
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
    if (!pool.success || rest.length !== 2 || !Number.isFinite(minutes) || minutes <= 0 || minutes > 1_000_000) throw new UsageError(`Give a pool (${poolSchema.options.join(', ')}) and the minutes, such as: grant ID mapping 60`);
    return async (store) => {
      await grantPack(store, id, pool.data, minutes, new Date());
      note(`${String(minutes)} minutes were added.`);
    };
  }
  throw new UsageError(`There is no action "${action ?? ''}". Use workspaces, tier or grant.`);
}
