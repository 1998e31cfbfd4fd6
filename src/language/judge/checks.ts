import { join, sentence, Sentences } from '../../base/sentences.ts';
import type { Criterion } from './criteria.ts';
import type { HeardCall } from './evidence/heardCall.ts';
import { matchEvidence } from './evidence/matchEvidence.ts';
import { byPlace, isBefore, seenInTurn, type Seen, type MatchEvidence } from './evidence/evidence.ts';
import type { Condition } from './grammar/conditions.ts';
import type { Event } from './grammar/events.ts';
import type { Evidence } from './quotes.ts';

/** Whether a criterion is met, including its negation. */
interface Check {
  readonly met: boolean | 'unknown';
  readonly reason: Sentences;
  readonly evidence: readonly Evidence[];
}

export interface CheckedCall {
  /** Words to a judge are blanked. */
  readonly heard: HeardCall;
  /** The unchanged call, if something was blanked: a phrase that must not be said counts in words to a judge too. */
  readonly all?: HeardCall;
}

interface Truth {
  readonly happened: boolean | 'unknown';
  readonly reason: Sentences;
  readonly seen: readonly Seen[];
}

/** Returns true if a criterion is met by absence: "never", "at most". */
export const isAbsence = ({ negated, events }: Pick<Criterion, 'negated' | 'events'>): boolean =>
  negated ||
  events.some((event) => event.kind === 'menuSize' && event.relation !== 'atLeast' && event.relation !== 'more');

const unlooked = sentence`Words that seem to address a judge were left out, and they may matter here.`;

/**
 * Checks a criterion. If words to a judge were blanked, an event that isn't in the rest may still have happened. Only
 * what holds with these words too is decided, because they may be meant for the caller after all.
 */
export function check(criterion: Criterion, { heard, all }: CheckedCall): Check {
  if (!all) return checkIn(criterion, heard);
  const own = checkIn(
    criterion,
    criterion.negated && criterion.events.every(({ kind }) => kind === 'says') ? all : heard,
  );
  const open = own.met !== 'unknown' && ((own.met && isAbsence(criterion)) || checkIn(criterion, all).met !== own.met);
  return open ? { met: 'unknown', reason: join(own.reason, unlooked), evidence: own.evidence } : own;
}

/**
 * Checks whether a criterion's circumstances arose, and its events occurred in their order, number and time. Returns
 * `unknown` if another reading is possible.
 */
function checkIn(criterion: Criterion, call: HeardCall): Check {
  const missing = criterion.conditions.find((condition) => !arose(condition, call));
  if (missing)
    return { met: 'unknown', reason: sentence`The call doesn't show that “${missing.text}” happened.`, evidence: [] };
  const window = windowOf(criterion, call);
  if (window instanceof Sentences) return { met: 'unknown', reason: window, evidence: [] };
  const truths = criterion.events.map((event) => truthOf(event, criterion, window, call));
  const happened = combined(
    truths.map((one) => one.happened),
    criterion,
  );
  const telling =
    happened === 'unknown'
      ? truths.filter((one) => one.happened === 'unknown')
      : truths.filter((one) => one.happened === happened);
  return {
    met: happened === 'unknown' ? 'unknown' : happened !== criterion.negated,
    reason: join(...(telling.length > 0 ? telling : truths).map(({ reason }) => reason)),
    evidence: (telling.length > 0 ? telling : truths).flatMap(({ seen }) => seen.map(({ evidence }) => evidence)),
  };
}

/** Combines all or any of the events. "Must not do A and B" is ambiguous, so both readings must agree. */
function combined(all: readonly (boolean | 'unknown')[], { mode, negated }: Criterion): boolean | 'unknown' {
  const every = all.every((one) => one === true) ? true : all.includes(false) ? false : 'unknown';
  const some = all.includes(true) ? true : all.every((one) => one === false) ? false : 'unknown';
  if (negated && mode === 'all') return every === some ? every : 'unknown';
  return mode === 'all' ? every : some;
}

function arose({ event, least }: Condition, call: HeardCall): boolean {
  return event !== undefined && matchEvidence(event, call).sure.length >= least;
}

/** The part of the call to search for events. `until`: positions from which it may be over. */
interface Window {
  readonly after?: Seen | undefined;
  readonly until?: Seen;
  readonly maybeUntil?: Seen;
}

/** If there is nothing to search, returns the reason. */
function windowOf({ before, after, where }: Criterion, call: HeardCall): Window | Sentences {
  if (where !== undefined) return placeOf(where, call);
  const start = after ? matchEvidence(after, call, true).sure.toSorted(byPlace)[0] : undefined;
  if (after && !start) return sentence`The call doesn't clearly show what must come first.`;
  if (!before) return start ? { after: start } : {};
  const end = matchEvidence(before, call, true);
  const [until] = end.sure.filter((one) => start === undefined || isBefore(start, one)).toSorted(byPlace);
  if (!until) return sentence`The call doesn't clearly show what must come afterwards.`;
  const [maybe] = end.maybe.toSorted(byPlace);
  return { after: start, until, ...(maybe && isBefore(maybe, until) && { maybeUntil: maybe }) };
}

