import { pattern } from '../../base/rows.ts';
import { readAdjuncts, type Adjuncts } from './grammar/adjuncts.ts';
import { conditionOf, subjectCondition, type Condition } from './grammar/conditions.ts';
import type { Event, ReadContext, ReadEvents } from './grammar/events.ts';
import { readPredicate, type Predicate } from './grammar/predicate.ts';
import { readEvents } from './grammar/readEvents.ts';
import { readStatements, restore } from './grammar/statements.ts';

/** A part of an acceptance criterion that can be checked. All parts must hold. */
export interface Criterion {
  readonly text: string;
  readonly negated: boolean;
  readonly events: readonly Event[];
  readonly mode: 'all' | 'any';
  readonly conditions: readonly Condition[];
  readonly before?: Event | undefined;
  readonly after?: Event | undefined;
  readonly least?: number | undefined;
  readonly within?: Adjuncts['within'] | undefined;
  readonly where?: 'first' | 'last' | undefined;
}

interface ReadCriteria {
  readonly criteria: readonly Criterion[];
  /** Parts that no rule understands. */
  readonly unread: readonly string[];
  /** A part that no rule understands can revoke what another demands. */
  readonly hedged: boolean;
}

/** A longer sentence isn't a criterion that a rule could check, and costs time. */
const maxCharacters = 600;
/** More parts than anyone writes. */
const maxParts = 60;

/** Words by which one part changes the meaning of another. */
const hedge = pattern`
  \b(?:
    or|either|otherwise|unless|except|alternatively|if|optional(?:ly)?|may|can|instead|any of|one of
    |at least|only|not required|need not|acceptable|also (?:fine|ok|okay|accepted|passes)
  )\b
`;

/** Reads an acceptance criterion as far as the grammar in docs/language-models.md covers it. Never throws. */
export function readCriteria(acceptance: string): ReadCriteria {
  const { statements, phrases, ordered } = readStatements(acceptance);
  const criteria: Criterion[] = [];
  const unread: string[] = [];
  const preconditions: Condition[] = [];
  let hedged = false;
  statements.forEach(({ text, role }, index) => {
    const written = restore(text, phrases);
    if (role === 'restates') return;
    const context: ReadContext = { phrases, where: 'anywhere', always: false };
    if (role === 'given') preconditions.push(conditionOf(text, context));
    else if (role === 'allows') hedged = true;
    else {
      const read =
        text.length > maxCharacters || index >= maxParts
          ? undefined
          : readDemand(text, role === 'fails', phrases, criteria.at(-1));
      if (read) {
        criteria.push(...read.criteria.map((one) => ({ ...one, conditions: [...preconditions, ...one.conditions] })));
        unread.push(...read.unread);
      } else {
        unread.push(written);
        hedged ||= hedge.test(written.toLowerCase());
      }
    }
  });
  return { criteria: ordered ? inOrder(criteria) : criteria, unread, hedged };
}

/** Returns the parts that no rule can judge. While there are any, only a language model can let a call pass. */
export function unjudgedParts(acceptance: string): readonly string[] {
  const { criteria, unread } = readCriteria(acceptance);
  return criteria.length === 0 && unread.length === 0 ? [acceptance] : unread;
}

/** Each demand comes before the next. */
const inOrder = (criteria: readonly Criterion[]): Criterion[] =>
  criteria.map((one, index) => {
    const next = criteria[index + 1]?.events[0];
    return next && one.before === undefined ? { ...one, before: next } : one;
  });

/** Reads a sentence: one clause, or clauses around "and" or "but". */
function readDemand(
  sentence: string,
  fails: boolean,
  phrases: readonly string[],
  previous: Criterion | undefined,
): { readonly criteria: readonly Criterion[]; readonly unread: readonly string[] } | undefined {
  const text = sentence.toLowerCase().replace(/[’]/g, "'");
  const cuts = fails ? [] : clauseCuts(text);
  const pieces = [0, ...cuts.map(({ end }) => end)].map((from, index) =>
    text.slice(from, cuts[index]?.index ?? text.length),
  );
  // "Fails if A and B" isn't "fails if A, and fails if B".
  if (fails && clauseCuts(text).length > 0) return undefined;
  const read: Criterion[] = [],
    unread: string[] = [];
  let subject = '';
  for (const piece of pieces) {
    const whole = readClause(piece, subject, fails, phrases, read.at(-1) ?? previous);
    if (!whole) return undefined;
    subject = whole.subject;
    if (whole.stricter !== undefined) unread.push(restore(whole.stricter, phrases));
    read.push(...whole.criteria.map((one) => ({ ...one, text: restore(piece.trim(), phrases) })));
  }
  return { criteria: read, unread };
}

