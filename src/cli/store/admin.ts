import { count } from '../../base/count.ts';
import { poolSchema, tierSchema } from '../../contract/workspace.ts';
import type { Store } from '../../service/store/store.ts';
import { invite, invitationDays } from '../../service/people/invitations.ts';
import { addOwner, grantPack, listWorkspaces, setTier } from '../../service/workspaces/operator.ts';
import { readEmail } from '../../service/people/people.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { note, print } from '../terminal/output.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { assertWorkspaceId, storeHelp, storeOptions, withOperatorStore } from './operatorStore.ts';

/** Commands for the operator of a server, on its database, or on its data folder while no service uses it. */
export const admin: CliCommand = {
  help: `  admin workspaces                      lists the workspaces of this store
  admin tier ID free|starter|team|enterprise
  admin grant ID POOL MINUTES           adds a pack; POOL is testing, loadTesting, mapping, s2s or s2stest
  admin invite EMAIL                    prints a code with which this person can create an account on a claim page;
                                        needed if the server sends no mail
  admin owner ID EMAIL                  makes a person who has an account here an owner of the workspace

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
  if (action === 'invite' && rest.length === 0) return readInvite(given);
  const id = assertWorkspaceId(given);
  if (action === 'tier') return readTier(id, rest);
  if (action === 'grant') return readGrant(id, rest);
  if (action === 'owner') return readOwner(id, rest);
  throw new UsageError(`"${action ?? ''}" isn't an action. Use workspaces, tier, grant, invite or owner.`);
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
      `${count(minutesUsed, 'minute')} used`,
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
    note(`Added ${count(minutes, 'minute')}.`);
  };
}

function assertEmail(given: string | undefined): string {
  const email = readEmail(given ?? '');
  if (email === undefined) throw new UsageError('Give an e-mail address, such as ann@example.com.');
  return email;
}

function readInvite(given: string | undefined): Work {
  const email = assertEmail(given);
  return async (store) => {
    const { code } = await invite(store, email, new Date());
    print(code);
    note(
      `The person at ${email} can use this code once, within ${String(invitationDays)} days. Make sure that the address is theirs.`,
    );
  };
}

function readOwner(id: string, [given, ...more]: readonly string[]): Work {
  const email = assertEmail(more.length > 0 ? undefined : given);
  return async (store) => {
    await addOwner(store, id, email, new Date());
    note(`${email} is now an owner of the workspace.`);
  };
}