/** Before the caller's first action, or after the last one. */
function placeOf(where: 'first' | 'last', { turns }: HeardCall): Window {
  const index =
    where === 'first'
      ? turns.findIndex(({ speaker }) => speaker === 'us')
      : turns.findLastIndex(({ speaker }) => speaker === 'us');
  const turn = turns[index];
  if (!turn) return {};
  const at = seenInTurn({ turn, index });
  return where === 'first' ? { until: at } : { after: at };
}

function truthOf(event: Event, criterion: Criterion, window: Window, call: HeardCall): Truth {
  const whole = matchEvidence(event, call, criterion.negated);
  const seen = seenWithin(whole, window);
  if (criterion.within) return inTime(seen, criterion.within, window, call, criterion);
  const { sure, maybe } = seen;
  const least = criterion.least ?? 1;
  const unknown = (reason: Sentences): Truth => ({ happened: 'unknown', reason, seen: maybe });
  // "At most once" says nothing about a call in which it never came up.
  if (criterion.negated && least > 1 && sure.length === 0) return unknown(seen.missing);
  if (sure.length >= least)
    return {
      happened: true,
      reason: least > 1 ? join(seen.told, sentence`This happened ${sure.length} times.`) : seen.told,
      seen: sure,
    };
  // A sentence can say it twice, so a possible match leaves the count open.
  if (maybe.length > 0 && (least > 1 || sure.length + maybe.length >= least))
    return unknown(join(seen.missing, sentence`But this may be it.`));
  return missed(seen, whole.sure.length > 0, isOver(seen, window, call, criterion), window);
}

/** The event wasn't seen often enough. `elsewhere`: seen elsewhere in the call; `over`: no more could follow. */
function missed(seen: MatchEvidence, elsewhere: boolean, over: boolean, { until }: Window): Truth {
  const { sure, denied } = seen;
  if (denied.length > 0 || sure.length > 0)
    return {
      happened: over || denied.length > 0 ? false : 'unknown',
      reason: sure.length > 0 ? join(seen.told, onlyTimes(sure.length)) : seen.missing,
      seen: [...denied, ...sure],
    };
  if (!seen.complete) return { happened: 'unknown', reason: seen.missing, seen: [] };
  const reason = elsewhere ? join(seen.told, sentence`But it wasn't in the right place.`) : seen.missing;
  return over
    ? { happened: false, reason, seen: until ? [until] : [] }
    : { happened: 'unknown', reason: join(reason, sentence`But the call doesn't show its end.`), seen: [] };
}

const onlyTimes = (count: number): Sentences =>
  count === 1 ? sentence`This happened only once.` : sentence`This happened only ${count} times.`;

/** Returns what was seen inside a window. `maybe` also contains what was seen where the window may be over. */
function seenWithin(whole: MatchEvidence, { after, until, maybeUntil }: Window): MatchEvidence {
  const inside = (one: Seen): boolean =>
    (after === undefined || isBefore(after, one)) && (until === undefined || isBefore(one, until));
  const inDoubt = (one: Seen): boolean => maybeUntil !== undefined && !isBefore(one, maybeUntil);
  const sure = whole.sure.filter(inside);
  return {
    ...whole,
    sure: sure.filter((one) => !inDoubt(one)),
    denied: whole.denied.filter(inside),
    maybe: [...whole.maybe.filter(inside), ...sure.filter(inDoubt)],
  };
}

/** Returns false if the event could still have happened. */
const isOver = (
  { anyEnd, passed }: MatchEvidence,
  { until }: Window,
  { ending }: HeardCall,
  { negated }: Criterion,
): boolean => until !== undefined || passed === true || (negated || anyEnd ? ending !== 'cut' : ending === 'closed');

function inTime(
  seen: MatchEvidence,
  within: NonNullable<Criterion['within']>,
  { after }: Window,
  call: HeardCall,
  { negated }: Criterion,
): Truth {
  const unknown = (reason: Sentences): Truth => ({ happened: 'unknown', reason, seen: [...seen.sure, ...seen.maybe] });
  if (negated) return unknown(sentence`Rules can't check what must not happen within a time.`);
  const [first] = seen.sure.toSorted(byPlace);
  if ('menus' in within) {
    if (first) {
      const menus = new Set(
        call.sentences.filter(({ index, offers }) => offers && index < first.turn).map(({ index }) => index),
      ).size;
      return {
        happened: menus <= within.menus,
        reason: join(
          seen.told,
          menus === 1 ? sentence`This was after 1 menu.` : sentence`This was after ${menus} menus.`,
        ),
        seen: [first],
      };
    }
  } else if (first) {
    const from = after ? after.evidence.startMs : 0;
    const { startMs } = first.evidence;
    if (startMs === undefined || from === undefined) return unknown(sentence`The transcript has no times.`);
    const took = startMs - from;
    return {
      happened: took <= within.ms,
      reason: join(seen.told, sentence`This was after ${Math.round(took / 1000)} s.`),
      seen: [first],
    };
  }
  if (seen.maybe.length > 0 || !seen.complete || call.ending !== 'closed') return unknown(seen.missing);
  return { happened: false, reason: seen.missing, seen: [] };
}
