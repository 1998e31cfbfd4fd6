import { join, sentence, Sentences } from '../../base/sentences.ts';
import type { Check, Moment, PlainCheck } from '../../contract/checks.ts';
import type { Verdict } from '../../contract/testRuns.ts';
import { sentencesOfEnd } from '../../model/calls/sentencesOfEnd.ts';
import type { Evidence } from '../heard/quotes.ts';
import type { HeardCall } from './heardCall.ts';
import { isInside, sentencesIn, type Find, type Part } from './part.ts';
import { findAsked } from './rows/asksFor.ts';
import { findTold } from './rows/figures.ts';
import { findLanguage } from './rows/languages.ts';
import { findAnswered, findHangUp, findPrompt, findSilence, findStaysOn, findStopped } from './rows/measured.ts';
import { findDisclosed } from './rows/notices.ts';
import { findOffered, findRepeated } from './rows/offers.ts';
import { findReached, notReachedState, whyNotReached } from './rows/reached.ts';
import { findNeverReadBack, findReadBackDigits } from './rows/readsBack.ts';
import { findNeverSaid, findSaid, findSent } from './rows/said.ts';
import { byPlace, isBefore, seenInSentence, type Seen, type Sightings } from './sightings.ts';

const rows: { readonly [Kind in PlainCheck['kind']]: Find<Kind> } = {
  says: findSaid,
  neverSays: findNeverSaid,
  asksFor: findAsked,
  offers: findOffered,
  tells: findTold,
  readsBack: findReadBackDigits,
  neverReadsBack: findNeverReadBack,
  reaches: findReached,
  discloses: findDisclosed,
  hangsUp: findHangUp,
  staysOn: findStaysOn,
  answersWithin: findAnswered,
  promptWithin: findPrompt,
  silenceAtMost: findSilence,
  language: findLanguage,
  repeatsOnTimeout: findRepeated,
  stopsOnKey: findStopped,
  sends: findSent,
};
const find = (check: PlainCheck, call: HeardCall, part: Part): Sightings =>
  (rows[check.kind] as Find<PlainCheck['kind']>)(check, call, part);

export interface CheckResult {
  readonly verdict: Exclude<Verdict, 'error'>;
  readonly why: Sentences;
  /** The words that show it, with their times. */
  readonly evidence: readonly Evidence[];
  /** What the check must precede wasn't seen, so that it isn't known whether this came before. */
  readonly isEndless?: boolean;
}

/**
 * Returns what a call shows of each check. A failure on a call that this machine heard late is inconclusive, because
 * the called side may only have given up on its caller. Never throws.
 */
export const evaluate = (checks: readonly Check[], call: HeardCall): CheckResult[] =>
  checks.map((check) => {
    const result = evaluateOne(check, call);
    if (result.verdict !== 'fail' || call.excuse === undefined) return result;
    return { ...result, verdict: 'inconclusive', why: join(result.why, call.excuse) };
  });

/** Returns true if a check holds until something happens, so that a call in progress can't meet it yet. */
export const isMetByAbsence = (check: Check): boolean =>
  'checks' in check
    ? check.checks.every(isMetByAbsence)
    : /^(?:not|neverSays|neverReadsBack|staysOn|silenceAtMost)$/.test(check.kind);

/** Returns the worst verdict; a pass needs at least one check. */
export function worstOf(verdicts: readonly CheckResult['verdict'][]): CheckResult['verdict'] {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.length === 0 || verdicts.includes('inconclusive') ? 'inconclusive' : 'pass';
}

function evaluateOne(check: Check, call: HeardCall): CheckResult {
  switch (check.kind) {
    case 'not': {
      const inner = inherit(check.check, check);
      return inner.kind === 'not' ? evaluateOne(inherit(inner.check, inner), call) : reversed(evaluateOne(inner, call));
    }
    case 'all':
    case 'any':
      return combined(
        check.kind,
        check.checks.map((one) => evaluateOne(inherit(one, check), call)),
      );
    default: {
      const place = placeOf(check, call);
      return place instanceof Sentences
        ? { verdict: 'inconclusive', why: place, evidence: [] }
        : judge(check, find(check, call, place.part), place, call);
    }
  }
}

/** A part of the call that a group is about is that of its members, unless they name one. */
const inherit = (check: Check, { when, within }: Check): Check => ({
  ...check,
  ...(check.when === undefined && when && { when }),
  ...(check.within === undefined && within !== undefined && { within }),
});

const opposite = { pass: 'fail', fail: 'pass', inconclusive: 'inconclusive' } as const;
const reversed = ({ verdict, ...rest }: CheckResult): CheckResult => ({
  ...rest,
  verdict: verdict === 'pass' && rest.isEndless === true ? 'inconclusive' : opposite[verdict],
});

