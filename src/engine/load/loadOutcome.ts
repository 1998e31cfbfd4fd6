import type { CallEnd } from '../../telephony/call.ts';
import type { LoadCallRecord } from './loadCaller.ts';

/** An IVR answers sooner. A call that was cancelled after this long counts as not answered. */
export const PATIENCE_SECONDS = 10;

/**
 * Returns the outcome of a call's set-up as one word, with the SIP status if only that is known, and the Q.850 cause if
 * there is one: `answered`, `busy`, `busy Q.850 17`, `rejected 503 Q.850 34`, …
 */
export function loadOutcomeOf(record: Omit<LoadCallRecord, 'rtp'>): string {
  const { answeredAt, end } = record;
  if (answeredAt !== undefined) return 'answered';
  if (isCancelled(record) && !isTakenBack(record)) return 'noAnswer';
  if (isNotPlaced(record)) return 'notPlaced';
  return withCause(
    end.kind === 'rejected' && end.status !== undefined ? `rejected ${String(end.status)}` : end.kind,
    end,
  );
}

/** Returns who or what ended an answered call: `us`, `them`, `them Q.850 31`, `mediaTimeout`, `protocol`. */
export function hangUpOf(end: CallEnd): string {
  if (end.kind !== 'hangup') return end.kind;
  if (end.by !== 'remote') return 'us';
  return withCause('them', end);
}

const withCause = (told: string, { q850 }: CallEnd): string =>
  q850 === undefined ? told : `${told} Q.850 ${String(q850)}`;

const isCancelled = ({ answeredAt, end, letGo }: Omit<LoadCallRecord, 'rtp'>): boolean =>
  answeredAt === undefined && letGo && end.by === 'local' && end.kind === 'cancelled';

/** No packet was sent: there was no socket for it, or the target's name can't be resolved. */
export const isNotPlaced = ({ answeredAt, end }: Omit<LoadCallRecord, 'rtp'>): boolean =>
  answeredAt === undefined && end.by === 'local' && end.kind === 'unreachable';

/** Dialtree or its machine is to blame: it couldn't place the call, or lost it. */
export const isOwnFault = (record: Omit<LoadCallRecord, 'rtp'>): boolean =>
  isNotPlaced(record) || (record.end.by === 'local' && record.end.kind === 'internal');

const congested = new Set([486, 503, 600, 603]);
/** The called side has no room for this call. */
export const isCongested = ({ answeredAt, end }: Omit<LoadCallRecord, 'rtp'>): boolean =>
  answeredAt === undefined && end.status !== undefined && congested.has(end.status);

/** Neither answered nor failed: it was cancelled before it was decided. */
export const isTakenBack = (record: Omit<LoadCallRecord, 'rtp'>): boolean =>
  isCancelled(record) && record.endedAt - record.placedAt < PATIENCE_SECONDS * 1000;

/** Returns true if a call wasn't set up, or its connection broke. An IVR that hangs up isn't a failure. */
export function isFailure(record: Omit<LoadCallRecord, 'rtp'>): boolean {
  return record.answeredAt === undefined ? !isTakenBack(record) : record.end.kind !== 'hangup';
}
