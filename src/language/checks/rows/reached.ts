import { join, sentence, type Sentences } from '../../../base/sentences.ts';
import { pattern } from '../../../base/rows.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import type { CheckOf } from '../../../contract/checks.ts';
import { reachedWords } from '../../../model/checks/describeCheck.ts';
import { announcesTransfer, isHolding, personHeard, saysGoodbye } from '../../heard/callEnds.ts';
import { menuOf } from '../../heard/menuOf.ts';
import type { Evidence } from '../../heard/quotes.ts';
import type { HeardCall, StepOnCall } from '../heardCall.ts';
import { isInside, sentencesIn, type Find, type Part } from '../part.ts';
import { seenInSentence, somewhere, type Seen, type Sightings } from '../sightings.ts';
import { holdsAny } from '../texts.ts';

type Found = Pick<Sightings, 'sure' | 'maybe' | 'complete'>;
type What = NonNullable<CheckOf<'reaches'>['what']>;

const voicemail = /\b(?:leave (?:a|your) (?:message|name)|after the (?:tone|beep)|voice ?mail)\b/;
const busy = /\b(?:(?:line|number|extension)s? (?:is|are) (?:busy|engaged)|busy signal)\b/;
/** "You have no voicemail", "our fax machine is broken" */
const denied = pattern`
  \b(?:no|not|never|without|\w+n't) (?:\w+ ){0,2}(?:voice ?mail|fax|busy|wait|hold)\b
  |\b(?:voice ?mail|fax machine)(?: \w+){0,2} (?:\w+n't|not|never|unavailable|broken|out of)\b|\bbusy \w+ing\b
`;
const fax = /\b(?:fax (?:tone|machine)|start (?:your )?fax)\b/;
/** Tones and silence stand in brackets in a transcript: "[hold music]". */
const signs: Readonly<Partial<Record<What, RegExp>>> = {
  hold: /^\[(?:hold )?music/,
  ringback: /^\[ring/,
  busy: /^\[busy/,
  fax: /^\[fax/,
  voicemail: /^\[(?:beep|tone|voicemail)/,
  silence: /^\[(?:silence|dead air)/,
};
const missing: Readonly<Record<What, Sentences>> = {
  person: sentence`The call ended without a person.`,
  voicemail: sentence`No voicemail answered.`,
  hold: sentence`The caller wasn't put on hold.`,
  transfer: sentence`No transfer is announced, and no person answers.`,
  ringback: sentence`Nothing rang.`,
  busy: sentence`The line wasn't busy.`,
  fax: sentence`No fax answered.`,
  silence: sentence`There was no silence.`,
};

export const findReached: Find<'reaches'> = (check, call, part) => {
  const { what, step, steps } = check;
  if (step !== undefined) return findStep(check, call);
  const seen = what === undefined ? { sure: [], complete: false } : ofTeam(check, look(what, call, part), call);
  const base = { ...seen, shown: reachedWords[what ?? 'person'], missing: missing[what ?? 'person'] };
  const [first] = seen.sure;
  if (!first || steps === undefined) return base;
  const menus = new Set(
    call.sentences.filter(({ index, offers }) => offers && index < first.turn).map(({ index }) => index),
  );
  const took = sentence`It took ${menus.size} steps. The limit is ${steps}.`;
  return menus.size <= steps
    ? { ...base, shown: join(base.shown, took) }
    : { ...base, sure: [], denied: [first], missing: join(base.shown, took) };
};

/** Keeps who answers for a team: by its greeting, the announced transfer, or the option that the caller chose. */
function ofTeam({ about }: CheckOf<'reaches'>, found: Found, { turns, sentences }: HeardCall): Found {
  if (about === undefined) return found;
  const isNear = ({ turn }: Seen): boolean =>
    sentences.some(
      (one) =>
        (one.index === turn || announcesTransfer(one) || isHolding(one)) &&
        one.index <= turn &&
        holdsAny(about, one.text),
    ) || turns.slice(0, turn).some((one, index) => holdsAny(about, chosenBy(one, turns[index - 1])));
  const own = found.sure.filter(isNear);
  return { ...found, sure: own, maybe: [...(found.maybe ?? []), ...found.sure.filter((one) => !own.includes(one))] };
}

/** Returns the label of the option that a key chose. */
const chosenBy = ({ speaker, text }: Turn, before: Turn | undefined): string => {
  const key = speaker === 'us' ? /^\[keys ([0-9*#]{1,4})\]$/.exec(text)?.[1] : undefined;
  return (key !== undefined && before ? menuOf(before).options.find((one) => one.key === key)?.label : undefined) ?? '';
};

function look(what: What, call: HeardCall, part: Part): Found {
  const said = sentencesIn(call, part);
  const sign = signs[what];
  const signed = said.filter(({ lower }) => sign?.test(lower.trim()) === true).map((one) => seenInSentence(one));
  if (what === 'person') {
    const heard = personHeard(call.turns);
    const seen = heard.said ? [seenInSentence(heard.said)].filter((one) => isInside(one, part)) : [];
    return {
      sure: heard.kind === 'person' ? seen : [],
      maybe: heard.kind === 'maybe' ? seen : [],
      complete: heard.kind === 'none',
    };
  }
  if (what === 'transfer') return lookForTransfer(call, part);
  const words = { voicemail, busy, fax } as const;
  const spoken =
    what === 'hold'
      ? said.filter(isHolding)
      : what in words
        ? said.filter(({ lower }) => words[what as keyof typeof words].test(lower))
        : [];
  const sure = spoken.filter(
    ({ offers, conditional, question, lower }) => !offers && !conditional && !question && !denied.test(lower),
  );
  return {
    sure: [...signed, ...sure.map((one) => seenInSentence(one))],
    maybe: spoken.filter((one) => !sure.includes(one)).map((one) => seenInSentence(one)),
    complete: what !== 'silence' && what !== 'ringback',
  };
}

/** A transfer that ends with a goodbye failed. */
function lookForTransfer(call: HeardCall, part: Part): Found {
  const transfers = sentencesIn(call, part)
    .filter(
      (one) => announcesTransfer(one) || /\bnext (?:available|free)\b|\bput(?:ting)? you through\b/.test(one.stated),
    )
    .map((one) => seenInSentence(one));
  const last = call.sentences.at(-1);
  const person = personHeard(call.turns);
  const stands = person.kind !== 'none' || (last !== undefined && !saysGoodbye(last));
  return {
    sure: stands || call.end?.transferTo !== undefined ? transfers : [],
    maybe: stands ? [] : transfers,
    complete: true,
  };
}

/** What a step of a probe that looks for a way found. */
function findStep({ step = '', steps, stepsOf, within }: CheckOf<'reaches'>, call: HeardCall): Sightings {
  const done = call.steps?.get(step);
  const none = { sure: [], complete: false, placed: true, shown: sentence`Reached.` } as const;
  if (!done) return { ...none, missing: join(notReachedState, whyNotReached(call)) };
  const at = (evidence: Evidence | undefined): Seen[] => [evidence ? { ...somewhere, evidence } : somewhere];
  const seen = at(done.found);
  const measure = stepsOf === undefined ? undefined : call.steps?.get(stepsOf);
  if (stepsOf !== undefined && measure?.reached !== true)
    return {
      ...none,
      context: at(measure?.found),
      missing: join(
        sentence`There is nothing to compare this with:`,
        measure?.reason ?? sentence`The step to compare with wasn't tried.`,
      ),
    };
  if (!done.reached)
    return {
      ...none,
      missing: join(notReachedState, done.reason),
      ...(done.undecided === true ? { context: seen } : { denied: seen }),
    };
  const most = measure ? (measure.choices ?? 0) : steps;
  const took = done.choices ?? 0;
  const seconds = Math.round((done.found?.startMs ?? done.actedMs) / 100) / 10;
  const inSteps = most === undefined ? undefined : sentence`It took ${took} steps. The limit is ${most}.`;
  const inTime = within === undefined ? undefined : sentence`It took ${seconds} s. The limit is ${within}.`;
  const fits = took <= (most ?? Infinity) && seconds <= (within ?? Infinity);
  const why = join(inSteps, inTime);
  return { ...none, complete: true, shown: why, missing: why, sure: fits ? seen : [], denied: fits ? [] : seen };
}

/** The state of a step that wasn't reached is read from this template. */
export const notReachedState = sentence`Not reached:`;
/** Returns where the steps ended, and why. */
export const whyNotReached = ({ steps }: HeardCall): Sentences =>
  [...(steps?.values() ?? [])].find((one: StepOnCall) => !one.reached)?.reason ??
  sentence`The call didn't get that far.`;