/** All must hold, or one of them. What decides gives the reason. */
function combined(kind: 'all' | 'any', results: readonly CheckResult[]): CheckResult {
  const [decides, otherwise] = kind === 'all' ? (['fail', 'pass'] as const) : (['pass', 'fail'] as const);
  const isOpen = results.some(({ verdict }) => verdict === 'inconclusive');
  const verdict = results.some((one) => one.verdict === decides) ? decides : isOpen ? 'inconclusive' : otherwise;
  const shown = results.filter((one) => one.verdict === verdict);
  const [first] = shown;
  const isEach = verdict === otherwise;
  return {
    verdict,
    why: isEach ? join(...shown.map(({ why }) => why)) : (first?.why ?? join()),
    evidence: isEach ? shown.flatMap(({ evidence }) => evidence) : (first?.evidence ?? []),
    ...((isEach ? shown.some((one) => one.isEndless) : shown.every((one) => one.isEndless)) && { isEndless: true }),
  };
}

interface CheckPlace {
  readonly part: Part;
  /** What the check must precede wasn't seen in the call. */
  readonly isEndless: boolean;
}

/** Returns the part of the call for a check, or why the call doesn't have it. */
function placeOf({ when = {}, within }: PlainCheck, call: HeardCall): CheckPlace | Sentences {
  const { after, before, reached } = when;
  const { lastedMs, isWhole = false } = call;
  for (const name of [reached, after])
    if (typeof name === 'string' && call.steps?.get(name)?.reached !== true)
      return join(notReachedState, whyNotReached(call));
  const first = typeof after === 'object' ? firstSeen(after, call) : undefined;
  if (typeof after === 'object' && !first) return sentence`The call doesn't clearly show what must come first.`;
  const fromMs = (typeof after === 'string' ? call.steps?.get(after)?.actedMs : endOf(first)) ?? 0;
  const next = typeof before === 'object' ? firstSeen(before, call, first) : undefined;
  const until = typeof before === 'string' ? call.steps?.get(before) : undefined;
  const toMs = Math.min(
    until?.reached === true ? until.actionMs : Infinity,
    within === undefined ? Infinity : fromMs + within * 1000,
  );
  if (lastedMs !== undefined && lastedMs <= fromMs && (isWhole || lastedMs > 0))
    return join(notReachedState, sentence`The call had already ended.`);
  return {
    part: { fromMs, toMs, after: first, until: next },
    // What the caller does is known for certain.
    isEndless: typeof before === 'object' && before.kind !== 'sends' && !next,
  };
}

const endOf = (seen: Seen | undefined): number | undefined => seen?.evidence.endMs ?? seen?.evidence.startMs;

/** Returns where a check is first met. Of a group, any member counts. */
function firstSeen(moment: Exclude<Moment, string>, call: HeardCall, after?: Seen): Seen | undefined {
  const members = 'checks' in moment ? moment.checks : [moment];
  return members
    .flatMap((one): Seen[] => {
      if (one.kind === 'not') return [];
      if ('checks' in one) return [firstSeen(one, call, after) ?? []].flat();
      const place = placeOf(one, call);
      if (place instanceof Sentences) return [];
      const found = find(one, call, place.part);
      return found.absent ? [] : insideOf(found, found.sure, place.part).slice((one.times ?? 1) - 1);
    })
    .filter((one) => after === undefined || isBefore(after, one))
    .toSorted(byPlace)[0];
}

const longest = (call: HeardCall, part: Part): Evidence[] => {
  const heard = sentencesIn(call, part);
  const [first] = heard;
  if (!first) return [];
  return [
    seenInSentence(heard.reduce((best, one) => (one.text.length > best.text.length ? one : best), first)).evidence,
  ];
};

const insideOf = ({ placed }: Sightings, seen: readonly Seen[] = [], part: Part): Seen[] =>
  (placed ? [...seen] : seen.filter((one) => isInside(one, part))).toSorted(byPlace);
const evidenceOf = (seen: readonly Seen[]): Evidence[] =>
  seen.map((one) => one.evidence).filter(({ quote }) => quote !== '');
const maybeIt = sentence`But this may be it.`;
const endNotShown = sentence`But the call doesn't show its end.`;

