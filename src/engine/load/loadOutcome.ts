import type { CallEnd } from '../../telephony/call.ts';
import type { LoadCallRecord } from './loadCaller.ts';

/** How a call came about, as one word, with the SIP status where that alone tells: `answered`, `busy`, `rejected 503`, … */
export function outcomeOf({ answeredAt, end }: Pick<LoadCallRecord, 'answeredAt' | 'end'>): string {
  if (answeredAt !== undefined) return 'answered';
  return end.kind === 'rejected' && end.status !== undefined ? `rejected ${String(end.status)}` : end.kind;
}

/** Who ended an answered call, or what: `us`, `them`, `them Q.850 31`, `mediaTimeout`, `protocol`. */
export function hangUpOf(end: CallEnd): string {
  if (end.kind !== 'hangup') return end.kind;
  if (end.by !== 'remote') return 'us';
  return end.q850 === undefined ? 'them' : `them Q.850 ${String(end.q850)}`;
}

/** Neither reached nor failed: we took it back before it was decided. */
export const isTakenBack = ({ answeredAt, end, letGo }: Pick<LoadCallRecord, 'answeredAt' | 'end' | 'letGo'>): boolean =>
  answeredAt === undefined && letGo && end.by === 'local' && end.kind === 'cancelled';

/** A call that did not come about, or whose line broke. That an IVR hangs up is no failure. */
export function isFailure(record: Pick<LoadCallRecord, 'answeredAt' | 'end' | 'letGo'>): boolean {
  return record.answeredAt === undefined ? !isTakenBack(record) : record.end.kind !== 'hangup';
}
