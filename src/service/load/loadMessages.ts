import { createHash } from 'node:crypto';
import type { CallerOrder, CallReport } from '../../engine/load/callerProtocol.ts';
import type { CallPlan } from '../../engine/load/loadCaller.ts';

/**
 * A process without a sign of the other for this many beats of its mailbox (5 s) takes it for gone. Beats are counted
 * instead of seconds, so that a process that was itself halted looks into its mailbox first.
 */
export const silentBeats = 10;

type PlaceOrder = Extract<CallerOrder, { readonly order: 'place' }>;

/** From the process that runs a load test. */
export type LeaderMessage =
  | Exclude<CallerOrder, { readonly order: 'place' }>
  /** The helper knows the address and the account itself: a password isn't written into the database. */
  | (Omit<PlaceOrder, 'plan'> & { readonly plan: Omit<PlaceOrder['plan'], 'target' | 'call'> })
  /** The offer is accepted. */
  | { readonly order: 'begin' }
  /** A sign of life, which is answered at once. `at` is on the leader's clock. */
  | { readonly order: 'ping'; readonly at: number };

/** From a process that places some of its calls. Times of calls are on its own clock. */
export type HelperMessage =
  | CallReport
  /** It could place this many calls, to the same address over the same line if `route` is the same. */
  | { readonly report: 'offer'; readonly room: number; readonly route: string }
  | { readonly report: 'ready' }
  /** Its calls are gone. */
  | { readonly report: 'unusable'; readonly message: string }
  | { readonly report: 'pong'; readonly at: number; readonly now: number };

/** What a process needs to place the calls of a load test. */
export interface LoadRoute extends Pick<CallPlan, 'target' | 'call'> {
  readonly line?: string | undefined;
}

/** A dial plan can contain a password, so processes compare only this. */
export const routeHash = ({ target, line }: LoadRoute): string =>
  createHash('sha256')
    .update(JSON.stringify([target, line ?? null]))
    .digest('hex');

export function withoutRoute(order: CallerOrder): LeaderMessage {
  if (order.order !== 'place') return order;
  const { target: _target, call: _call, ...plan } = order.plan;
  return { ...order, plan };
}
