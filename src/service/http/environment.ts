import type { Principal } from '../workspaces/principal.ts';

/** What the guards pass to the handlers of a request. */
export interface AppEnvironment {
  /** `unsentBytes`: what waits in this process until the client reads more. */
  readonly Bindings: { readonly address: string; readonly unsentBytes: () => number };
  readonly Variables: { requestId: string; principal: Principal | undefined };
}