/** Order, place, time, negation and the end of the call, for every kind of check. */
function judge(check: PlainCheck, found: Sightings, place: CheckPlace, call: HeardCall): CheckResult {
  const { part, isEndless } = place;
  const { shown, missing, complete, absent, context = [] } = found;
  const [sure, maybe, denied] = [found.sure, found.maybe, found.denied].map((seen) => insideOf(found, seen, part)) as [
    Seen[],
    Seen[],
    Seen[],
  ];
  const open = (why: Sentences, seen: readonly Seen[]): CheckResult => ({
    verdict: 'inconclusive',
    why,
    evidence: seen.length > 0 ? evidenceOf(seen) : longest(call, part),
  });
  if (sure.length >= (check.times ?? 1)) {
    if (!absent) return { verdict: 'pass', why: shown, evidence: evidenceOf(sure), ...(isEndless && { isEndless }) };
    return isEndless ? open(shown, sure) : { verdict: 'fail', why: shown, evidence: evidenceOf(sure) };
  }
  if (!absent && denied.length > 0) return { verdict: 'fail', why: missing, evidence: evidenceOf(denied) };
  const inDoubt = [...maybe, ...(absent ? [] : saidAgain(check, sure, part, call))];
  if (inDoubt.length > 0) return open(join(missing, maybeIt), inDoubt);
  const late = absent ? [] : tooLate(check, part, call);
  if (late.length > 0)
    return { verdict: 'fail', why: join(shown, sentence`But it came too late.`), evidence: evidenceOf(late) };
  if (!complete) return open(missing, context);
  const why = whyOpen(check, found, place, call);
  if (why) return open(why, []);
  if (absent) return { verdict: 'pass', why: missing, evidence: longest(call, part) };
  if (sure.length > 0) return tooSeldom(sure, shown);
  const next = part.until ? [part.until] : found.sure;
  return {
    verdict: 'fail',
    why: found.sure.length > 0 ? join(shown, sentence`But it wasn't in the right place.`) : missing,
    evidence: next.length > 0 ? evidenceOf(next.slice(0, 1)) : longest(call, part),
  };
}

/** Returns why it isn't certain that a check is not met by the words of its part. */
function whyOpen(
  check: PlainCheck,
  { absent, missing }: Sightings,
  { part, isEndless }: CheckPlace,
  call: HeardCall,
): Sentences | undefined {
  const { end, lastedMs = Infinity } = call;
  const isSilent = sentencesIn(call, part).length === 0;
  if (absent) {
    if (isSilent) return nothingHeard;
    return isOver(part, call, true) ? undefined : join(missing, endNotShown);
  }
  if (isSilent && sentencesIn(call, { ...part, until: undefined }).length === 0) return nothingHeard;
  if (isEndless) return join(missing, sentence`What it must precede wasn't said either.`);
  const isObserved = end?.by === 'us' && call.isWhole === true;
  if (check.within !== undefined && !part.until && lastedMs < part.toMs && !isObserved)
    return join(sentence`The call ended too soon to judge this:`, end && sentencesOfEnd(end));
  return isOver(part, call, check.kind === 'says') ? undefined : join(missing, endNotShown);
}

/** The sentence that marks the moment can say it again. */
function saidAgain(check: PlainCheck, sure: readonly Seen[], part: Part, call: HeardCall): readonly Seen[] {
  const { after } = part;
  if (!after || sure.length > 0) return [];
  const { sure: all } = find(check, call, { ...part, after: undefined, fromMs: 0 });
  return all.filter(({ turn, from }) => turn === after.turn && from === after.from);
}

/** Returns where something was seen only after its time. */
function tooLate(check: PlainCheck, part: Part, call: HeardCall): readonly Seen[] {
  if (check.within === undefined) return [];
  const later = { ...part, toMs: Infinity };
  const found = find(check, call, later);
  return found.placed
    ? []
    : insideOf(found, found.sure, later).filter(({ evidence: { startMs = 0 } }) => startMs >= part.toMs);
}

function tooSeldom(sure: readonly Seen[], shown: Sentences): CheckResult {
  const why = join(shown, onlyTimes(sure.length));
  // "Your ticket is 4417, I repeat, …": one sentence, twice.
  const isRepeated = sure.some((one) => /\b(?:repeat|again|once more)\b/i.test(one.evidence.quote));
  return { verdict: isRepeated ? 'inconclusive' : 'fail', why, evidence: evidenceOf(sure) };
}

const onlyTimes = (count: number): Sentences =>
  count === 1 ? sentence`This happened only once.` : sentence`This happened only ${count} times.`;

const nothingHeard = sentence`Nothing was heard in that part of the call.`;

/**
 * Returns true if nothing that follows in the call could belong to a part. `atAnyEnd`: an end without closing words is
 * enough, but no interruption.
 */
const isOver = ({ toMs, until }: Part, { isWhole, ending, lastedMs = 0 }: HeardCall, atAnyEnd: boolean): boolean =>
  isWhole === true || until !== undefined || lastedMs >= toMs || ending === 'closed' || (atAnyEnd && ending === 'open');
