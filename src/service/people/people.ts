import * as z from 'zod';
import type { Store } from '../store/store.ts';
import { verifyPassword } from './passwords.ts';

const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** Returns the address in the store's form, or undefined if it isn't an address. */
export const readEmail = (text: string): string | undefined => emailSchema.safeParse(text).data;

interface KnownPerson {
  readonly personId: string;
  /** Their most recently claimed workspace. */ readonly workspaceId: string;
}

/** Returns the person with this e-mail and password. Neither the result nor its time shows which was wrong. */
export async function findPerson(
  store: Store,
  email: string | undefined,
  password: string,
): Promise<KnownPerson | undefined> {
  const person =
    email === undefined
      ? undefined
      : await store.db.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirst();
  if (!(await verifyPassword(password, person?.password)) || !person) return undefined;
  const [workspaceId] = await workspacesOf(store, person.id);
  return workspaceId === undefined ? undefined : { personId: person.id, workspaceId };
}

/** Returns the ids of the workspaces that a person owns, the most recently claimed first. */
export async function workspacesOf(store: Store, personId: string): Promise<string[]> {
  const rows = await store.db
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select('workspaces.id')
    .where('memberships.person_id', '=', personId)
    .orderBy('workspaces.claimed_at', 'desc')
    .orderBy('workspaces.id')
    .execute();
  return rows.map(({ id }) => id);
}