interface Cut {
  readonly index: number;
  readonly end: number;
}

/** Returns where a clause ends and another with its own verb begins. */
function clauseCuts(text: string): Cut[] {
  const joints = [
    ...text.matchAll(/,?\s+(?:and|but)(?:\s+(?:then|also|afterwards))?\s+|,\s+then\s+|;\s+|,\s+(?=(?:the|it|no)\s)/g),
  ].slice(0, 12);
  let from = 0;
  return joints.flatMap((match): Cut[] => {
    const end = match.index + match[0].length;
    const before = text.slice(from, match.index),
      after = text.slice(end, joints.find((next) => next.index > match.index)?.index ?? text.length);
    const whole = text.slice(end);
    if (!startsClause(whole, after, before)) return [];
    from = end;
    return [{ index: match.index, end }];
  });
}

const leading = pattern`
  ^(?:
    if|when|whenever|upon|once|after|before|right after|as soon as|in case|given|out of|outside|every time
    |each time|unless|until|on|in|during|for
  )\b
`;

/** "The caller only hears …" demands more than that it is heard. */
const restricting = /\b(?:only|hardly|barely|rarely|seldom|almost|nearly|sometimes|usually|often|mostly|whichever)\b/;

function startsClause(whole: string, after: string, before: string): boolean {
  const left = readPredicate(before);
  if (!left) return false;
  // A clause before its main clause: "If the PIN is wrong, the IVR says …".
  if (
    leading.test(before) &&
    !/,\s/.test(before) &&
    !/\b(?:the line|the ivr|the system|it) (?:says|must|shall|offers|tells)\b/.test(before)
  )
    return false;
  if (/^that\b/.test(whole)) return true;
  const right = readPredicate(after);
  if (!right || right.subject.split(' ').length > 10 || (right.act === 'other' && !right.able)) return false;
  if (/\b(?:or|nor)\b/.test(right.subject)) return false;
  // Inside reported speech, a clause belongs to it: "says that the office is closed and the staff are away".
  return !(/\b(?:that|whether)\b/.test(left.rest) && right.act === 'be');
}

type Demand = Omit<Criterion, 'text'>;

interface ReadClause {
  readonly criteria: readonly Demand[];
  readonly subject: string;
  readonly stricter?: string | undefined;
}

function readClause(
  piece: string,
  subject: string,
  fails: boolean,
  phrases: readonly string[],
  previous: Criterion | undefined,
): ReadClause | undefined {
  const plain: ReadContext = { phrases, where: 'anywhere', always: false };
  const around = readAdjuncts(piece, plain);
  const context: ReadContext = { ...plain, where: around.where ?? 'anywhere', always: around.always };
  const predicate = ownPredicate(around.text, subject);
  const read = predicate ? readVerb(predicate, around, context) : bareEvents(around.text, context, previous);
  const order = orderOf(around, previous);
  if (!read || !order) return undefined;
  const whose = predicate?.caller ? subjectCondition(predicate.subject, context) : undefined;
  const { within, stricter } = around;
  // Phrases and goodbyes determine their own position.
  const where = read.events.every(({ kind }) => kind === 'says' || kind === 'goodbye') ? undefined : around.where;
  const base = {
    ...read,
    ...order,
    conditions: [...around.conditions, ...(whose ? [whose] : [])],
    within,
    where,
  };
  const negated = (predicate?.negated ?? false) !== fails;
  const criteria = demandsOf(base, negated, around, context);
  return criteria && { criteria, subject: predicate?.subject ?? subject, stricter };
}

function readVerb(predicate: Predicate, { after }: Adjuncts, context: ReadContext): ReadEvents | undefined {
  const { subject, act } = predicate;
  // A circumstance that couldn't be separated from the subject.
  if (leading.test(subject) || restricting.test(subject)) return undefined;
  const read = readCoordinated(predicate, /\bgreeting$/.test(subject) ? { ...context, where: 'first' } : context);
  // A repeated menu must be distinguished from the first one.
  const isMenuAgain = act === 'readBack' && read?.events.some(({ kind }) => kind === 'menu');
  return isMenuAgain && after === undefined ? undefined : read;
}

