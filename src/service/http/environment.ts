import type { Principal } from '../apiKeys.ts';

/** What the guards leave for the handlers of one request. */
export interface AppEnvironment { readonly Variables: { requestId: string; principal: Principal } }
