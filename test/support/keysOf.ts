import type { Store } from '../../src/service/store/store.ts';
import { Keys } from '../../src/service/workspaces/keys.ts';

/** The keys of a store whose clients need no notice of revoked keys. */
export const keysOf = (store: Store, now: () => Date, localKeyId?: string): Keys =>
  new Keys(store, now, localKeyId, () => Promise.resolve());
