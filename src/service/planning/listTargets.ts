import type { OperationArguments, OperationOutput } from '../../contract/operations.ts';
import type { Target } from '../../contract/targets.ts';
import { isPattern, listedOf } from '../numbers/allowList.ts';
import { lacksConsent } from '../runs/permission.ts';
import type { Store } from '../store/store.ts';
import { isKnown } from '../workspaces/known.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { LineBook } from '../lines/lineBook.ts';

/**
 * Returns what this key may call, by the rules of a launch whose profile has no line and no caller ID. A page checks
 * `limit` numbers, so it can be shorter or, for a limited key, longer.
 */
export async function listTargets(
  { db }: Pick<Store, 'db'>,
  lines: LineBook,
  principal: Principal,
  { limit, cursor = '0' }: OperationArguments<'listTargets'>,
): Promise<OperationOutput<'listTargets'>> {
  // Workspaces that anyone can register call only numbers, and don't see lines.
  const offers = lines.offers().filter(({ kind }) => kind === 'route' || isKnown(principal));
  const next = Number(cursor) + limit;
  const items: Target[] = [];
  for (const { target: offered, ...offer } of offers.slice(Number(cursor), next)) {
    const leads = lines.leadsTo(offered);
    if (!leads || (offer.kind === 'practice' && !leads.lab)) continue;
    for (const target of listedOf(offered, principal.limits, leads)) {
      const dialling = lines.leadsTo(target);
      if (!dialling || (target !== offered && items.some(({ phoneNumber }) => phoneNumber === target))) continue;
      const needsConsent = await lacksConsent(db, principal.workspaceId, dialling);
      items.push({ ...offer, ...(isPattern(target) ? { pattern: target } : { phoneNumber: target }), needsConsent });
    }
  }
  return { items, ...(next < offers.length && { nextCursor: String(next) }) };
}
