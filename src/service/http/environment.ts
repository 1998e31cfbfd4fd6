import type { Principal } from '../workspaces/principal.ts';

/** What the guards leave for the handlers of one request. */
export interface AppEnvironment {
  readonly Bindings: { readonly address: string };
  readonly Variables: { requestId: string; principal: Principal | undefined };
}
