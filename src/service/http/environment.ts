import type { Principal } from '../workspaces/principal.ts';

/** What the guards pass to the handlers of a request. */
export interface AppEnvironment {
  readonly Bindings: { readonly address: string };
  readonly Variables: { requestId: string; principal: Principal | undefined };
}
