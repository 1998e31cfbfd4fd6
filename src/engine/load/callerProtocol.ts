import type { SipAgentOptions } from '../../telephony/call.ts';
import type { CallPlan, LoadCallRecord, LoadScript } from './loadCaller.ts';

/** The settings of a caller thread's agent; plain data. */
export type CallerThreadSettings = Pick<SipAgentOptions, 'host' | 'otherHost' | 'port' | 'noResponseTimeoutMs'>;

export type CallerOrder =
  /** Sent once, for all later calls that name it, because a reference is large. */
  | { readonly order: 'script'; readonly number: number; readonly script: LoadScript }
  | {
      readonly order: 'place';
      readonly call: number;
      readonly plan: Omit<CallPlan, 'script'>;
      readonly script?: number;
    }
  | { readonly order: 'hangUp'; readonly call: number }
  /** Hangs up everything, closes all sockets, and ends. */
  | { readonly order: 'close' };

/** Times are on the thread's own `performance.now()`. */
export type CallerReport =
  /** `clockOffset`: add it to `performance.now()` to get the system's monotonic time, which all threads share. */
  | { readonly report: 'ready'; readonly clockOffset: number }
  | { readonly report: 'unusable'; readonly message: string; readonly code?: string | undefined }
  | { readonly report: 'answered'; readonly call: number }
  | { readonly report: 'ended'; readonly call: number; readonly record: LoadCallRecord }
  | { readonly report: 'ticks'; readonly lateness: readonly number[]; readonly missed: number };

/** Returns the difference from this thread's `performance.now()` to the system's monotonic time, in milliseconds. */
export const clockOffset = (): number => Number(process.hrtime.bigint()) / 1e6 - performance.now();