/** Returns what a demand comes before and after, or undefined if it refers to an earlier demand that doesn't exist. */
function orderOf(around: Adjuncts, previous: Criterion | undefined): Pick<Demand, 'before' | 'after'> | undefined {
  const resolve = (one: Event | 'previous' | undefined): Event | undefined =>
    one === 'previous' ? previous?.events[0] : one;
  const before = resolve(around.before),
    after = resolve(around.after);
  if ((around.before && !before) || (around.after && !after)) return undefined;
  return { before, after };
}

/** Returns what a clause demands, and what must not happen on the way, or undefined if a denial contains more. */
function demandsOf(
  base: Omit<Demand, 'negated'>,
  negated: boolean,
  around: Adjuncts,
  context: ReadContext,
): Demand[] | undefined {
  const own = counted(base, negated, around);
  if (around.without === undefined) return own;
  const way = negated ? undefined : onTheWay(around.without, base, context);
  return own && way && [...own, way];
}

/** "At most twice": it must not happen three times. */
function counted(base: Omit<Demand, 'negated'>, negated: boolean, { least, most }: Adjuncts): Demand[] | undefined {
  const own = { ...base, negated, least };
  if (most === undefined) return [own];
  if (negated) return undefined;
  const tooOften = { ...base, negated: true, least: most + 1 };
  return least === undefined ? [tooOften] : [own, tooOften];
}

/** Returns what must not happen before someone is reached, or at all. */
function onTheWay(without: string, { events: [event] }: ReadEvents, context: ReadContext): Demand | undefined {
  const way = withoutEvents(without, context);
  const goal = event?.kind === 'person' || event?.kind === 'transfer' ? event : undefined;
  return way && { ...way, negated: true, conditions: [], before: goal };
}

/** Returns the clause's predicate. If it begins with its verb, the subject comes from the clause before it. */
function ownPredicate(text: string, subject: string): Predicate | undefined {
  const predicate = readPredicate(text);
  if (predicate?.subject !== '') return predicate;
  if (subject !== '') return readPredicate(`${subject} ${text}`) ?? predicate;
  // "Reaches a person", "is asked for a PIN": the subject can only be the caller.
  const ofCaller =
    predicate.act === 'hear' ||
    predicate.act === 'reach' ||
    (predicate.passive && ['tell', 'ask', 'offer', 'transfer'].includes(predicate.act));
  return ofCaller ? { ...predicate, caller: true } : predicate;
}

/** "offers or connects to extra support": two verbs with one object. */
function readCoordinated(predicate: Predicate, context: ReadContext): ReadEvents | undefined {
  const joint = /^(or|and) (.+)$/.exec(predicate.rest);
  if (!joint) return readEvents(predicate, context);
  const second = readPredicate(`${predicate.subject} ${joint[2] ?? ''}`);
  if (!second || second.negated) return undefined;
  const one = readEvents({ ...predicate, rest: second.rest.replace(/^(?:to|with|back) /, '') }, context),
    two = readEvents({ ...second, caller: predicate.caller, passive: predicate.passive }, context);
  return one && two ? { events: [...one.events, ...two.events], mode: joint[1] === 'or' ? 'any' : 'all' } : undefined;
}

/** A clause without a verb: quoted words, or "that …" after another. */
function bareEvents(text: string, context: ReadContext, previous: Criterion | undefined): ReadEvents | undefined {
  const tell = {
    subject: '',
    caller: false,
    negated: false,
    passive: false,
    able: false,
    obliged: false,
    act: 'tell',
    verb: 'says',
  } as const;
  if (/^⟦/.test(text)) return readEvents({ ...tell, rest: text }, context);
  return /^that\b/.test(text) && previous ? readEvents({ ...tell, rest: text }, context) : undefined;
}

/** "without being asked for a PIN", "without a transfer". */
function withoutEvents(text: string, context: ReadContext): ReadEvents | undefined {
  const predicate = readPredicate(`the caller is ${text}`);
  return predicate && predicate.act !== 'be' ? readEvents(predicate, context) : undefined;
}
