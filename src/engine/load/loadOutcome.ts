import type { CallEnd } from '../../telephony/call.ts';
import type { LoadCallRecord } from './loadCaller.ts';

/** An IVR answers sooner: a call that we took back after so long was not answered. */
export const PATIENCE_SECONDS = 10;

/**
 * How a call came about, as one word, with the SIP status where that alone tells and the Q.850 cause where one was
 * given: `answered`, `busy`, `busy Q.850 17`, `rejected 503 Q.850 34`, …
 */
export function outcomeOf(record: Omit<LoadCallRecord, 'rtp'>): string {
  const { answeredAt, end } = record;
  if (answeredAt !== undefined) return 'answered';
  if (isCancelled(record) && !isTakenBack(record)) return 'noAnswer';
  if (isNotPlaced(record)) return 'notPlaced';
  return withCause(
    end.kind === 'rejected' && end.status !== undefined ? `rejected ${String(end.status)}` : end.kind,
    end,
  );
}

/** Who ended an answered call, or what: `us`, `them`, `them Q.850 31`, `mediaTimeout`, `protocol`. */
export function hangUpOf(end: CallEnd): string {
  if (end.kind !== 'hangup') return end.kind;
  if (end.by !== 'remote') return 'us';
  return withCause('them', end);
}

const withCause = (told: string, { q850 }: CallEnd): string =>
  q850 === undefined ? told : `${told} Q.850 ${String(q850)}`;

const isCancelled = ({ answeredAt, end, letGo }: Omit<LoadCallRecord, 'rtp'>): boolean =>
  answeredAt === undefined && letGo && end.by === 'local' && end.kind === 'cancelled';

/** No packet of it left: there was no socket for it, or the target's name leads nowhere. */
export const isNotPlaced = ({ answeredAt, end }: Omit<LoadCallRecord, 'rtp'>): boolean =>
  answeredAt === undefined && end.by === 'local' && end.kind === 'unreachable';

/** Neither reached nor failed: we took it back before it was decided. */
export const isTakenBack = (record: Omit<LoadCallRecord, 'rtp'>): boolean =>
  isCancelled(record) && record.endedAt - record.placedAt < PATIENCE_SECONDS * 1000;

/** A call that did not come about, or whose line broke. That an IVR hangs up is no failure. */
export function isFailure(record: Omit<LoadCallRecord, 'rtp'>): boolean {
  return record.answeredAt === undefined ? !isTakenBack(record) : record.end.kind !== 'hangup';
}
